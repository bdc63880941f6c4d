package dev.paceline.okhttp;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says, once a process, that Paceline stands in a call's way twice, or is only half installed. */
final class Layers {

  private static final Logger log = LoggerFactory.getLogger(PacelineInterceptor.class);
  private static final AtomicBoolean TWO = new AtomicBoolean();

  private Layers() {}

  static void warnOfTwo() {
    if (TWO.compareAndSet(false, true)) {
      log.warn(
          "Two Pacelines stand on one call; the inner one lets it pass, so that limits and retries"
              + " apply once. Install one, on the outermost client");
    }
  }
}
