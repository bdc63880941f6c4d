package dev.paceline.okhttp;

import dev.paceline.Paceline;
import java.util.List;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts Paceline into OkHttp clients. */
public final class PacelineOkHttp {

  private static final Logger log = LoggerFactory.getLogger(PacelineOkHttp.class);

  private PacelineOkHttp() {}

  /**
   * Adds Paceline to a client: before the interceptors that were added so far, so that what signs
   * requests does so after the waits. A second installation changes nothing and is logged.
   *
   * <pre>{@code
   * OkHttpClient client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
   * }</pre>
   *
   * @return the same builder
   */
  public static OkHttpClient.Builder install(OkHttpClient.Builder client, Paceline paceline) {
    if (isInstalled(client.interceptors(), paceline)) {
      log.warn("Paceline is installed on this client already; the second installation is ignored");
    } else {
      client.interceptors().add(0, new PacelineInterceptor(paceline));
    }
    // A client may have been given the interceptor alone.
    if (!isWired(client.networkInterceptors(), paceline)) {
      client.networkInterceptors().add(0, new WireInterceptor(paceline));
    }
    return client;
  }

  static boolean isInstalled(List<Interceptor> interceptors, Paceline paceline) {
    return interceptors.stream()
        .anyMatch(i -> i instanceof PacelineInterceptor own && own.paceline() == paceline);
  }

  static boolean isWired(List<Interceptor> interceptors, Paceline paceline) {
    return interceptors.stream()
        .anyMatch(i -> i instanceof WireInterceptor own && own.paceline() == paceline);
  }
}
