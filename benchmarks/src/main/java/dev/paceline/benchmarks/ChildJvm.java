package dev.paceline.benchmarks;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A main class of this program in a process of its own, spoken to in lines. */
final class ChildJvm implements AutoCloseable {

  private final Process process;
  private final BufferedReader out;
  private final BufferedWriter in;

  private ChildJvm(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.in = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Starts it with this process's class path. */
  static ChildJvm start(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-Djava.net.preferIPv4Stack=true"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** The next line that it says. */
  String read() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("a child process ended");
    }
    return line;
  }

  void write(String line) throws IOException {
    in.write(line);
    in.newLine();
    in.flush();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
