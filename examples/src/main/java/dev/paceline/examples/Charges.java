package dev.paceline.examples;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** The requests of the demo. */
final class Charges {
  static final String ROUTE = "/v1/charges";

  private static final MediaType JSON = MediaType.get("application/json");

  private Charges() {}

  /** OkHttp as it comes, but with a kept connection for each caller. */
  static OkHttpClient.Builder client(int callers) {
    return new OkHttpClient.Builder()
        .connectionPool(new ConnectionPool(callers, 5, TimeUnit.MINUTES));
  }

  static Request.Builder charge(StrictProvider provider) {
    return new Request.Builder()
        .url(provider.url(ROUTE))
        .post(RequestBody.create("{\"amount\":1999}", JSON));
  }

  /** A request that is free, to open a connection. */
  static Request.Builder ready(StrictProvider provider) {
    return new Request.Builder().url(provider.url(StrictProvider.UNJUDGED));
  }

  /** Sends a request and reads the answer to its end. */
  static int status(OkHttpClient client, Request request) throws IOException {
    try (Response response = client.newCall(request).execute()) {
      response.body().bytes();
      return response.code();
    }
  }

  static void close(OkHttpClient client) {
    client.dispatcher().executorService().shutdown();
    client.connectionPool().evictAll();
  }
}
