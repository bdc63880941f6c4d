package app;

import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import java.time.Duration;

/** The smallest application on the module path. */
public final class Main {
  public static void main(String[] args) throws Exception {
    try (Paceline paceline =
        Paceline.builder()
            .upstream("api", u -> u.limit(Limit.of(100).per(Duration.ofSeconds(1))))
            .build()) {
      paceline.acquire("api").sent();
      System.out.println(paceline.getClass().getModule() + " starts");
    }
  }
}
