package dev.paceline.redis;

import dev.paceline.redis.ReplyReader.MalformedReplyException;
import dev.paceline.store.Ask;
import dev.paceline.store.Change;
import dev.paceline.store.Floor;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteAsk;
import dev.paceline.store.RemoteLeases;
import dev.paceline.store.RemoteReply;
import dev.paceline.store.RemoteStore;
import dev.paceline.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Schedules in Redis: each ask is one script call. Thread-safe. */
final class RedisRemote implements RemoteStore {
  private final Scripts scripts;
  private final Link link;
  private final News news;
  private final KeyNames names;
  private final String worker;
  private final String description;
  private final AskArguments arguments;
  private final TimeSource time;
  private final Runnable onClose;
  private final RedisLeases leases;
  private final Rulebook rules = new Rulebook();
  private final AtomicInteger numbers = new AtomicInteger();
  private volatile int workers = 1;

  /**
   * A store for one worker.
   *
   * @param worker its name in the fleet: letters and digits
   * @param onClose what else ends with it
   */
  RedisRemote(
      Link link,
      News news,
      KeyNames names,
      String worker,
      String description,
      TimeSource time,
      Scripts scripts,
      Runnable onClose) {
    this.link = link;
    this.news = news;
    this.names = names;
    this.worker = worker;
    this.description = description;
    this.arguments = new AskArguments(worker, names.channel());
    this.time = time;
    this.scripts = scripts;
    this.onClose = onClose;
    this.leases = new RedisLeases(link, names, worker);
    news.handOver(leases::handed);
  }

  @Override
  public Optional<RemoteLeases> leases() {
    return Optional.of(leases);
  }

  @Override
  public CompletionStage<RemoteReply> ask(RemoteAsk ask) {
    return decide(List.of(ask)).thenApply(replies -> replies.get(0));
  }

  @Override
  public CompletionStage<List<RemoteReply>> askAll(List<RemoteAsk> asks) {
    GroupKey first = asks.get(0).ask().group().key();
    for (RemoteAsk ask : asks) {
      GroupKey key = ask.ask().group().key();
      if (!key.owner().equals(first.owner()) || !key.upstream().equals(first.upstream())) {
        return CompletableFuture.failedFuture(
            new IllegalArgumentException(
                "groups %s and %s are of two owners: only one's are decided together"
                    .formatted(first, key)));
      }
    }
    return decide(asks);
  }

  @Override
  public CompletionStage<RemoteReply> change(Group group, Floor floor, List<Change> changes) {
    return ask(
        new RemoteAsk(new Ask(group, new long[group.limits().size()], 0, 0, 0, 0), floor, changes));
  }

  private CompletableFuture<List<RemoteReply>> decide(List<RemoteAsk> asks) {
    CompletableFuture<List<RemoteReply>> result = new CompletableFuture<>();
    decide(asks, time.epochMicros(), true, result);
    return result;
  }

  private void decide(
      List<RemoteAsk> asks,
      long centre,
      boolean first,
      CompletableFuture<List<RemoteReply>> result) {
    String number = nextNumber();
    String[] keys = new String[asks.size()];
    for (int i = 0; i < keys.length; i++) {
      Group group = asks.get(i).ask().group();
      keys[i] = names.of(group.key());
      rules.note(group);
    }
    String[] args = arguments.of(asks, number, centre).toArray(String[]::new);
    link.run(scripts.decide(), keys, args)
        .whenComplete(
            (reply, failure) -> {
              if (failure != null) {
                result.completeExceptionally(failure);
                return;
              }
              try {
                ReplyReader.Result read = ReplyReader.read(reply, number, asks.size(), workers);
                if (!read.stale()) {
                  result.complete(read.replies());
                } else if (first) {
                  // Nothing was decided: a zone's boundaries are wanted around another instant.
                  decide(asks, read.staleAt(), false, result);
                } else {
                  throw new MalformedReplyException("no boundary suits it", false);
                }
              } catch (MalformedReplyException e) {
                malformed(e);
                result.completeExceptionally(e);
              }
            });
  }

  private String nextNumber() {
    return Integer.toString(numbers.incrementAndGet() & Integer.MAX_VALUE);
  }

  private void malformed(MalformedReplyException e) {
    if (e.outOfStep()) {
      link.replace("its replies are out of step with the requests");
    }
  }

  @Override
  public CompletionStage<Workers> heartbeat(boolean hears) {
    link.replaceIfSilent();
    news.replaceIfSilent();
    String number = nextNumber();
    List<String> args = new ArrayList<>(List.of(number, worker, hears ? "1" : "0"));
    args.addAll(rules.due());
    String[] keys = {names.workers(), names.rules()};
    return link.run(scripts.heartbeat(), keys, args.toArray(String[]::new))
        .thenApply(
            reply -> {
              try {
                Workers counted = readWorkers(reply, number);
                workers = counted.count();
                return counted;
              } catch (MalformedReplyException e) {
                malformed(e);
                throw e;
              }
            });
  }

  private static Workers readWorkers(Object reply, String number) {
    if (!(reply instanceof List<?> items) || items.isEmpty() || !number.equals(items.get(0))) {
      throw new MalformedReplyException("it answers another request", true);
    }
    if (items.size() != 3
        || !(items.get(1) instanceof Long count)
        || !(items.get(2) instanceof Long rank)
        || rank < 0
        || rank >= count
        || count > 1_000_000) {
      throw new MalformedReplyException("no number of workers", false);
    }
    return new Workers(count.intValue(), rank.intValue());
  }

  @Override
  public void subscribe(RemoteListener listener) {
    news.listen(listener);
  }

  @Override
  public String describe() {
    return description;
  }

  @Override
  public void close() {
    news.closeThen(onClose);
  }
}
