/** Paceline for OkHttp. */
@NullMarked
package dev.paceline.okhttp;

import org.jspecify.annotations.NullMarked;
