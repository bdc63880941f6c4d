package dev.paceline.benchmarks.outage;

import dev.paceline.redis.testing.FaultyProxy;
import dev.paceline.redis.testing.RedisSentinel;
import dev.paceline.redis.testing.RedisServer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One way in which a Redis fails and comes back. */
enum Fault {
  KILLED_AND_RESTARTED_EMPTY {
    @Override
    void begin(Site site) {
      site.server().kill();
    }

    @Override
    void end(Site site) {
      site.server().restart();
    }
  },
  CLIENTS_PAUSED {
    @Override
    void begin(Site site) {
      long millis = site.lasting().toMillis();
      site.server().call("CLIENT", "PAUSE", Long.toString(millis), "ALL");
    }

    @Override
    void end(Site site) {}
  },
  PROCESS_STOPPED {
    @Override
    void begin(Site site) {
      site.server().pause();
    }

    @Override
    void end(Site site) {
      site.server().resume();
    }
  },
  BLACK_HOLE {
    @Override
    void begin(Site site) {
      site.proxy().swallowRequests();
    }
  },
  REPLIES_100_MS_LATE {
    @Override
    void begin(Site site) {
      site.proxy().delayReplies(Duration.ofMillis(100));
    }
  },
  ONE_REPLY_IN_TEN_LOST {
    @Override
    void begin(Site site) {
      site.proxy().dropEveryReply(10);
    }
  },
  RUBBISH {
    @Override
    void begin(Site site) {
      site.proxy().answerRubbish();
    }
  },
  OUT_OF_MEMORY {
    @Override
    void begin(Site site) {
      site.server().call("CONFIG", "SET", "maxmemory-policy", "noeviction");
      site.server().call("CONFIG", "SET", "maxmemory", "1");
    }

    @Override
    void end(Site site) {
      site.server().call("CONFIG", "SET", "maxmemory", "0");
    }
  },
  FAILED_OVER {
    @Override
    boolean needsSentinel() {
      return true;
    }

    @Override
    void begin(Site site) {
      site.failOver();
    }

    @Override
    void end(Site site) {
      site.failOver();
    }
  },
  FLAPPING {
    @Override
    int times() {
      return 15;
    }

    @Override
    Duration lasting(Duration asked) {
      return asked.dividedBy(5);
    }

    @Override
    void begin(Site site) {
      site.server().kill();
    }

    @Override
    void end(Site site) {
      site.server().restart();
    }
  };

  /** What can be made to fail. */
  record Site(
      RedisServer server, FaultyProxy proxy, @Nullable RedisSentinel sentinel, Duration lasting) {

    void failOver() {
      if (sentinel != null) {
        sentinel.failOver();
      }
    }
  }

  abstract void begin(Site site);

  void end(Site site) {
    site.proxy().pass();
  }

  boolean needsSentinel() {
    return false;
  }

  /** How many times it comes and goes. */
  int times() {
    return 1;
  }

  Duration lasting(Duration asked) {
    return asked;
  }
}
