package dev.paceline.testing;

import dev.paceline.limit.Limit;
import dev.paceline.pace.Pace;
import dev.paceline.pace.Pacers;
import dev.paceline.pace.Passage;
import dev.paceline.pace.Stage;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.SharedSettings;
import dev.paceline.store.SharedStore;
import dev.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * Workers with real pacers and real shared stores, and callers that ask, send, think and ask again,
 * in virtual time on one thread: each run is the same as the last.
 */
public final class SimulatedFleet {

  private static final long FOREVER_NANOS = Long.MAX_VALUE / 4;
  private static final long MOST_THINKING_NANOS = 5_000_000;

  public final VirtualTime time = VirtualTime.create();
  public final SimulatedServer server = new SimulatedServer(time);
  public final List<Worker> workers = new ArrayList<>();
  public final Stage stage;
  private final SplittableRandom random;
  private LongConsumer onSent = at -> {};
  private LongUnaryOperator stalls = at -> 0;
  private UnaryOperator<SharedSettings> settings = standard -> standard;

  // Since the last call of measure.
  private boolean measuring;
  private long[] waits = new long[1 << 16];
  private int sent;
  private long refused;

  /** A fleet without workers, all of whose calls pass one limit. */
  public SimulatedFleet(Limit limit, long seed) {
    Group group = new Group(new GroupKey("api", "*", "*"), List.of(limit));
    this.stage = new Stage(group, new long[] {1});
    this.random = new SplittableRandom(seed);
  }

  /** Who is told of each request when it leaves. */
  public void onSent(LongConsumer judge) {
    onSent = judge;
  }

  /** How much later than its permit a request leaves, from the time at which it could. */
  public void stalls(LongUnaryOperator nanos) {
    stalls = nanos;
  }

  /** With which settings workers that are added from now on begin. */
  public void settings(UnaryOperator<SharedSettings> change) {
    settings = change;
  }

  /** Adds a worker whose callers think up to 5 ms between calls. */
  public Worker add(int callers) {
    Worker worker = new Worker(server.connect());
    workers.add(worker);
    for (int i = 0; i < callers; i++) {
      Caller caller = new Caller(worker);
      caller.then = caller::thinkAndCall;
      time.schedule(caller::call, random.nextLong(MOST_THINKING_NANOS));
    }
    return worker;
  }

  /** Adds a worker that is asked for one call each interval, however long the others wait. */
  public Worker addSteady(Duration interval) {
    Worker worker = add(0);
    Steady steady = new Steady(worker, interval.toNanos());
    time.schedule(steady::callAgain, random.nextLong(interval.toNanos()));
    return worker;
  }

  /** Lets time pass; what happens in it is measured, and nothing before. */
  public Measured measure(Duration lasting) {
    long commands = server.commands();
    measuring = true;
    sent = 0;
    refused = 0;
    workers.forEach(worker -> worker.sent = 0);
    time.advance(lasting);
    measuring = false;
    long[] sorted = Arrays.copyOf(waits, sent);
    Arrays.sort(sorted);
    double[] shares = workers.stream().mapToDouble(worker -> worker.sent).toArray();
    double commandsPerPermit = (double) (server.commands() - commands) / Math.max(1, sent);
    return new Measured(sent, refused, commandsPerPermit, jain(shares), sorted, lasting);
  }

  private static double jain(double[] shares) {
    double sum = Arrays.stream(shares).sum();
    double squares = Arrays.stream(shares).map(share -> share * share).sum();
    return squares == 0 ? 1 : sum * sum / (shares.length * squares);
  }

  /**
   * What was seen.
   *
   * @param sent requests sent
   * @param refused callers that got no permit
   * @param jain the fairness among the workers, 1 if all sent the same
   */
  public record Measured(
      long sent,
      long refused,
      double commandsPerPermit,
      double jain,
      long[] sortedWaits,
      Duration lasting) {

    /** The part of a limit that was used. */
    public double used(double perSecond) {
      return sent / (perSecond * lasting.toNanos() / 1e9);
    }

    /** A quantile of the waits, in milliseconds. */
    public double waitMillis(double quantile) {
      int at = (int) Math.min(sortedWaits.length - 1, quantile * sortedWaits.length);
      return sortedWaits.length == 0 ? 0 : sortedWaits[at] / 1e6;
    }

    @Override
    public String toString() {
      return "sent %d, refused %d, %.4f commands a permit, Jain %.4f, wait p50 %.1f ms, max %.1f ms"
          .formatted(sent, refused, commandsPerPermit, jain, waitMillis(0.5), waitMillis(1));
    }
  }

  /** One process of the fleet. */
  public final class Worker {
    public final SimulatedRemote remote;
    public final SharedStore store;
    public final TimedStore timed;
    public final Pacers pacers;

    /** Requests sent since measuring began. */
    public long sent;

    Worker(SimulatedRemote remote) {
      this.remote = remote;
      this.store = SharedStore.start(remote, time, settings.apply(SharedSettings.standard()));
      this.timed = new TimedStore(store, time);
      this.pacers =
          new Pacers(timed, time, Pace.standard(), key -> 1_000_000, key -> Optional.empty());
    }
  }

  private final class Steady {
    private final Worker worker;
    private final long intervalNanos;

    Steady(Worker worker, long intervalNanos) {
      this.worker = worker;
      this.intervalNanos = intervalNanos;
    }

    void callAgain() {
      time.schedule(this::callAgain, intervalNanos);
      new Caller(worker).call();
    }
  }

  private final class Caller implements Passage.End {
    private final Worker worker;
    private Runnable then = () -> {};
    private long began;

    Caller(Worker worker) {
      this.worker = worker;
    }

    void call() {
      began = time.nanoTime();
      Passage.Terms terms = new Passage.Terms(0, began, began + FOREVER_NANOS, 0);
      worker.pacers.pass(List.of(stage), terms, this);
    }

    @Override
    public void ended(Passage passage) {
      if (passage.refusal().isPresent()) {
        refused++;
        then.run();
        return;
      }
      long stall = stalls.applyAsLong(time.nanoTime());
      if (stall > 0) {
        time.schedule(() -> send(passage), stall);
      } else {
        send(passage);
      }
    }

    private void send(Passage passage) {
      long now = time.nanoTime();
      passage.sent(now);
      onSent.accept(now);
      if (measuring) {
        if (sent == waits.length) {
          waits = Arrays.copyOf(waits, sent * 2);
        }
        waits[sent++] = now - began;
        worker.sent++;
      }
      then.run();
    }

    void thinkAndCall() {
      time.schedule(this::call, random.nextLong(MOST_THINKING_NANOS));
    }
  }
}
