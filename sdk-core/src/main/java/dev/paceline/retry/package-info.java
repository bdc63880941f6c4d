/** Which failures are tried again, when, and how often. */
@NullMarked
package dev.paceline.retry;

import org.jspecify.annotations.NullMarked;
