package dev.paceline.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

@Tag("blocking")
class TestThreadsTest {

  @Test
  void started_thread_runs_the_task_under_its_name() throws InterruptedException {
    AtomicReference<String> seen = new AtomicReference<>();

    Thread thread = TestThreads.start("caller-1", () -> seen.set(Thread.currentThread().getName()));
    thread.join();

    assertThat(seen).hasValue("caller-1");
    assertThat(thread.isDaemon()).isTrue();
  }

  @Test
  void thread_is_virtual_exactly_when_the_property_asks_for_it(TestReporter reporter)
      throws Exception {
    Thread thread = TestThreads.unstarted("caller-2", () -> {});

    boolean virtual = TestThreads.virtual();
    reporter.publishEntry("virtual threads", Boolean.toString(virtual));
    if (Runtime.version().feature() >= 21) {
      assertThat(Thread.class.getMethod("isVirtual").invoke(thread)).isEqualTo(virtual);
    } else {
      assertThat(virtual).isFalse();
    }
  }
}
