/**
 * Limits, schedules, rules, feedback and retries.
 *
 * <p>The pacer is not exported: it is reached through the facade.
 */
module dev.paceline.core {
  requires static transitive org.jspecify;
  requires org.slf4j;
  requires com.github.benmanes.caffeine;
  requires dev.failsafe.core;

  exports dev.paceline;
  exports dev.paceline.event;
  exports dev.paceline.feedback;
  exports dev.paceline.limit;
  exports dev.paceline.retry;
  exports dev.paceline.rule;
  exports dev.paceline.store;
  exports dev.paceline.testkit;
  exports dev.paceline.time;
}
