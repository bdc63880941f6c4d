package dev.paceline.store;

import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Schedules that a fleet of workers shares through a {@link RemoteStore}, and that go on, at this
 * worker's share, while the remote store is away.
 *
 * <p>Thread-safe. Every ask is answered within the command timeout: by the remote store, or by the
 * outage policy of its upstream.
 */
public final class SharedStore implements ScheduleStore {

  /*
   * For each group a mirror remembers the last reply. From it come the floor of the next ask, so that
   * a schedule which the remote store loses is restored; the least wait that is known without asking;
   * answers that need no command; and this worker's share when there is no reply.
   *
   * A command that failed may have been executed. What it reserved is never given back, and its caller
   * is answered by the outage policy; what that gives is charged with the next command.
   */

  /** Corrections wait so long for an ask that takes them along. */
  private static final long TELL_WITHIN_NANOS = 20_000_000L;

  private static final long TELL_AGAIN_NANOS = 200_000_000L;

  private static final long NO_OUTAGE = 0;

  private final RemoteStore remote;
  private final TimeSource time;
  private final SharedSettings settings;
  private final Repairs repairs;
  private final StoreCounters counters = new StoreCounters();
  private final Outage outage;
  private final Commands commands;
  private final Mirrors mirrors;
  private final Fleet fleet;
  private final List<StoreListener> listeners = new CopyOnWriteArrayList<>();
  private final LocalSlots slots;
  private volatile boolean closed;

  private SharedStore(RemoteStore remote, TimeSource time, SharedSettings settings) {
    this.remote = remote;
    this.time = time;
    this.settings = settings;
    Events events = new Events(settings.listener());
    this.repairs = new Repairs(time, events, counters);
    this.slots =
        new LocalSlots(time, group -> listeners.forEach(listener -> listener.slotFree(group)));
    this.outage = new Outage(remote.describe(), time, events, counters);
    this.commands = new Commands(time, settings.commandTimeoutNanos(), outage, counters);
    this.mirrors = new Mirrors(time, settings.capacity(), this::tell);
    this.fleet = new Fleet(remote, time, commands, outage, settings.expectedWorkers());
  }

  /**
   * A store over {@code remote}, which it owns from now on. Begins to send heartbeats, and does not
   * wait for an answer.
   */
  public static SharedStore start(RemoteStore remote, TimeSource time, SharedSettings settings) {
    SharedStore store = new SharedStore(remote, time, settings);
    remote.subscribe(new Published(store, store.mirrors, store.listeners, time));
    store.fleet.start(store::tellEverything);
    return store;
  }

  @Override
  public void ask(Ask ask, ReplyTo to) {
    long now = time.nanoTime();
    Mirror mirror = mirrors.lock(ask.group());
    AskCommand command = null;
    Reply denied;
    try {
      denied = mirror.denied(ask, fleet.workers(), now);
      if (denied == null && !closed && !isWithoutStore(ask, now) && !mirror.failures.pausing(now)) {
        command = new AskCommand(this, mirror, ask, to, now);
      }
    } finally {
      mirror.unlock();
    }
    if (denied != null) {
      counters.localAnswers.increment();
      to.reply(denied);
    } else if (command == null) {
      to.reply(withoutStore(mirror, ask, false, now));
    } else {
      RemoteAsk toSend = command.toSend;
      commands.send(() -> remote.ask(toSend), command);
    }
  }

  /** Who paced nothing meanwhile has nothing to hand over. */
  private boolean isWithoutStore(Ask ask, long now) {
    return policy(ask) == OutagePolicy.LOCAL ? outage.sharing(now) : outage.away();
  }

  private OutagePolicy policy(Ask ask) {
    return settings.outagePolicyOf(ask.group().key().upstream());
  }

  /**
   * Decides by the upstream's outage policy.
   *
   * @param unanswered whether the ask was sent, and may have reserved permits that nobody uses
   */
  Reply withoutStore(Mirror mirror, Ask ask, boolean unanswered, long now) {
    OutagePolicy policy = policy(ask);
    if (policy != OutagePolicy.LOCAL) {
      return Reply.without(policy == OutagePolicy.CLOSED ? Reply.Kind.CLOSED : Reply.Kind.OPEN);
    }
    Reply reply;
    boolean mayTell;
    mirror.relock();
    try {
      boolean sharing = outage.sharing(now);
      long which = sharing ? outage.episode() : NO_OUTAGE;
      reply = mirror.askShare(ask, fleet.share(), which, unanswered, now);
      mayTell = sharing && !outage.away();
    } finally {
      mirror.unlock();
    }
    counters.fallbackPermits.add(reply.starts().length);
    if (mayTell) {
      tell(mirror);
    }
    return reply;
  }

  @Override
  public long waitNanos(Group group, long[] ahead, long[] cost) {
    long now = time.nanoTime();
    Mirror mirror = mirrors.lock(group);
    try {
      return mirror.waitNanos(ahead, cost, outage.sharing(now), now);
    } finally {
      mirror.unlock();
    }
  }

  @Override
  public void cooldown(Group group, Duration lasting) {
    long now = time.nanoTime();
    Mirror mirror = mirrors.lock(group);
    long until;
    try {
      boolean longer = mirror.cool(now + nanos(lasting), now);
      until = mirror.cooldownUntil(now);
      if (longer) {
        mirror.outbound.add(new Outgoing.Cool(until));
      }
    } finally {
      mirror.unlock();
    }
    listeners.forEach(listener -> listener.cooldown(group.key(), until));
    tell(mirror);
  }

  @Override
  public void clearCooldown(Group group) {
    long now = time.nanoTime();
    Mirror mirror = mirrors.lock(group);
    try {
      mirror.clearCooldown(now);
      mirror.outbound.add(new Outgoing.Clear());
    } finally {
      mirror.unlock();
    }
    listeners.forEach(listener -> listener.cooldownCleared(group.key()));
    tell(mirror);
  }

