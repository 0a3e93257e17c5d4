/**
 * How much controllers elsewhere may have written into the audit log, which nothing is ever removed from.
 * The built-in one is the gateway itself, and others' words must not keep out what it did.
 */

import { isBuiltin } from "#core/device/device.ts";

/** In `WINDOW_MS`, of one controller: one gone wild must not fill the disk, */
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
  /** Entries since `#since`, by kind and organization, and by kind, organization and controller. */
  readonly #written = new Map<string, number>();
  #since = 0;

  /**
   * Uses up room for one entry. What a controller notes takes none from what is said of commands.
   * @returns false when the controller, or its organization, has none left
   */
  take(kind: "note" | "report", { orgId, controllerId, at }: Writer): boolean {
    if (isBuiltin(controllerId)) return true;
    if (Math.abs(at - this.#since) >= WINDOW_MS) {
      this.#since = at;
      this.#written.clear();
    }
    const bounds = [
      [`${kind}/${orgId}`, OF_ORGANIZATION_MAX],
      [`${kind}/${orgId}/${controllerId}`, OF_CONTROLLER_MAX],
    ] as const;
    if (bounds.some(([key, max]) => this.#count(key) >= max)) return false;
    for (const [key] of bounds) this.#written.set(key, this.#count(key) + 1);
    return true;
  }

  #count(key: string): number {
    return this.#written.get(key) ?? 0;
  }
}
