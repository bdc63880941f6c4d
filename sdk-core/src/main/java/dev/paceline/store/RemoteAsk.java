package dev.paceline.store;

import java.util.List;

/**
 * An {@link Ask} as it goes to a remote store.
 *
 * @param ask what is wanted; its {@code lateMicros} is applied before anything is reserved
 * @param floor what this worker remembers, restored first if the store has lost it
 * @param changes made before anything is reserved, in order
 */
public record RemoteAsk(Ask ask, Floor floor, List<Change> changes) {}
