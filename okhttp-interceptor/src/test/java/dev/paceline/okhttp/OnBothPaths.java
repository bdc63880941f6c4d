package dev.paceline.okhttp;

import dev.paceline.Paceline;
import dev.paceline.PacelineBuilder;
import dev.paceline.UpstreamBuilder;
import dev.paceline.okhttp.Caller.Path;
import dev.paceline.testkit.VirtualTime;
import java.io.IOException;
import java.util.function.Consumer;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What tests have in common that call a provider both blocking and enqueued, in virtual time. Each
 * is a parameterized class of all {@link Path}s.
 */
abstract class OnBothPaths {

  final Path path;
  final VirtualTime time = VirtualTime.autoAdvancing();
  Provider provider;

  OnBothPaths(Path path) {
    this.path = path;
  }

  @BeforeEach
  final void startProvider() throws IOException {
    provider = new Provider(time::nanoTime);
  }

  @AfterEach
  final void stopProvider() {
    provider.close();
  }

  /** A Paceline of one upstream, the provider, which runs callbacks on the thread that has them. */
  final Paceline paceline(Consumer<UpstreamBuilder> upstream, Consumer<PacelineBuilder> settings) {
    PacelineBuilder builder =
        Paceline.builder()
            .time(time)
            .executor(Runnable::run)
            .upstream(
                "api",
                u -> {
                  u.hosts(provider.host());
                  upstream.accept(u);
                });
    settings.accept(builder);
    return builder.build();
  }

  final Caller caller(Paceline paceline, OkHttpClient.Builder client) {
    return new Caller(time, path, paceline, client);
  }

  final Caller caller(Paceline paceline) {
    return caller(paceline, new OkHttpClient.Builder());
  }
}
