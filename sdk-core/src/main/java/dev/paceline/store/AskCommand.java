package dev.paceline.store;

import dev.paceline.limit.Snapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An ask on its way to the remote store. */
final class AskCommand implements Commands.Answer<RemoteReply> {

  private final SharedStore store;
  private final Mirror mirror;
  private final Ask ask;
  private final ReplyTo to;
  private final List<Outgoing> outgoing;
  final RemoteAsk toSend;

  /** Made under the mirror's lock. */
  AskCommand(SharedStore store, Mirror mirror, Ask ask, ReplyTo to, long now) {
    this.store = store;
    this.mirror = mirror;
    this.ask = ask;
    this.to = to;
    mirror.departed();
    this.outgoing = mirror.outbound.take();
    // After a failure, of which nobody knows whether it reserved a turn, one permit shows the way.
    int permits = mirror.failures.any() ? 1 : ask.permits();
    // Others that change over a little later say what they send just before they do.
    long quantum =
        store.settles(now)
            ? Math.min(ask.quantumMicros(), store.leadNanos() / 1_000)
            : ask.quantumMicros();
    Ask stored =
        !mirror.failures.any()
                && quantum == ask.quantumMicros()
                && ask.group().key().equals(mirror.key)
            ? ask
            : new Ask(
                mirror.group(), ask.cost(), permits, quantum, ask.latestMicros(), ask.lateMicros());
    Mirror.Load load = mirror.load(outgoing, store.back(now), now, store.leadNanos());
    this.toSend = new RemoteAsk(stored, load.floor(), load.changes());
  }

  @Override
  public @Nullable String fault(RemoteReply reply) {
    return ReplyCheck.fault(reply, toSend.ask());
  }

  @Override
  public void came(RemoteReply reply, long sent, long received) {
    mirror.relock();
    mirror.arrived();
    mirror.unlock();
    Reply answer = store.learn(mirror, reply, ask, sent, received);
    to.reply(answer == null ? Reply.without(Reply.Kind.NEVER) : answer);
  }

  @Override
  public void failed(long sent, long now, boolean timedOut) {
    mirror.relock();
    try {
      mirror.arrived();
      mirror.failures.failed(now);
      mirror.untold(outgoing, toSend.changes(), sent);
    } finally {
      mirror.unlock();
    }
    to.reply(store.withoutStore(mirror, ask, timedOut, now));
  }

  @Override
  public void cameLate(RemoteReply reply, long sent, long received) {
    store.learn(mirror, reply, null, sent, received);
  }

  /** What makes a reply unusable: it is then a failure, never a grant. */
  static final class ReplyCheck {
    private ReplyCheck() {}

    static @Nullable String fault(RemoteReply reply, @Nullable Ask ask) {
      if (reply.workers() < 1 || reply.cooldownMicros() < 0 || reply.guardMicros() < 0) {
        return "a reply with a negative number";
      }
      if (ask == null) {
        return reply.kind() == RemoteReply.Kind.CHANGED ? null : "a reply to something else";
      }
      return switch (reply.kind()) {
        case CHANGED -> "a reply to something else";
        case RESERVED ->
            startsFault(reply.starts(), ask.permits() + ask.ahead(), reply.state(), ask);
        default -> null;
      };
    }

    private static @Nullable String startsFault(long[] starts, int most, Snapshot state, Ask ask) {
      if (starts.length < 1 || starts.length > most) {
        return "a reply with " + starts.length + " permits; 1 to " + most + " were asked for";
      }
      for (int i = 1; i < starts.length; i++) {
        if (starts[i] < starts[i - 1]) {
          return "a reply with permits out of order";
        }
      }
      return state.limits().size() == ask.cost().length ? null : "a reply for other limits";
    }
  }
}
