/**
 * What a wall clock that was set means for commands that wait, and for codes that set a password: they
 * keep the time that they have. In memory it runs on by itself; on disk it is moved, so that a restart
 * finds it.
 */

import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { CountedTime } from "../platform/counted-time.ts";
import type { Log } from "../platform/log.ts";
import { keepTime } from "./kept-time.ts";

export interface SetClockOptions {
  readonly stores: Pick<Stores, "appliance" | "commands" | "passwordCodes">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  readonly time: CountedTime;
  readonly log: Log;
}

export class SetClock {
  readonly #o: SetClockOptions;

  constructor(options: SetClockOptions) {
    this.#o = options;
  }

  /** Looks whether it was set, before anything is accepted by the new time. */
  look(): void {
    const steps = this.#takeSteps();
    if (steps === 0) return;
    this.#move(steps).catch((error: unknown) =>
      this.#o.log.error("deadlines and codes not moved with the clock", { error }),
    );
  }

  /** After a start: the clock was wrong for the last run, or is for this one. */
  takeUp(): Promise<void> {
    return this.#move(this.#takeSteps());
  }

  #takeSteps(): number {
    const { time, log } = this.#o;
    const ms = time.takeSteps();
    if (ms !== 0) log.warn("the clock was set", { ms });
    return ms;
  }

  #move(ms: number): Promise<void> {
    const { stores, writer, time, clock } = this.#o;
    // What was made later than the clock showed then was made by a time to which it was set forward.
    // Behind one that was set back it was made by the old time too, since that was kept last.
    const until = ms > 0 ? clock.now() - ms : undefined;
    return writer.run(() => {
      if (ms !== 0) {
        stores.commands.shiftExpiry(ms);
        stores.passwordCodes.shift(ms, until);
      }
      keepTime(stores.appliance, time);
    });
  }
}
