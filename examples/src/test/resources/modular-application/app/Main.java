package app;

import dev.paceline.limit.Limit;
import java.time.Duration;

/** The smallest application on the module path. */
public final class Main {
  public static void main(String[] args) {
    Limit limit = Limit.of(100).per(Duration.ofSeconds(1));
    System.out.println(limit.getClass().getModule() + " starts");
  }
}
