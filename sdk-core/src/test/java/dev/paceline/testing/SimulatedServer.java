package dev.paceline.testing;

import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.Limit;
import dev.paceline.store.Ask;
import dev.paceline.store.Change;
import dev.paceline.store.Floor;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteReply;
import dev.paceline.store.RemoteStore;
import dev.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The one place where the schedules of a simulated fleet live, with a clock of its own: what a
 * Redis server and its script would do, in virtual time. Single-threaded, like its tests.
 */
public final class SimulatedServer {

  private static final long LIVE_NANOS = 3_000_000_000L;
  private static final long COUNT_EVERY_NANOS = 100_000_000L;
  private static final long EPOCH_MICROS = 1_770_000_000_000_000L;

  private final VirtualTime time;
  private final Map<GroupKey, Stored> states = new HashMap<>();
  private final TreeMap<Integer, Long> members = new TreeMap<>();
  private long countedAt;
  final List<SimulatedRemote> connections = new ArrayList<>();
  private long clockStep;
  private long commands;

  /** A server without any state. */
  public SimulatedServer(VirtualTime time) {
    this.time = time;
  }

  /** A worker's connection, with round trips of 0.7 ms. */
  public SimulatedRemote connect() {
    SimulatedRemote remote = new SimulatedRemote(this, time, connections.size());
    connections.add(remote);
    return remote;
  }

  /** What its clock shows: microseconds. */
  public long now() {
    return EPOCH_MICROS + time.elapsed().toNanos() / 1_000 + clockStep;
  }

  /** Sets its clock forward, or back. */
  public void stepClock(Duration step) {
    clockStep += step.toNanos() / 1_000;
  }

  /** Forgets every schedule and every worker, as a restart or a flush does. */
  public void loseState() {
    loseSchedules();
    members.clear();
  }

  /** Forgets every schedule, as evictions do. */
  public void loseSchedules() {
    states.clear();
  }

  /** Goes back to the schedules of an earlier moment, as a fail-over to a stale replica does. */
  public Runnable replica() {
    Map<GroupKey, Stored> copies = new HashMap<>();
    states.forEach((key, stored) -> copies.put(key, stored.copy()));
    return () -> {
      states.clear();
      states.putAll(copies);
    };
  }

  /** Commands executed so far that concern schedules: no heartbeats. */
  public long commands() {
    return commands;
  }

  /** Until when nobody calls by the server's clock; 0 if there is no cooldown. */
  public long cooldownUntil(GroupKey key) {
    Stored stored = states.get(key);
    return stored == null ? 0 : stored.cooldownUntil;
  }

  RemoteStore.Workers heartbeat(int worker, boolean hears) {
    long now = time.nanoTime();
    if (hears) {
      members.put(worker, now);
    } else {
      members.remove(worker);
    }
    if (now - countedAt >= COUNT_EVERY_NANOS) {
      countedAt = now;
      members.values().removeIf(seen -> now - seen >= LIVE_NANOS);
    }
    int rank = hears ? members.headMap(worker).size() : 0;
    return new RemoteStore.Workers(Math.max(1, members.size()), rank);
  }

  RemoteReply execute(
      SimulatedRemote from, Group group, Floor floor, List<Change> changes, @Nullable Ask ask) {
    commands++;
    long now = now();
    Stored stored = states.computeIfAbsent(group.key(), key -> new Stored(group.limits()));
    RemoteReply.Trouble trouble = stored.prepare(group.limits(), floor, now);
    for (Change change : changes) {
      stored.apply(change, now);
      publish(from, group.key(), stored, change);
    }
    long[] starts = {};
    long earliest = 0;
    RemoteReply.Kind kind = RemoteReply.Kind.CHANGED;
    if (ask != null) {
      stored.schedule.delay(ask.lateMicros());
      if (ask.lateMicros() > 0) {
        publish(from, group.key(), stored, new Change.Late(ask.lateMicros()));
      }
      long at = Math.max(now, stored.cooldownUntil);
      earliest = stored.schedule.earliest(at, ask.cost());
      if (earliest == GroupSchedule.NEVER) {
        kind = RemoteReply.Kind.NEVER;
      } else if (earliest - now > ask.latestMicros()) {
        kind = RemoteReply.Kind.TOO_LATE;
      } else {
        kind = RemoteReply.Kind.RESERVED;
        starts = new long[ask.permits()];
        int count = stored.schedule.run(at, ask.cost(), starts.length, ask.quantumMicros(), starts);
        starts = Arrays.copyOf(starts, count);
      }
    }
    stored.lastWrite = now;
    return new RemoteReply(
        kind,
        now,
        starts,
        earliest,
        Math.max(0, stored.cooldownUntil - now),
        stored.schedule.guard(),
        Math.max(1, members.size()),
        stored.generation,
        stored.schedule.snapshot(),
        trouble);
  }

