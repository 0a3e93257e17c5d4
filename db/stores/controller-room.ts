/** How much controllers may have written into the audit log, which nothing is ever removed from. */

/** In `WINDOW_MS`, of one controller: one gone wild must not fill the disk, */
const OF_CONTROLLER_MAX = 100;
/** and of all that an organization has: their names are theirs to choose. */
const OF_ORGANIZATION_MAX = 300;
const WINDOW_MS = 3_600_000;

/** Counts entries; those of the last hour are in memory alone. */
export class ControllerRoom {
  /** Entries since `#since`, by organization, and by organization and controller. */
  readonly #written = new Map<string, number>();
  #since = 0;

  /**
   * Uses up room for one entry.
   * @param actor as the entry names its controller
   * @param at UTC milliseconds
   * @returns false when the controller, or its organization, has none left
   */
  take(orgId: string, actor: string, at: number): boolean {
    if (Math.abs(at - this.#since) >= WINDOW_MS) {
      this.#since = at;
      this.#written.clear();
    }
    const bounds = [
      [orgId, OF_ORGANIZATION_MAX],
      [`${orgId}/${actor}`, OF_CONTROLLER_MAX],
    ] as const;
    if (bounds.some(([key, max]) => this.#count(key) >= max)) return false;
    for (const [key] of bounds) this.#written.set(key, this.#count(key) + 1);
    return true;
  }

  #count(key: string): number {
    return this.#written.get(key) ?? 0;
  }
}
