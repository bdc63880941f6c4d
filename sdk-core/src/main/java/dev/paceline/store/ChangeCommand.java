package dev.paceline.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes on their way to the remote store. */
final class ChangeCommand implements Commands.Answer<RemoteReply> {

  private final SharedStore store;
  private final Mirror mirror;
  private final List<Outgoing> outgoing;
  final Group group;
  final Floor floor;
  final List<Change> changes;

  /** Made under the mirror's lock. */
  ChangeCommand(SharedStore store, Mirror mirror, long now) {
    this.store = store;
    this.mirror = mirror;
    mirror.departed();
    this.outgoing = mirror.outbound.take();
    this.group = mirror.group();
    Mirror.Load load = mirror.load(outgoing, store.back(now), now, store.leadNanos());
    this.floor = load.floor();
    this.changes = load.changes();
  }

  @Override
  public @Nullable String fault(RemoteReply reply) {
    return AskCommand.ReplyCheck.fault(reply, null);
  }

  @Override
  public void came(RemoteReply reply, long sent, long received) {
    mirror.relock();
    try {
      mirror.arrived();
      if (outgoing.stream().anyMatch(Outgoing.Cool.class::isInstance)) {
        mirror.cooldownStored(reply.generation());
      }
    } finally {
      mirror.unlock();
    }
    store.learn(mirror, reply, null, sent, received);
  }

  @Override
  public void failed(long sent, long now, boolean timedOut) {
    mirror.relock();
    try {
      mirror.arrived();
      mirror.failures.failed(now);
      mirror.untold(outgoing, changes, sent);
    } finally {
      mirror.unlock();
    }
    store.tellLater(mirror);
  }

  @Override
  public void cameLate(RemoteReply reply, long sent, long received) {
    store.learn(mirror, reply, null, sent, received);
  }
}
