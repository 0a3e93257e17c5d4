/**
 * How much controllers elsewhere may have written into the audit log, which nothing is ever removed from.
 * The built-in one is the gateway itself, and others' words must not keep out what it did.
 */

import { isBuiltin } from "#core/device/device.ts";
import type { Transaction } from "../writer.ts";

/** In any `WINDOW_MS`, of one controller: one gone wild must not fill the disk, */
const OF_CONTROLLER_MAX = 100;
/** and of all that an organization has: their names are theirs to choose. */
const OF_ORGANIZATION_MAX = 300;
const WINDOW_MS = 3_600_000;

/** Who wants to write, and when; UTC milliseconds. */
interface Writer {
  readonly orgId: string;
  readonly controllerId: string;
  readonly at: number;
}

/** Counts entries; those of the last hour are in memory alone. */
export class ControllerRoom {
  /**
   * When entries of the last hour were written, by kind and organization, and by kind, organization and
   * controller. No more than the bounds for each, and no more controllers than an organization has entries.
   */
  readonly #written = new Map<string, readonly number[]>();
  #tidiedAt = 0;

  /**
   * Uses up room for one entry. What a controller notes takes none from what is said of commands.
   * @param tx in which it is written: undone, it has used up none
   * @returns false when the controller, or its organization, has none left
   */
  take(tx: Transaction, kind: "note" | "report", { orgId, controllerId, at }: Writer): boolean {
    if (isBuiltin(controllerId)) return true;
    this.#tidy(at);
    const bounds = [
      [`${kind}/${orgId}`, OF_ORGANIZATION_MAX],
      [`${kind}/${orgId}/${controllerId}`, OF_CONTROLLER_MAX],
    ] as const;
    if (bounds.some(([key, max]) => this.#recent(key, at).length >= max)) return false;
    for (const [key] of bounds) {
      this.#written.set(key, [...this.#recent(key, at), at]);
      tx.undone(() => this.#giveBack(key, at));
    }
    return true;
  }

  #giveBack(key: string, at: number): void {
    const written = this.#written.get(key) ?? [];
    const last = written.lastIndexOf(at);
    if (last !== -1) this.#written.set(key, written.toSpliced(last, 1));
  }

  /** A clock that was set far forgets what was written by it before. */
  #recent(key: string, now: number): readonly number[] {
    return (this.#written.get(key) ?? []).filter((at) => Math.abs(now - at) < WINDOW_MS);
  }

  /** Once an hour, so that nothing is kept of controllers that are gone. */
  #tidy(now: number): void {
    if (Math.abs(now - this.#tidiedAt) < WINDOW_MS) return;
    this.#tidiedAt = now;
    for (const key of this.#written.keys()) {
      if (this.#recent(key, now).length === 0) this.#written.delete(key);
    }
  }
}
