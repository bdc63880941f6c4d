package dev.paceline.okhttp;

import static dev.paceline.okhttp.Provider.perSecond;
import static dev.paceline.okhttp.Provider.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.Paceline;
import dev.paceline.testkit.VirtualTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is logged, as it comes out of the simple logger that the tests run with. */
final class LogTest {

  private static final int CALLS = 50;

  private final VirtualTime time = VirtualTime.autoAdvancing();
  private final Provider provider = new Provider(time::nanoTime);
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private final Paceline paceline =
      Paceline.builder()
          .time(time)
          .upstream("api", u -> u.hosts(provider.host()).limit(perSecond(100)))
          .build();

  LogTest() throws IOException {}

  @BeforeEach
  void listen() {
    // Another test of this process may have been the first.
    Layers.TWO.set(false);
    Layers.HALF.set(false);
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(before);
    provider.close();
  }

  private void call(OkHttpClient client) throws IOException {
    for (int i = 0; i < CALLS; i++) {
      try (Response response = client.newCall(provider.get("/")).execute()) {
        assertThat(response.code()).isEqualTo(200);
      }
    }
  }

  private List<String> lines() {
    return logged
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains("WARN"))
        .toList();
  }

  @Test
  void a_second_paceline_on_a_call_is_logged_once_and_not_for_each_call() throws IOException {
    OkHttpClient inner = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
    OkHttpClient outer =
        PacelineOkHttp.install(new OkHttpClient.Builder(), paceline)
            .addInterceptor(chain -> inner.newCall(chain.request()).execute())
            .build();

    call(outer);

    assertThat(lines()).singleElement().asString().contains("Two Pacelines", "Install one");
  }

  @Test
  void a_second_installation_on_a_client_is_ignored_and_logged() throws IOException {
    OkHttpClient.Builder client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline);

    call(PacelineOkHttp.install(client, paceline).build());

    assertThat(lines()).singleElement().asString().contains("installed on this client already");
  }

  @Test
  void half_an_installation_is_logged_once_and_not_for_each_call() throws IOException {
    provider.answer(
        request ->
            request.getTarget().equals("/") ? status(302, "Location", "/there") : status(200));

    call(new OkHttpClient.Builder().addInterceptor(new PacelineInterceptor(paceline)).build());

    assertThat(lines()).singleElement().asString().contains("Use PacelineOkHttp.install");
  }
}
