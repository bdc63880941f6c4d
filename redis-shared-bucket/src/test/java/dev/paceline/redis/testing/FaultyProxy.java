package dev.paceline.redis.testing;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A TCP proxy in front of a Redis server that can go wrong in the ways that a network and a server
 * do. A change of its fault holds at once, for open connections too.
 */
public final class FaultyProxy implements AutoCloseable {
  private static final byte[] DROP = {};
  private static final String[] RUBBISH = {
    "+OK\r\n",
    ":-1\r\n",
    "$-1\r\n",
    "*0\r\n",
    "*-1\r\n",
    "*2\r\n:1\r\n$3\r\nabc\r\n",
    "-ERR rubbish\r\n",
    "$5\r\n\u0000\u0001\u0002}{\r\n",
    "*3\r\n:1\r\n:99999999999999\r\n:0\r\n",
  };

  private final ServerSocket listener;
  private volatile int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong replies = new AtomicLong();

  private volatile boolean closed;
  private volatile boolean refusing;
  private volatile boolean swallowingRequests;
  private volatile ReplyFault fault = (reply, number) -> reply;
  private volatile long delayNanos;

  /** What becomes of a reply. */
  @FunctionalInterface
  private interface ReplyFault {
    byte[] apply(byte[] reply, long number);
  }

  private record Delayed(byte[] reply, long due) {}

  private FaultyProxy(int target) {
    this.target = target;
    try {
      listener = new ServerSocket();
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start("accept", this::accept);
  }

  /** A proxy on a port of its own, which passes everything on until it is told otherwise. */
  public static FaultyProxy before(RedisServer server) {
    return new FaultyProxy(server.port());
  }

  /** {@code redis://127.0.0.1:port}. */
  public String uri() {
    return "redis://127.0.0.1:" + port();
  }

  /** The port it listens on. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Ends all faults. What was swallowed is not made up for. */
  public void pass() {
    refusing = false;
    swallowingRequests = false;
    delayNanos = 0;
    fault = (reply, number) -> reply;
  }

  /** Black hole on the way there: connections stay, the server never sees a command. */
  public void swallowRequests() {
    swallowingRequests = true;
  }

  /** Black hole on the way back: the server executes, nobody learns of it. */
  public void swallowReplies() {
    fault = (reply, number) -> DROP;
  }

  /** Each reply comes that much later; their order and their distances stay. */
  public void delayReplies(Duration by) {
    delayNanos = by.toNanos();
  }

  /** Every n-th reply is lost; those after it are taken for answers to earlier commands. */
  public void dropEveryReply(int n) {
    fault = (reply, number) -> number % n == 0 ? DROP : reply;
  }

  /** Only the next reply is lost. */
  public void dropNextReply() {
    AtomicBoolean dropped = new AtomicBoolean();
    fault = (reply, number) -> isAnswer(reply) && dropped.compareAndSet(false, true) ? DROP : reply;
  }

  /** Not what another connection is greeted with, nor its subscription. */
  private static boolean isAnswer(byte[] reply) {
    String text = new String(reply, StandardCharsets.ISO_8859_1);
    return !text.contains("subscribe")
        && !text.startsWith("%")
        && !text.startsWith("-")
        && !text.startsWith("+OK");
  }

  /** Every reply is replaced by some other well-formed one. */
  public void answerRubbish() {
    fault =
        (reply, number) ->
            RUBBISH[(int) (number % RUBBISH.length)].getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Every reply is replaced by this one, given as it is on the wire. */
  public void answer(String wire) {
    fault = (reply, number) -> wire.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Resets all connections; new ones are reset too until {@link #pass}. */
  public void refuse() {
    refusing = true;
    reset();
  }

  /** Resets all connections; new ones are served. */
  public void reset() {
    open.forEach(FaultyProxy::abort);
  }

  /** Resets all connections; new ones lead to another server. */
  public void moveTo(RedisServer server) {
    target = server.port();
    reset();
  }

  /** Replies that the server gave so far. */
  public long replies() {
    return replies.get();
  }

  /** Pieces of requests that arrived so far. */
  public long requests() {
    return requests.get();
  }

  private void accept() {
    while (!closed) {
      try {
        Socket client = listener.accept();
        if (refusing) {
          abort(client);
        } else {
          serve(client);
        }
      } catch (IOException e) {
        if (!closed) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void serve(Socket client) {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
      open.add(client);
      open.add(server);
      BlockingQueue<Delayed> queue = new LinkedBlockingQueue<>();
      start("requests", () -> quietly(client, server, () -> passRequests(client, server)));
      start("replies", () -> quietly(client, server, () -> readReplies(server, queue)));
      start("late replies", () -> quietly(client, server, () -> passReplies(client, queue)));
    } catch (IOException e) {
      abort(client);
    }
  }

  private void passRequests(Socket client, Socket server) throws IOException {
    byte[] buffer = new byte[65_536];
    InputStream in = client.getInputStream();
    OutputStream out = server.getOutputStream();
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      requests.incrementAndGet();
      if (!swallowingRequests) {
        out.write(buffer, 0, count);
      }
    }
  }

  private void readReplies(Socket server, BlockingQueue<Delayed> queue) throws IOException {
    RespReader reader = new RespReader(new BufferedInputStream(server.getInputStream()));
    for (byte[] reply = reader.next(); reply != null; reply = reader.next()) {
      byte[] passed = fault.apply(reply, replies.incrementAndGet());
      if (passed.length > 0) {
        queue.add(new Delayed(passed, System.nanoTime() + delayNanos));
      }
    }
  }

  private void passReplies(Socket client, BlockingQueue<Delayed> queue)
      throws IOException, InterruptedException {
    OutputStream out = client.getOutputStream();
    while (true) {
      Delayed next = queue.poll(1, TimeUnit.SECONDS);
      if (client.isClosed()) {
        return;
      }
      if (next != null) {
        TimeUnit.NANOSECONDS.sleep(next.due - System.nanoTime());
        out.write(next.reply);
      }
    }
  }

  @FunctionalInterface
  private interface Traffic {
    void run() throws IOException, InterruptedException;
  }

  private void quietly(Socket client, Socket server, Traffic traffic) {
    try {
      traffic.run();
    } catch (IOException e) {
      // Either side went; so does the other.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
      open.remove(server);
      abort(client);
      abort(server);
    }
  }

  private static void abort(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It is closed already.
    }
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, "faulty proxy: " + name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    closed = true;
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    reset();
  }
}
