/** Paceline's schedules shared through Redis. */
module dev.paceline.redis {
  requires static transitive org.jspecify;
  requires transitive dev.paceline.core;
  requires transitive lettuce.core;
  requires org.slf4j;
  // Lettuce has no descriptor that could ask for these, and without one they are not resolved.
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.resolver.dns;
  requires io.netty.transport;
  requires jdk.net; // the TCP keep-alive options

  exports dev.paceline.redis;
}
