/**
 * Tells that another connection has changed the database: the command line at the box, or a program
 * that is no part of fiscald. SQLite counts such changes.
 */

import type { Sqlite } from "./sqlite.ts";

export class OtherWriters {
  readonly #version;
  #seen: unknown;
  readonly #listeners: (() => void)[] = [];
  /** While this connection writes nobody else does. */
  #areKeptOut = false;
  /** A look counts until then: nothing has come in since. */
  #hasLooked = false;

  constructor(sqlite: Sqlite) {
    this.#version = sqlite.prepare("PRAGMA data_version").pluck();
    this.#seen = this.#version.get();
  }

  /** Calls back at the first look after a change, and again after each that a listener failed at. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Tells the listeners when there was a change since the last look. @throws what they throw */
  look(): void {
    if (this.#areKeptOut) return;
    const now = this.#version.get();
    if (now === this.#seen) return;
    for (const listener of this.#listeners) listener();
    this.#seen = now;
  }

  /**
   * The same, but looks only once while code runs without a break, as from the arrival of a request
   * to the first promise that it waits for: for whoever asks very often. The next request comes after
   * that, so what was changed before it was sent is seen.
   * @throws what a listener throws
   */
  lookOnce(): void {
    if (this.#hasLooked || this.#areKeptOut) return;
    this.look();
    this.#hasLooked = true;
    queueMicrotask(() => {
      this.#hasLooked = false;
    });
  }

  /**
   * Looks, once for all of a transaction that has begun to write.
   * @throws what a listener throws
   */
  keepOut(): void {
    this.look();
    this.#areKeptOut = true;
  }

  /** That transaction has ended. */
  letIn(): void {
    this.#areKeptOut = false;
  }
}
