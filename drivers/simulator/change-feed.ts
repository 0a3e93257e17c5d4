/** Tells whoever watches a simulated device that something about it has changed. */

export class ChangeFeed {
  #revision = 0;
  readonly #waiting = new Set<() => void>();

  /** Number of changes so far. */
  get revision(): number {
    return this.#revision;
  }

  /** Something has changed. */
  touch(): void {
    this.#revision += 1;
    this.nudge();
  }

  /** Wakes whoever waits although nothing has changed. */
  nudge(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Resolves at the next change, at a nudge, or when `signal` aborts. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      if (signal.aborted) {
        resolve();
        return;
      }
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake);
    });
  }
}
