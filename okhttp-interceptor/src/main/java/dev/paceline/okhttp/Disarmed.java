package dev.paceline.okhttp;

import java.io.IOException;
import okhttp3.Authenticator;
import okhttp3.Interceptor.Chain;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.Route;
import org.jspecify.annotations.Nullable;

/**
 * A chain on which OkHttp does not repeat failed requests by itself, nor ask for ever who we are.
 */
final class Disarmed {

  /** How often one request is sent again with new credentials. */
  static final int MOST_CHALLENGES = 3;

  private Disarmed() {}

  static Chain of(Chain chain) {
    Chain disarmed =
        chain.getRetryOnConnectionFailure() ? chain.withRetryOnConnectionFailure(false) : chain;
    if (chain.getAuthenticator() != Authenticator.NONE) {
      disarmed = disarmed.withAuthenticator(new Bounded(chain.getAuthenticator()));
    }
    if (chain.getProxyAuthenticator() != Authenticator.NONE) {
      disarmed = disarmed.withProxyAuthenticator(new Bounded(chain.getProxyAuthenticator()));
    }
    return disarmed;
  }

  /**
   * A record, because OkHttp shares connections between calls whose proxy authenticator is equal.
   */
  private record Bounded(Authenticator authenticator) implements Authenticator {

    @Override
    public @Nullable Request authenticate(@Nullable Route route, Response response)
        throws IOException {
      int challenges = 0;
      for (Response earlier = response.priorResponse();
          earlier != null && earlier.code() == response.code();
          earlier = earlier.priorResponse()) {
        challenges++;
      }
      return challenges >= MOST_CHALLENGES ? null : authenticator.authenticate(route, response);
    }
  }
}
