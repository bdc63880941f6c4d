package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.event.Event;
import dev.paceline.limit.Limit;
import dev.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class PermitEventsTest {

  private static final String GROUP = "api/*/*";

  private final VirtualTime time = VirtualTime.autoAdvancing();
  private final List<Event> heard = new CopyOnWriteArrayList<>();

  private final Paceline paceline =
      Paceline.builder()
          .time(time)
          .executor(Runnable::run)
          .listener(heard::add)
          .upstream("api", upstream -> upstream.limit(Limit.of(10).per(Duration.ofSeconds(1))))
          .build();

  @Test
  void a_permit_granted_at_once_is_told_without_a_wait() throws Exception {
    paceline.acquire("api");

    assertThat(heard).containsExactly(new Event.PermitGranted(GROUP, Duration.ZERO));
  }

  @Test
  void a_wait_is_told_when_it_begins_and_when_it_ends() throws Exception {
    paceline.acquire("api");
    heard.clear();

    paceline.acquire("api");

    assertThat(heard)
        .containsExactly(
            new Event.WaitBegan(GROUP, Duration.ofMillis(100)),
            new Event.PermitGranted(GROUP, Duration.ofMillis(100)));
  }
}
