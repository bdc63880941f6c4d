package dev.paceline;

import dev.paceline.event.EventListener;
import dev.paceline.pace.Pacers;
import dev.paceline.store.LocalStore;
import dev.paceline.store.ScheduleStore;
import dev.paceline.time.TimeSource;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What every scope of a Paceline works with.
 *
 * @param local the store, if it is in this process: then a free permit needs no queue
 * @param completions runs callbacks
 * @param maxWaitNanos the longest wait where a call sets none
 */
record Engine(
    TimeSource time,
    ScheduleStore store,
    @Nullable LocalStore local,
    Pacers pacers,
    Executor completions,
    EventListener events,
    Counters counters,
    long maxWaitNanos) {}
