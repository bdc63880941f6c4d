package dev.paceline.redis.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A real Redis server on a free port of this machine, without persistence. It ends when it is
 * closed, and also with this process, however that ends.
 */
public final class RedisServer implements AutoCloseable {
  /** The shell lives as long as its input, which this process holds; it takes the server along. */
  private static final String LAUNCHER =
      "log=$1; shift; \"$@\" >>\"$log\" 2>&1 </dev/null & echo $!; cat >/dev/null; kill -9 $!";

  private static final String CONFIGURATION = "redis.conf";

  private final int port;
  private final Path directory;
  private final List<String> options;
  private Process launcher;
  private long pid;

  private RedisServer(int port, Path directory, List<String> options) {
    this.port = port;
    this.directory = directory;
    this.options = options;
  }

  private static final class Shared {
    static final RedisServer SERVER = start();
  }

  /** One server for all tests of this process that neither stop nor flush nor configure it. */
  public static RedisServer shared() {
    return Shared.SERVER;
  }

  /** Starts a server, with more options as on its command line: {@code "--maxmemory", "4mb"}. */
  public static RedisServer start(String... options) {
    return start(List.of(), options);
  }

  /** Starts a server that first reads a configuration file of these lines. */
  static RedisServer start(List<String> configuration, String... options) {
    try {
      Path directory = Files.createTempDirectory("paceline-redis-");
      if (!configuration.isEmpty()) {
        Files.write(directory.resolve(CONFIGURATION), configuration);
      }
      for (int attempt = 1; ; attempt++) {
        RedisServer server = new RedisServer(freePort(), directory, List.of(options));
        try {
          server.launch();
          return server;
        } catch (IllegalStateException e) {
          // Another process may have taken the port since it was found free.
          if (attempt == 3 || !server.logText().contains("Address already in use")) {
            throw e;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Below the ports that the system gives out, and so that the cluster bus port is free too. */
  static int freePort() {
    for (int attempt = 0; attempt < 1_000; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(11_000, 22_000);
      if (isFree(port) && isFree(port + 10_000)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port between 11000 and 22000");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void launch() {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", "-c", LAUNCHER, "sh", log().toString()));
    command.add(RedisBinary.path().toString());
    if (Files.exists(directory.resolve(CONFIGURATION))) {
      command.add(directory.resolve(CONFIGURATION).toString());
    }
    command.addAll(List.of("--port", "" + port, "--bind", "127.0.0.1", "--dir", "" + directory));
    if (!options.contains("--sentinel")) {
      command.addAll(List.of("--save", "", "--appendonly", "no"));
    }
    command.addAll(options);
    try {
      launcher = new ProcessBuilder(command).start();
      pid = Long.parseLong(launcher.inputReader().readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await("Redis on port " + port + " answers", Duration.ofSeconds(20), this::answers);
  }

  private boolean answers() {
    if (!ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)) {
      throw new IllegalStateException("the Redis server ended at once:\n" + logText());
    }
    try {
      return call("PING").equals("PONG");
    } catch (UncheckedIOException e) {
      return false;
    } catch (IllegalStateException e) {
      // It may want a password, or TLS, or be loading; it is there.
      return true;
    }
  }

  private Path log() {
    return directory.resolve("log");
  }

  private String logText() {
    try {
      return Files.readString(log());
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Waits until a condition holds; fails with its name if it does not. */
  public static void await(String what, Duration atMost, BooleanSupplier condition) {
    long end = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("after " + atMost + " not yet: " + what);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting until " + what, e);
      }
    }
  }

  /** The port, on 127.0.0.1; the same after a restart. */
  public int port() {
    return port;
  }

  /** {@code redis://127.0.0.1:port}. */
  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** Sends one command on a connection of its own; see {@link RawRedis#call}. */
  public Object call(String... command) {
    return RawRedis.once(port, command);
  }

  /** The keys that match a pattern, from SCAN. */
  public List<String> keys(String pattern) {
    List<String> keys = new ArrayList<>();
    String cursor = "0";
    try (RawRedis redis = new RawRedis(port)) {
      do {
        List<?> page = (List<?>) redis.call("SCAN", cursor, "MATCH", pattern, "COUNT", "1000");
        cursor = (String) page.get(0);
        ((List<?>) page.get(1)).forEach(key -> keys.add((String) key));
      } while (!cursor.equals("0"));
    }
    return keys;
  }

  /** Kills it as {@code kill -9} does; what it stored is gone. */
  public void kill() {
    signal("KILL");
    await(
        "the server is gone",
        Duration.ofSeconds(5),
        () -> !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
    launcher.destroy();
  }

  /** Starts it again on the same port after {@link #kill}, empty. */
  public void restart() {
    launch();
  }

  /** SIGSTOP: connections stay open, nothing is answered. */
  public void pause() {
    signal("STOP");
  }

  /** SIGCONT. */
  public void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The state of the process as Linux names it: {@code S} sleeping, {@code T} stopped. */
  char processState() {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
