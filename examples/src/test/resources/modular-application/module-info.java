module app {
  requires dev.paceline.okhttp;
  requires dev.paceline.redis;
}
