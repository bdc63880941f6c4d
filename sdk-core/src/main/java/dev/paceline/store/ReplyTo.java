package dev.paceline.store;

/** Takes the answer to an ask. Called exactly once, on any thread, also within the asking call. */
@FunctionalInterface
public interface ReplyTo {

  /** Must be brief and must not block. */
  void reply(Reply reply);
}
