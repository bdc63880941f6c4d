module app {
  requires dev.paceline.okhttp;
}
