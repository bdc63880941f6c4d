package dev.paceline.event;

enum NoListener implements EventListener {
  INSTANCE;

  @Override
  public void on(Event event) {}
}
