/** What a response says about limits. */
@NullMarked
package dev.paceline.feedback;

import org.jspecify.annotations.NullMarked;
