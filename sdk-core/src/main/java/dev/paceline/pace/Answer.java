package dev.paceline.pace;

import dev.paceline.store.Ask;
import dev.paceline.store.Reply;
import dev.paceline.store.ReplyTo;
import org.jspecify.annotations.Nullable;

/** Takes one answer, once: within the asking call, or later on a thread of the store. */
final class Answer implements ReplyTo {

  private final Pacer pacer;
  private final Ask ask;
  private boolean asked;
  private @Nullable Reply early;

  Answer(Pacer pacer, Ask ask) {
    this.pacer = pacer;
    this.ask = ask;
  }

  @Override
  public void reply(Reply reply) {
    synchronized (this) {
      if (!asked) {
        early = reply;
        return;
      }
    }
    Outbox out = new Outbox();
    pacer.take(ask, reply, out);
    pacer.run(out);
  }

  /** Called when the asking call has returned; takes up the answer if it is there. */
  boolean cameAtOnce(Outbox out) {
    Reply reply;
    synchronized (this) {
      asked = true;
      reply = early;
    }
    if (reply == null) {
      return false;
    }
    pacer.take(ask, reply, out);
    return true;
  }
}
