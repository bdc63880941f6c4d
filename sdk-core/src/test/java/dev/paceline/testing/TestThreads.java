package dev.paceline.testing;

import java.lang.reflect.InvocationTargetException;

/**
 * Threads for tests that block: platform threads, or virtual ones where the system property {@value
 * #VIRTUAL} is {@code true}. They are daemons, so that a hanging test cannot keep its process.
 */
public final class TestThreads {
  /** Set where the tests tagged {@code blocking} run on virtual threads. */
  public static final String VIRTUAL = "paceline.test.virtualThreads";

  private TestThreads() {}

  /** Whether {@link #start} makes virtual threads. */
  public static boolean virtual() {
    return Boolean.getBoolean(VIRTUAL);
  }

  /** Starts a thread of that name. */
  public static Thread start(String name, Runnable task) {
    Thread thread = unstarted(name, task);
    thread.start();
    return thread;
  }

  /** Makes a thread of that name; the caller starts it. */
  public static Thread unstarted(String name, Runnable task) {
    if (virtual()) {
      return virtualThread(name, task);
    }
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** By reflection, since these sources are compiled for Java 17. */
  private static Thread virtualThread(String name, Runnable task) {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      builder = type.getMethod("name", String.class).invoke(builder, name);
      return (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, task);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("this JDK made no virtual thread", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(VIRTUAL + " is set, but this JDK has no virtual threads", e);
    }
  }
}