  @Override
  public void late(Group group, long micros) {
    Mirror mirror = mirrors.lock(group);
    try {
      mirror.move(micros);
      mirror.outbound.add(new Outgoing.Late(micros));
    } finally {
      mirror.unlock();
    }
    tell(mirror);
  }

  @Override
  public void settle(Group group, long start, long[] delta) {
    long now = time.nanoTime();
    Mirror mirror = mirrors.lock(group);
    try {
      mirror.settle(start, delta, outage.sharing(now), now);
    } finally {
      mirror.unlock();
    }
    tellSoon(mirror);
  }

  @Override
  public void slow(Group group, int limit, long permits, Duration lasting) {
    long now = time.nanoTime();
    Mirror mirror = mirrors.lock(group);
    try {
      mirror.slow(limit, permits, now + nanos(lasting), now);
    } finally {
      mirror.unlock();
    }
    tellSoon(mirror);
  }

  @Override
  public void guard(Group group, Duration extra) {
    Mirror mirror = mirrors.lock(group);
    try {
      mirror.guard(nanos(extra) / 1_000);
    } finally {
      mirror.unlock();
    }
    tellSoon(mirror);
  }

  @Override
  public void listen(StoreListener listener) {
    listeners.add(listener);
  }

  @Override
  public Slots slots() {
    return slots;
  }

  @Override
  public GroupView view(Group group) {
    Mirror mirror = mirrors.lock(group);
    try {
      return mirror.view(fleet.workers(), time.nanoTime());
    } finally {
      mirror.unlock();
    }
  }

  /** Whether the remote store answers; also degraded while this worker still paces itself. */
  public StoreHealth health() {
    return outage.health(time.nanoTime());
  }

  /** What was counted so far. */
  public StoreStats stats() {
    return counters.stats();
  }

  /** How many groups are remembered here. */
  public int size() {
    return mirrors.size();
  }

  private void tellSoon(Mirror mirror) {
    tellIn(mirror, TELL_WITHIN_NANOS);
  }

  /** After a failure. */
  void tellLater(Mirror mirror) {
    tellIn(mirror, TELL_AGAIN_NANOS);
  }

  private void tellIn(Mirror mirror, long delayNanos) {
    mirror.relock();
    try {
      if (closed || mirror.tellingSoon || !mirror.hasToTell()) {
        return;
      }
      mirror.tellingSoon = true;
    } finally {
      mirror.unlock();
    }
    time.schedule(() -> tell(mirror), delayNanos);
  }

  /** Sends what the remote schedule has still to be told, if there is anything and anyone. */
  private void tell(Mirror mirror) {
    long now = time.nanoTime();
    ChangeCommand command;
    long kept;
    mirror.relock();
    try {
      mirror.tellingSoon = false;
      if (closed || outage.away() || mirror.failures.pausing(now) || !mirror.hasToTell()) {
        return;
      }
      mirror.readAgain = false;
      command = new ChangeCommand(this, mirror, now);
      kept = mirror.keptFor(now);
    } finally {
      mirror.unlock();
    }
    commands.send(() -> remote.change(command.group, command.floor, command.changes), command);
    if (kept >= 0) {
      time.schedule(() -> tellKept(mirror), Math.max(kept, TELL_AGAIN_NANOS));
    }
  }

  private void tellKept(Mirror mirror) {
    mirror.relock();
    mirror.tellingKept = false;
    mirror.unlock();
    tell(mirror);
  }

  /** The store is back, or messages may have been missed. */
  private void tellEverything() {
    mirrors.all().forEach(this::tell);
  }

  /** The connection was lost for a moment: messages, and even schedules, may be missing. */
  void interrupted() {
    outage.interrupted();
    mirrors.all().forEach(this::readAgain);
  }

  private void readAgain(Mirror mirror) {
    mirror.relock();
    try {
      mirror.readAgain = true;
    } finally {
      mirror.unlock();
    }
    tell(mirror);
  }

  long leadNanos() {
    return settings.leadNanos();
  }

  boolean settles(long now) {
    return outage.settles(now);
  }

  Outage.Return back(long now) {
    return outage.back(now);
  }

  /** Takes up a reply; tells listeners what it says of a cooldown, and events what was repaired. */
  @Nullable Reply learn(Mirror mirror, RemoteReply reply, @Nullable Ask ask, long sent, long now) {
    boolean cleared;
    long before;
    long until;
    Reply answer = null;
    mirror.relock();
    try {
      before = mirror.cooldownUntil(now);
      cleared = mirror.learn(reply, sent, now);
      until = mirror.cooldownUntil(now);
      mirror.failures.succeeded();
      if (ask != null) {
        answer = mirror.translate(ask, reply, reply.workers(), now);
      }
    } finally {
      mirror.unlock();
    }
    fleet.counted(reply.workers(), now);
    if (cleared) {
      listeners.forEach(listener -> listener.cooldownCleared(mirror.key));
    } else if (until - before > 0) {
      listeners.forEach(listener -> listener.cooldown(mirror.key, until));
    }
    repairs.seen(mirror, reply.trouble());
    if (reply.trouble() == RemoteReply.Trouble.STATE_LOST) {
      tell(mirror);
    }
    return answer;
  }

  private static long nanos(Duration duration) {
    // A hundred years: enough for any wait, and far from overflow.
    Duration longest = Duration.ofDays(36_500);
    return (duration.compareTo(longest) > 0 ? longest : duration).toNanos();
  }

  @Override
  public void close() {
    closed = true;
    fleet.close();
    mirrors.close();
    remote.close();
  }
}
