package dev.paceline.store;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Slots for calls in flight that a fleet shares, for providers that cap concurrency. A slot that is
 * neither given back nor renewed for three and a half seconds is free again, so that a worker that
 * died keeps none.
 *
 * <p>Thread-safe. Every method sends at most one command for each group, never blocks and never
 * throws; what goes wrong completes the stage exceptionally, and a slot that was taken all the same
 * expires.
 */
public interface RemoteLeases {

  /**
   * A slot that was taken.
   *
   * @param group whose calls are capped
   * @param most how many may be in flight at once
   * @param id names it in the store
   */
  record Lease(GroupKey group, int most, String id) {}

  /**
   * Takes a slot if one is free and no other worker waits longer. Otherwise this worker is noted as
   * waiting, once, and is handed a slot when its turn comes. A caller that still waits asks again
   * every second or so, which keeps its place and makes up for a message that was missed.
   *
   * @param most how many may be in flight at once, at least 1
   */
  CompletionStage<Optional<Lease>> take(GroupKey group, int most);

  /** Gives a slot back; it goes to the worker that waits longest. */
  CompletionStage<Void> giveBack(Lease lease);

  /** Takes this worker out of the waiting list. */
  CompletionStage<Void> stopWaiting(GroupKey group, int most);

  /** Renews all that this worker holds. To be called every second. */
  CompletionStage<Void> renew();

  /** Names who is handed slots, on a thread of the remote client; whoever has no use gives back. */
  void listen(Consumer<Lease> handed);
}
