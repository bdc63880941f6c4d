package dev.paceline.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A place outside this process where schedules live, such as Redis: what a {@code SharedStore}
 * talks to.
 *
 * <p>Every method sends at most one command, never blocks, and never throws: what goes wrong
 * completes the stage exceptionally, and then nothing is known of whether the command was executed.
 * A reply of the wrong shape is such a failure, never a grant. Instants are microseconds of the
 * remote clock. Stages complete on a thread of the remote client: whoever listens must be brief.
 */
public interface RemoteStore extends AutoCloseable {

  /** Asks for a run of permits of one group, after merging the floor and making the changes. */
  CompletionStage<RemoteReply> ask(RemoteAsk ask);

  /**
   * Asks for one permit of each of several groups of one owner, all or nothing: they are charged at
   * one instant if all conform within the quantum of the first ask, otherwise none is and each
   * reply says when its own group would start.
   */
  CompletionStage<List<RemoteReply>> askAll(List<RemoteAsk> asks);

  /** Makes changes to a group without asking for permits; the reply's kind is {@code CHANGED}. */
  CompletionStage<RemoteReply> change(Group group, Floor floor, List<Change> changes);

  /**
   * Says that this worker lives, and learns how many do. To be repeated every second.
   *
   * @param hears whether replies reach it; if not, it is not counted, for it cannot take part in
   *     what the others do together
   */
  CompletionStage<Workers> heartbeat(boolean hears);

  /** Names who hears what other workers published. At most one. */
  void subscribe(RemoteListener listener);

  /** Slots for calls in flight; empty if this store has none. */
  default Optional<RemoteLeases> leases() {
    return Optional.empty();
  }

  /** What is asked, for a log line: no credentials. */
  String describe();

  @Override
  void close();

  /**
   * The live workers.
   *
   * @param count at least 1
   * @param rank this worker's place among them in a fixed order, from 0
   */
  record Workers(int count, int rank) {}

  /** Hears what other workers published. Called on a thread of the remote client. */
  interface RemoteListener {
    /** Nobody calls for {@code micros} from now; 0 when a cooldown was ended by hand. */
    void cooldown(GroupKey group, long generation, long micros);

    /** The schedule moved by {@code micros}. */
    void moved(GroupKey group, long micros);

    /** Messages may have been missed: what is known of cooldowns should be read again. */
    void resubscribed();
  }
}
