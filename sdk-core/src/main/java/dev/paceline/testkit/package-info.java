/** A virtual clock, timer and recorder with which an application tests its own throttling. */
@NullMarked
package dev.paceline.testkit;

import org.jspecify.annotations.NullMarked;
