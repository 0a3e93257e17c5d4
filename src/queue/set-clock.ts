/**
 * What a wall clock that was set means for commands that wait, and for codes that set a password: they
 * keep the time that they have. In memory it runs on by itself; on disk it is moved, so that a restart
 * finds it.
 */

import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { CountedTime } from "../platform/counted-time.ts";
import type { Log } from "../platform/log.ts";
import { keepTime } from "./kept-time.ts";

export interface SetClockOptions {
  readonly stores: Pick<Stores, "appliance" | "commands" | "passwordCodes">;
  readonly writer: Writer;
  readonly time: CountedTime;
  readonly log: Log;
}

export class SetClock {
  readonly #o: SetClockOptions;
  #isWaiting = false;

  constructor(options: SetClockOptions) {
    this.#o = options;
  }

  /** Looks whether it was set, before anything is accepted by the new time. */
  look(): void {
    if (this.#isWaiting || this.#o.time.steps === 0) return;
    this.#move().catch((error: unknown) =>
      this.#o.log.error("deadlines and codes not moved with the clock yet", { error }),
    );
  }

  /** After a start: the clock was wrong for the last run, or is for this one. */
  takeUp(): Promise<void> {
    return this.#move();
  }

  async #move(): Promise<void> {
    const { stores, writer, time, log } = this.#o;
    this.#isWaiting = true;
    const move = (tx: Transaction): void => {
      // Here: what another operation stores before this one goes by the time of before.
      const ms = time.takeSteps();
      if (ms !== 0) {
        tx.undone(() => time.giveBack(ms));
        tx.after(() => log.warn("the clock was set", { ms }));
        stores.commands.shiftExpiry(ms);
        stores.passwordCodes.shift(ms);
      }
      keepTime(stores.appliance, time);
    };
    try {
      await writer.run(move);
    } finally {
      this.#isWaiting = false;
    }
  }
}
