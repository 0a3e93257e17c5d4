/**
 * Commands that had not ended when the gateway started. An image of the disk may have been put back,
 * and then the run before this one has printed some of them: so while their printer is still to be
 * asked for its last document, nobody may say of one that it was not printed.
 */

import type { Command } from "#core/command/command.ts";
import type { Clock } from "../platform/clock.ts";
import { type AskedStores, isAskedFirst } from "./printer-records.ts";

/** For so long after a start their time does not run out while their printer is being asked. */
const ASKED_FIRST_MS = 60_000;

export class Leftovers {
  readonly #clock: Pick<Clock, "elapsed">;
  readonly #ids = new Set<string>();
  #startedAt = 0;

  constructor(clock: Pick<Clock, "elapsed">) {
    this.#clock = clock;
  }

  /** After a start, before anything ends. */
  begin(unfinished: Iterable<Pick<Command, "id">>): void {
    this.#startedAt = this.#clock.elapsed();
    for (const { id } of unfinished) this.#ids.add(id);
  }

  has(commandId: string): boolean {
    return this.#ids.has(commandId);
  }

  /** True while the end of its time waits for its printer, which may tell at any moment. */
  isToWait({ id, deviceId }: Pick<Command, "id" | "deviceId">, stores: AskedStores): boolean {
    if (!this.has(id) || this.#clock.elapsed() - this.#startedAt >= ASKED_FIRST_MS) return false;
    return isAskedFirst(stores, deviceId);
  }
}
