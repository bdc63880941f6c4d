/** Paceline for OkHttp. */
module dev.paceline.okhttp {
  requires static transitive org.jspecify;
  requires transitive dev.paceline.core;
  requires transitive okhttp3;
  requires org.slf4j;

  exports dev.paceline.okhttp;
}
