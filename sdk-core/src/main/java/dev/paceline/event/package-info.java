/** What happened, as records, and who listens. */
@NullMarked
package dev.paceline.event;

import org.jspecify.annotations.NullMarked;
