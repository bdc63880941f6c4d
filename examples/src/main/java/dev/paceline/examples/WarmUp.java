package dev.paceline.examples;

import dev.paceline.UpstreamBuilder;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.CallOptions;
import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import okhttp3.Call;
import okhttp3.Dns;
import okhttp3.Request;

/**
 * Runs some calls to a provider in this process, so that the classes on a call's way are loaded
 * before calls are measured: the first of a process take some hundred milliseconds more, longer
 * than a provider's tolerance for late permits.
 */
final class WarmUp {
  private static final String HOST = "warm-up.invalid";
  private static final int CALLERS = 4;
  private static final long CALLS = 200;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  private WarmUp() {}

  /** The upstream of these calls. */
  static void describe(UpstreamBuilder upstream) {
    upstream.hosts(HOST).limit(Limit.of(2_000).per(Duration.ofSeconds(1)));
  }

  /** Knows the host of these calls beside all others. */
  static Dns dns() {
    return host ->
        host.equals(HOST) ? List.of(InetAddress.getLoopbackAddress()) : Dns.SYSTEM.lookup(host);
  }

  static void run(TimeSource time, Call.Factory calls, boolean async)
      throws IOException, InterruptedException {
    // A schedule of its own, for no other process is to pace it.
    CallOptions options =
        CallOptions.standard().owner(UUID.randomUUID().toString()).maxWait(LONGEST_WAIT);
    try (StrictProvider provider = StrictProvider.start(time, 1_000_000, 1_000)) {
      Request.Builder request = Charges.charge(provider);
      request.url(request.build().url().newBuilder().host(HOST).build());
      Load.Plan plan =
          new Load.Plan(CALLERS, CALLS, Optional.of(LONGEST_WAIT), Optional.empty(), async);
      new Load(time, new Tally(), plan, calls, request.build(), options).run();
    }
  }
}
