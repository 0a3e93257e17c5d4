/** How long one command of ISL and ZFP may take, and how long where the device says that it works. */

import type { DriverEnvironment } from "#core/driver.ts";
import { RestartingTimer } from "./restarting-timer.ts";

/**
 * By what is asked. ISL counts from when its answer is late. Behind a Z report on a line that is dead,
 * enough is left of what a live request waits (`LIVE_Z_REPORT_WAIT_MS`) to find out what became of it.
 */
export const COMMAND_LIMITS_MS = {
  normal: 10_000,
  /** X report, duplicate, electronic journal. */
  long: 60_000,
  zReport: 90_000,
} as const;
export type CommandLimit = keyof typeof COMMAND_LIMITS_MS;
/** The same, all in all, on a device that says that it works. */
export const WORKING_LIMITS_MS = {
  normal: 60_000,
  long: 60_000,
  zReport: 120_000,
} as const satisfies Record<CommandLimit, number>;
/** How long its word holds: one that dies meanwhile is noticed. */
const WORD_MS = COMMAND_LIMITS_MS.normal;

/** The time of one command. */
export class CommandTimer {
  readonly #over: () => void;
  readonly #limit: RestartingTimer;
  readonly #word: RestartingTimer;
  /** The device has only the time that it asks for by its word. */
  #isExtended = false;

  /** @param over called when the time is over */
  constructor(environment: Pick<DriverEnvironment, "setTimer">, over: () => void) {
    this.#over = over;
    this.#limit = new RestartingTimer(environment);
    this.#word = new RestartingTimer(environment);
  }

  get isRunning(): boolean {
    return this.#limit.isRunning;
  }

  start(limit: CommandLimit): void {
    const restMs = WORKING_LIMITS_MS[limit] - COMMAND_LIMITS_MS[limit];
    this.#limit.start(COMMAND_LIMITS_MS[limit], () => {
      if (restMs === 0 || !this.#word.isRunning) return this.#over();
      this.#isExtended = true;
      this.#limit.start(restMs, this.#over);
    });
  }

  /** The device has said that it works on the command, before or behind the start. */
  extend(): void {
    this.#word.start(WORD_MS, () => {
      if (this.#isExtended) this.#over();
    });
  }

  stop(): void {
    this.#limit.stop();
    this.#word.stop();
    this.#isExtended = false;
  }
}
