package dev.paceline.examples;

import java.io.IOException;
import java.util.Optional;

/** One worker's way to call the provider; used by several threads. */
interface DemoClient extends AutoCloseable {
  /**
   * A call that ended.
   *
   * @param ok whether the provider accepted it in the end
   * @param waitNanos from asking to the request that decided it
   */
  record Ended(boolean ok, long waitNanos) {}

  /** Opens a connection. */
  void connect() throws IOException;

  /**
   * Makes one call.
   *
   * @param end when the run is over; a call that would go on beyond it is given up
   * @return empty if it was given up
   */
  Optional<Ended> call(long end) throws IOException;

  @Override
  void close();
}
