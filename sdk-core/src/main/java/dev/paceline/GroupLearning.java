package dev.paceline;

import dev.paceline.feedback.Resync;
import dev.paceline.store.Group;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What the responses to one group's requests have taught so far. Thread-safe. */
final class GroupLearning {

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final GuardLearner guard;
  private final RateLearner rate;
  private final OtherUse others = new OtherUse();
  private @Nullable String bucket;
  private boolean resynced;
  private long resyncedBySent;

  GroupLearning(Group group, long nowNanos) {
    long longest = 1;
    for (var limit : group.limits()) {
      longest = Math.max(longest, limit.periodMicros() / limit.permits());
    }
    guard = new GuardLearner(longest);
    rate = new RateLearner(nowNanos);
  }

  /**
   * A call of this worker was answered, and says nothing of the schedule.
   *
   * @param used whether it used the provider's quota
   */
  void answered(boolean used) {
    lock.lock();
    try {
      others.called(used);
    } finally {
      lock.unlock();
    }
  }

  /**
   * A call was answered that was sent on schedule.
   *
   * @param used whether it used the provider's quota
   * @return the guard that the group should have now, in microseconds, if another than {@code
   *     shared}
   */
  OptionalLong guard(boolean refused, boolean used, long shared) {
    lock.lock();
    try {
      others.called(used);
      return guard.after(refused, shared);
    } finally {
      lock.unlock();
    }
  }

  /** A call was answered where no limit is configured; the learned rate a second, if it changed. */
  Optional<Double> rate(boolean refused, boolean used, long sentNanos, long nowNanos) {
    lock.lock();
    try {
      others.called(used);
      return rate.after(refused, sentNanos, nowNanos)
          ? Optional.of(rate.perSecond())
          : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether counters tell something new of this group: those of an older request than the last do
   * not, nor do those of another bucket of the provider.
   */
  boolean takes(Resync counters, Optional<String> bucketTold, long sentNanos) {
    String told = bucketTold.orElse(counters.name());
    lock.lock();
    try {
      if (bucket == null) {
        bucket = told;
      }
      if (!bucket.equals(told) || (resynced && sentNanos - resyncedBySent < 0)) {
        return false;
      }
      resynced = true;
      resyncedBySent = sentNanos;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * How much of what the provider has left is for this fleet: all but what others use until the
   * reset, but a tenth at least, for others may stop.
   *
   * @param left what the provider has left beyond the permits that are reserved
   */
  long ours(long left, Resync counters, long lastingNanos, long nowNanos, int workers) {
    lock.lock();
    try {
      long theirs = others.until(counters.remaining(), lastingNanos, nowNanos, workers);
      return Math.max(left - theirs, (left + 9) / 10);
    } finally {
      lock.unlock();
    }
  }
}
