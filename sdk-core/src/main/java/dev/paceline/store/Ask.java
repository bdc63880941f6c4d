package dev.paceline.store;

/**
 * A worker's request for a run of permits of one group.
 *
 * @param group which schedule
 * @param cost what each permit of the run charges, for each limit of the group; not to be changed
 * @param permits how many are wanted, 1 to 512; fewer may come
 * @param quantumMicros permits that start later than this after the first are left for later
 * @param latestMicros the first start is refused, and nothing charged, if it is more than this
 *     after now; {@link Long#MAX_VALUE} for any wait
 * @param ahead how many more may come for callers who are expected within the quantum; permits and
 *     these together 512 at most. They come after the others and only if all start at once; a store
 *     charges them as if they were sent at the quantum's end, or gives none
 * @param lateMicros by how much the schedule moves first, because permits were used late; 0 or more
 */
public record Ask(
    Group group,
    long[] cost,
    int permits,
    int ahead,
    long quantumMicros,
    long latestMicros,
    long lateMicros) {

  /** The largest run that one ask may reserve. */
  public static final int MAX_PERMITS = 512;

  /** An ask for none ahead. */
  public Ask(
      Group group,
      long[] cost,
      int permits,
      long quantumMicros,
      long latestMicros,
      long lateMicros) {
    this(group, cost, permits, 0, quantumMicros, latestMicros, lateMicros);
  }
}
