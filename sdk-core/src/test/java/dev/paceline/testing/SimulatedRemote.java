package dev.paceline.testing;

import dev.paceline.store.Change;
import dev.paceline.store.Floor;
import dev.paceline.store.Group;
import dev.paceline.store.RemoteAsk;
import dev.paceline.store.RemoteReply;
import dev.paceline.store.RemoteStore;
import dev.paceline.testkit.VirtualTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A worker's way to a {@link SimulatedServer}, which takes time and can be broken. Single-threaded.
 */
public final class SimulatedRemote implements RemoteStore {

  /** What becomes of a command. */
  public enum Way {
    /** It is executed and answered. */
    OPEN,
    /** It fails at once, and is not executed: no connection. */
    REFUSING,
    /** It is not executed, and never answered. */
    SWALLOWING,
    /** It is executed, and never answered. */
    DEAF,
    /** It is executed, and its reply has the wrong shape. */
    RUBBISH
  }

  private static final long HALF_TRIP_NANOS = 350_000;

  private final SimulatedServer server;
  private final VirtualTime time;
  private final int worker;
  private @Nullable RemoteListener listener;
  private Way way = Way.OPEN;
  private LongSupplier there = () -> HALF_TRIP_NANOS;
  private LongSupplier back = () -> HALF_TRIP_NANOS;
  private BooleanSupplier loses = () -> false;
  private boolean hearsNothing;
  private long lastArrival;
  private long lastReply;

  SimulatedRemote(SimulatedServer server, VirtualTime time, int worker) {
    this.server = server;
    this.time = time;
    this.worker = worker;
  }

  /** From now on, for commands that are sent and for messages that are published. */
  public void way(Way next) {
    boolean reconnected = way != Way.OPEN && next == Way.OPEN;
    way = next;
    if (reconnected && listener != null) {
      listener.resubscribed();
    }
  }

  /** How long a command takes there, and its reply back. */
  public void takes(LongSupplier thereNanos, LongSupplier backNanos) {
    there = thereNanos;
    back = backNanos;
  }

  /** Which replies are lost, though their commands were executed. */
  public void loses(BooleanSupplier replies) {
    loses = replies;
  }

  /** From now on no published message arrives, though commands are answered. */
  public void hearsNothing() {
    hearsNothing = true;
  }

  @Override
  public CompletionStage<RemoteReply> ask(RemoteAsk ask) {
    return send(
        () -> server.execute(this, ask.ask().group(), ask.floor(), ask.changes(), ask.ask()));
  }

  @Override
  public CompletionStage<List<RemoteReply>> askAll(List<RemoteAsk> asks) {
    return CompletableFuture.failedFuture(new UnsupportedOperationException("askAll"));
  }

  @Override
  public CompletionStage<RemoteReply> change(Group group, Floor floor, List<Change> changes) {
    return send(() -> server.execute(this, group, floor, changes, null));
  }

  @Override
  public CompletionStage<Workers> heartbeat(boolean hears) {
    return send(() -> server.heartbeat(worker, hears));
  }

  private <T> CompletionStage<T> send(Supplier<T> execution) {
    if (way == Way.REFUSING) {
      return CompletableFuture.failedFuture(new IllegalStateException("not connected"));
    }
    CompletableFuture<T> reply = new CompletableFuture<>();
    Way taken = way;
    if (taken == Way.SWALLOWING) {
      return reply;
    }
    boolean lost = taken == Way.DEAF || loses.getAsBoolean();
    long now = time.nanoTime();
    lastArrival = Math.max(lastArrival, now + there.getAsLong());
    time.schedule(
        () -> {
          T result = execution.get();
          if (!lost) {
            reply(reply, result, taken);
          }
        },
        lastArrival - now);
    return reply;
  }

  private <T> void reply(CompletableFuture<T> reply, T result, Way taken) {
    long now = time.nanoTime();
    lastReply = Math.max(lastReply, now + back.getAsLong());
    time.schedule(
        () -> {
          if (taken == Way.RUBBISH) {
            reply.completeExceptionally(new IllegalStateException("a reply of the wrong shape"));
          } else {
            reply.complete(result);
          }
        },
        lastReply - now);
  }

  void publish(Consumer<RemoteListener> message) {
    RemoteListener hears = listener;
    if (hears != null && way == Way.OPEN && !hearsNothing) {
      time.schedule(() -> message.accept(hears), back.getAsLong());
    }
  }

  @Override
  public void subscribe(RemoteListener hears) {
    listener = hears;
  }

  @Override
  public String describe() {
    return "simulated store of worker " + worker;
  }

  @Override
  public void close() {
    way = Way.REFUSING;
  }
}
