package dev.paceline.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import okhttp3.OkHttp;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;

/** Shows that the tests run on the OkHttp that the build says. */
class OkHttpVersionTest {
  @StartStop final MockWebServer server = new MockWebServer();

  @Test
  void call_is_answered_on_the_version_that_the_build_names() throws Exception {
    server.enqueue(new MockResponse.Builder().body(OkHttp.VERSION).build());
    Request request = new Request.Builder().url(server.url("/")).build();

    try (Response response = new OkHttpClient().newCall(request).execute()) {
      assertThat(response.body().string())
          .isEqualTo(System.getProperty("paceline.test.okhttpVersion"));
    }
  }
}
