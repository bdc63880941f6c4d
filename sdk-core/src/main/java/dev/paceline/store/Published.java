package dev.paceline.store;

/** Hears for a {@link SharedStore} what other workers published. */
record Published(SharedStore store) implements RemoteStore.RemoteListener {

  @Override
  public void cooldown(GroupKey group, long generation, long micros) {
    store.published(group, generation, micros);
  }

  @Override
  public void moved(GroupKey group, long micros) {
    store.publishedMove(group, micros);
  }

  @Override
  public void resubscribed() {
    store.readAgain();
  }
}
