module app {
  requires dev.paceline.core;
}
