package dev.paceline.pace;

import dev.paceline.store.Group;

/**
 * One group that a call passes, and what it costs there.
 *
 * @param group the group
 * @param cost for each limit of the group; not to be changed
 */
public record Stage(Group group, long[] cost) {}
