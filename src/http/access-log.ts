/**
 * The access log: one line for each request, but for what would fill a disk. Of requests that anybody
 * can send without end, those with no valid credential and those that were refused as too many, each
 * address has some lines in a minute; the rest is counted, and told in one line when it is over.
 */

import type { Clock } from "../platform/clock.ts";
import type { Log, LogFields } from "../platform/log.ts";
import type { Caller } from "./credentials.ts";

const WINDOW_SECONDS = 60;
/** A person who opens the portal needs some twenty, a till with a revoked key no more. */
const LINES_PER_ADDRESS = 60;
/** Of all addresses together. */
const LINES_MAX = 600;
/** So many are told apart; what comes from others is counted together. */
const ADDRESSES_MAX = 200;
const OTHERS = "others";

const TOO_MANY = 429;

/** A request and its answer, as the log has them. */
export interface AccessLine extends LogFields {
  readonly status: number;
}

interface Counted {
  lines: number;
  /** By status, of those without a line. */
  readonly untold: Map<number, number>;
}

/** Writes the lines. */
export class AccessLog {
  readonly #log: Log;
  readonly #clock: Pick<Clock, "setTimer">;
  /** Of this minute; undefined until there is something to count. */
  #addresses: Map<string, Counted> | undefined;
  #lines = 0;

  constructor({ log, clock }: { readonly log: Log; readonly clock: Pick<Clock, "setTimer"> }) {
    this.#log = log;
    this.#clock = clock;
  }

  /** @param address looked up only when it is needed */
  write(caller: Caller, address: () => string, line: AccessLine): void {
    const isEndless = caller.kind !== "known" || line.status === TOO_MANY;
    if (isEndless && !this.#takeLine(address(), line.status)) return;
    this.#log.info("request", line);
  }

  /** False when the address has had its lines. */
  #takeLine(address: string, status: number): boolean {
    const counted = this.#countedOf(address);
    if (counted.lines < LINES_PER_ADDRESS && this.#lines < LINES_MAX) {
      counted.lines += 1;
      this.#lines += 1;
      return true;
    }
    counted.untold.set(status, (counted.untold.get(status) ?? 0) + 1);
    return false;
  }

  #countedOf(address: string): Counted {
    if (this.#addresses === undefined) {
      this.#addresses = new Map();
      this.#clock.setTimer(WINDOW_SECONDS * 1_000, () => this.#tell());
    }
    const known = this.#addresses;
    const name = known.has(address) || known.size < ADDRESSES_MAX ? address : OTHERS;
    const counted = known.get(name) ?? { lines: 0, untold: new Map() };
    known.set(name, counted);
    return counted;
  }

  #tell(): void {
    for (const [address, { untold }] of this.#addresses ?? []) {
      if (untold.size === 0) continue;
      const requests = [...untold.values()].reduce((sum, count) => sum + count, 0);
      const statuses = Object.fromEntries(untold);
      this.#log.info("more requests than are logged one by one", {
        ...{ address, requests, statuses, seconds: WINDOW_SECONDS },
      });
    }
    this.#addresses = undefined;
    this.#lines = 0;
  }
}