  private void publish(SimulatedRemote from, GroupKey key, Stored stored, Change change) {
    for (SimulatedRemote other : connections) {
      if (other == from) {
        continue;
      }
      if (change instanceof Change.Cooldown) {
        long micros = stored.cooldownUntil - now();
        other.publish(listener -> listener.cooldown(key, stored.generation, micros));
      } else if (change instanceof Change.ClearCooldown) {
        other.publish(listener -> listener.cooldown(key, stored.generation, 0));
      } else if (change instanceof Change.Late late) {
        other.publish(listener -> listener.moved(key, late.micros()));
      }
    }
  }

  /** One group's state. */
  private static final class Stored {
    private GroupSchedule schedule;
    private long generation = 1;
    private long cooldownUntil;
    private long lastWrite;

    Stored(List<Limit> limits) {
      schedule = new GroupSchedule(limits);
    }

    Stored copy() {
      Stored copy = new Stored(schedule.limits());
      copy.schedule.restore(schedule.snapshot());
      copy.schedule.guard(schedule.guard());
      copy.generation = generation;
      copy.cooldownUntil = cooldownUntil;
      copy.lastWrite = lastWrite;
      return copy;
    }

    RemoteReply.Trouble prepare(List<Limit> limits, Floor floor, long now) {
      RemoteReply.Trouble trouble = RemoteReply.Trouble.NONE;
      if (now < lastWrite) {
        schedule.restore(SimulatedStates.shift(schedule.snapshot(), now - lastWrite));
        cooldownUntil = cooldownUntil == 0 ? 0 : cooldownUntil + now - lastWrite;
        trouble = RemoteReply.Trouble.CLOCK_STEPPED;
      }
      if (!limits.equals(schedule.limits())) {
        schedule = schedule.reconfigured(limits, now, Math.max(now, cooldownUntil));
        generation++;
      }
      if (floor.generation() < generation || floor.state().limits().isEmpty()) {
        return trouble;
      }
      var before = schedule.snapshot();
      if (floor.generation() > generation) {
        schedule.restore(SimulatedStates.shift(floor.state(), now));
        generation = floor.generation();
      } else {
        schedule.merge(SimulatedStates.shift(floor.state(), now));
      }
      return schedule.snapshot().equals(before) ? trouble : RemoteReply.Trouble.STATE_LOST;
    }

    void apply(Change change, long now) {
      if (change instanceof Change.Cooldown cooldown) {
        long until = now + cooldown.micros();
        if (until > cooldownUntil) {
          cooldownUntil = until;
          schedule.notBefore(until);
        }
      } else if (change instanceof Change.ClearCooldown) {
        if (cooldownUntil > now) {
          schedule.resumeAt(cooldownUntil, now);
        }
        cooldownUntil = 0;
        generation++;
      } else if (change instanceof Change.Late late) {
        schedule.delay(late.micros());
      } else if (change instanceof Change.Settle settle) {
        schedule.adjust(now - settle.agoMicros(), now, settle.delta());
      } else if (change instanceof Change.Slow slow) {
        long from = slow.permits() <= 0 ? now + slow.micros() : now;
        long permits = Math.max(1, slow.permits());
        schedule.slow(slow.limit(), from, now + slow.micros(), slow.micros(), permits);
      } else if (change instanceof Change.Guard guard) {
        schedule.guard(guard.micros());
      } else if (change instanceof Change.Charge charge) {
        schedule.charge(now - charge.agoMicros(), now - charge.lastAgoMicros(), charge.cost());
      }
    }
  }
}
