package dev.paceline;

import dev.paceline.event.EventListener;
import dev.paceline.limit.InFlight;
import dev.paceline.pace.Pacers;
import dev.paceline.store.GroupKey;
import dev.paceline.store.LocalStore;
import dev.paceline.store.ScheduleStore;
import dev.paceline.time.TimeSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What every scope of a Paceline works with.
 *
 * @param local the store, if it is in this process: then a free permit needs no queue
 * @param holds what holds all calls of an upstream
 * @param probes lets one go first after a cooldown
 * @param spent the groups that wait for a spent quota
 * @param completions runs callbacks
 * @param lines logs refusals and what is learned
 * @param maxWaitNanos the longest wait where a call sets none
 * @param inFlight how many calls of a group may be in flight
 */
record Engine(
    TimeSource time,
    ScheduleStore store,
    @Nullable LocalStore local,
    Pacers pacers,
    Holds holds,
    Probes probes,
    SpentQuotas spent,
    Executor completions,
    EventListener events,
    Counters counters,
    Lines lines,
    long maxWaitNanos,
    Function<GroupKey, Optional<InFlight>> inFlight) {}
