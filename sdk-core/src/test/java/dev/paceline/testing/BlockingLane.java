package dev.paceline.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs a module's tests tagged {@code blocking} once more in a process of its own, on the newest
 * JDK here, where {@link TestThreads} are virtual. Where no JDK has virtual threads they run on the
 * newest one all the same, on platform threads.
 */
public final class BlockingLane {
  private static final long TIMEOUT_MINUTES = 10;
  private static final Pattern SUCCESSFUL = Pattern.compile("(\\d+) tests successful");

  private BlockingLane() {}

  /**
   * What came of a run.
   *
   * @param jdk where it ran
   * @param exitCode 0 if every test passed
   * @param successful how many tests passed
   * @param output all that the process printed
   */
  public record Result(Jdk jdk, int exitCode, int successful, String output) {}

  /**
   * Runs them.
   *
   * @param testClasses the folder of the module's compiled tests
   * @return what came of it
   * @throws IOException if the process cannot be started or read
   * @throws InterruptedException if this thread is interrupted meanwhile
   */
  public static Result run(Path testClasses) throws IOException, InterruptedException {
    Jdk jdk = Jdk.newest();
    Path output = Files.createTempFile("blocking-lane", ".txt");
    try {
      Process process =
          new ProcessBuilder(command(jdk, testClasses))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly().waitFor();
      }
      String printed = Files.readString(output, UTF_8);
      Matcher matcher = SUCCESSFUL.matcher(printed);
      int successful = matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
      return new Result(jdk, process.exitValue(), successful, printed);
    } finally {
      Files.delete(output);
    }
  }

  private static List<String> command(Jdk jdk, Path testClasses) {
    List<String> command = new ArrayList<>(List.of(jdk.java().toString(), "-Xmx1g"));
    command.add("-XX:+UseSerialGC");
    if (jdk.hasVirtualThreads()) {
      command.add("-D" + TestThreads.VIRTUAL + "=true");
    }
    if (jdk.feature() >= 24) {
      // With one carrier and no spare, a thread that pins it while it waits stops all others.
      // Before
      // 24 any monitor of any library pins, which says nothing about this code.
      command.add("-Djdk.virtualThreadScheduler.parallelism=1");
      command.add("-Djdk.virtualThreadScheduler.maxPoolSize=1");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("org.junit.platform.console.ConsoleLauncher", "execute"));
    command.addAll(List.of("--scan-classpath", testClasses.toString()));
    command.addAll(List.of("--include-classname", ".*(Test|IT)$", "--include-tag", "blocking"));
    command.addAll(List.of("--fail-if-no-tests", "--disable-banner", "--details", "tree"));
    command.add("--disable-ansi-colors");
    return command;
  }
}
