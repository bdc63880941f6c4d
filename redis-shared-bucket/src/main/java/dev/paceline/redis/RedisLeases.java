package dev.paceline.redis;

import dev.paceline.redis.ReplyReader.MalformedReplyException;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteLeases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Leases in Redis: each operation is one script call. Thread-safe. */
final class RedisLeases implements RemoteLeases {
  private static final Script SCRIPT = Script.leases();

  private final Link link;
  private final KeyNames names;
  private final String worker;
  private final AtomicInteger numbers = new AtomicInteger();
  private final Map<GroupKey, Set<Lease>> held = new ConcurrentHashMap<>();

  /** How many may be in flight, where this worker waits. */
  private final Map<GroupKey, Integer> waiting = new ConcurrentHashMap<>();

  private volatile @Nullable Consumer<Lease> listener;

  RedisLeases(Link link, KeyNames names, String worker) {
    this.link = link;
    this.names = names;
    this.worker = worker;
  }

  @Override
  public CompletionStage<Optional<Lease>> take(GroupKey group, int most) {
    if (most < 1) {
      return CompletableFuture.failedFuture(
          new IllegalArgumentException("most=%d: must be at least 1".formatted(most)));
    }
    Lease lease = new Lease(group, most, worker + ":" + numbers.incrementAndGet());
    waiting.put(group, most);
    return run("take", group, most, List.of(lease))
        .thenApply(
            taken -> {
              if (!taken) {
                return Optional.empty();
              }
              waiting.remove(group);
              hold(lease);
              return Optional.of(lease);
            });
  }

  private void hold(Lease lease) {
    held.compute(
        lease.group(),
        (group, leases) -> {
          Set<Lease> all = leases == null ? ConcurrentHashMap.newKeySet() : leases;
          all.add(lease);
          return all;
        });
  }

  @Override
  public CompletionStage<Void> giveBack(Lease lease) {
    held.computeIfPresent(
        lease.group(),
        (group, leases) -> {
          leases.remove(lease);
          return leases.isEmpty() ? null : leases;
        });
    return done(run("back", lease.group(), lease.most(), List.of(lease)));
  }

  @Override
  public CompletionStage<Void> stopWaiting(GroupKey group, int most) {
    waiting.remove(group);
    return done(run("leave", group, most, List.of()));
  }

  @Override
  public CompletionStage<Void> renew() {
    List<CompletableFuture<?>> renewed = new ArrayList<>();
    held.forEach(
        (group, leases) -> {
          List<Lease> all = List.copyOf(leases);
          if (!all.isEmpty()) {
            renewed.add(run("keep", group, all.get(0).most(), all).toCompletableFuture());
          }
        });
    return CompletableFuture.allOf(renewed.toArray(CompletableFuture<?>[]::new));
  }

  private static CompletionStage<Void> done(CompletionStage<Boolean> stage) {
    return stage.thenAccept(taken -> {});
  }

  @Override
  public void listen(Consumer<Lease> handed) {
    listener = handed;
  }

  /** From now on nobody here waits, though the store does not know. */
  void forget(GroupKey group) {
    waiting.remove(group);
  }

  /** As it was published: this worker's turn has come. */
  void handed(GroupKey group, String id) {
    Integer most = waiting.remove(group);
    Lease lease = new Lease(group, most == null ? Integer.MAX_VALUE : most, id);
    Consumer<Lease> to = listener;
    if (most == null || to == null) {
      // Nobody waits here any more. The slot is freed; the next one who comes hands it on.
      var unused = giveBack(new Lease(group, 1, id));
      return;
    }
    hold(lease);
    to.accept(lease);
  }

  private CompletionStage<Boolean> run(String what, GroupKey group, int most, List<Lease> leases) {
    String number = Integer.toString(numbers.incrementAndGet() & Integer.MAX_VALUE);
    String key = names.of(group);
    List<String> args =
        new ArrayList<>(
            List.of(number, what, worker, names.channel(), key, Integer.toString(most)));
    leases.forEach(lease -> args.add(lease.id()));
    String[] keys = {names.inFlight(group), names.waiting(group)};
    return link.run(SCRIPT, keys, args.toArray(String[]::new))
        .thenApply(reply -> read(reply, number));
  }

  private boolean read(Object reply, String number) {
    if (!(reply instanceof List<?> items) || items.isEmpty() || !number.equals(items.get(0))) {
      link.replace("its replies are out of step with the requests");
      throw new MalformedReplyException("it answers another request", true);
    }
    if (items.size() != 4 || !(items.get(1) instanceof Long taken) || taken < 0 || taken > 1) {
      throw new MalformedReplyException("no answer about a lease", false);
    }
    return taken == 1;
  }
}
