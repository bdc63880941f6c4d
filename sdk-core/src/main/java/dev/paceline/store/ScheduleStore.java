package dev.paceline.store;

import java.time.Duration;

/**
 * Where schedules live and are decided.
 *
 * <p>Thread-safe. No method blocks on the network; none throws for anything that a remote side
 * does.
 */
public interface ScheduleStore extends AutoCloseable {

  /**
   * Asks for a run of permits. Every ask is answered exactly once, within the store's command
   * timeout; a store that cannot decide answers by its outage policy.
   */
  void ask(Ask ask, ReplyTo to);

  /**
   * How long a call would wait at the least, as far as is known here without asking: never more
   * than the truth, except that others may give back.
   *
   * @param ahead the cost, for each limit, of the callers that go first
   * @param cost the call's own cost for each limit
   * @return nanoseconds from now, 0 or more; {@link #NEVER} if the cost exceeds a capacity
   */
  long waitNanos(Group group, long[] ahead, long[] cost);

  /** The answer of {@link #waitNanos} for a cost that no wait can satisfy. */
  long NEVER = Long.MAX_VALUE;

  /**
   * Nobody calls for {@code lasting} from now. Kept if longer than what is known already, otherwise
   * ignored; told to every worker. After it the schedule resumes at its pace, without a saved
   * burst.
   */
  void cooldown(Group group, Duration lasting);

  /** Ends a cooldown, in every worker. */
  void clearCooldown(Group group);

  /** Moves the schedule by {@code micros}, because permits were used late; tells every worker. */
  void late(Group group, long micros);

  /**
   * Corrects what a permit was charged.
   *
   * @param start the permit's start, as replied
   * @param delta for each limit, what is charged in addition; negative gives back
   */
  void settle(Group group, long start, long[] delta);

  /**
   * Slows the schedule until {@code lasting} from now to at most {@code permits} in that time,
   * unless it is slower already.
   *
   * @param permits 0 or more; 0 holds everything until then
   */
  void slow(Group group, int limit, long permits, Duration lasting);

  /** Adds {@code extra} to the interval of every request of the group; zero takes it away. */
  void guard(Group group, Duration extra);

  /** Tells the store who wants to know what other workers learned. */
  void listen(StoreListener listener);

  /** Counts the calls in flight. */
  Slots slots();

  /** What is stored of the group, for people and for tests. */
  GroupView view(Group group);

  @Override
  void close();
}
