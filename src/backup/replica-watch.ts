/** Whether the live copy of the database elsewhere goes on, where the installer has set one up. */

import { FINDINGS, type HealthFinding } from "#core/health.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Uncopied } from "./replica.ts";

const LOOK_MS = 60_000;
/** Of a network that comes and goes, or a first copy over a slow line, nobody need be told. */
const STILL_MS = 3_600_000;
const DAY_MS = 86_400_000;

export interface ReplicaWatchOptions {
  /** Whether somebody wants a copy. */
  readonly isWanted: () => boolean;
  /** What waits to be copied; undefined for nothing. */
  readonly look: () => Uncopied | undefined;
  readonly clock: Pick<Clock, "elapsed" | "setTimer">;
  readonly log: Log;
  /** Told once a day for as long as the copy stands still. */
  readonly tell: (problem: HealthFinding) => void;
}

/** What has waited since then, by `elapsed`. */
interface Waiting extends Uncopied {
  readonly since: number;
}

export class ReplicaWatch {
  readonly #o: ReplicaWatchOptions;
  #waiting: Waiting | undefined;
  #toldAt: number | undefined;

  constructor(options: ReplicaWatchOptions) {
    this.#o = options;
  }

  /** Whether there is to be a copy. */
  get isOn(): boolean {
    return this.#o.isWanted();
  }

  /** Looks from now on. @param stopping ends that */
  start(stopping: AbortSignal): void {
    let cancel = (): void => {};
    const look = (): void => {
      this.#look();
      cancel = this.#o.clock.setTimer(LOOK_MS, look);
    };
    look();
    stopping.addEventListener("abort", () => cancel(), { once: true });
  }

  /** That it stands still, for an hour by time that passes; undefined while it does not, or is not wanted. */
  problem(): HealthFinding | undefined {
    if (!this.isOn || this.#waiting === undefined) return undefined;
    const { since, until } = this.#waiting;
    if (this.#o.clock.elapsed() - since < STILL_MS) return undefined;
    return until === undefined
      ? FINDINGS.replicaNotBegun()
      : FINDINGS.replicaStalled(new Date(until).toISOString());
  }

  #look(): void {
    const { look, clock, log, tell } = this.#o;
    try {
      const found = this.isOn ? look() : undefined;
      const isSame = found !== undefined && found.mark === this.#waiting?.mark;
      if (!isSame) this.#waiting = found && { ...found, since: clock.elapsed() };
    } catch (error) {
      log.warn("the copy of the database elsewhere could not be looked at", { error });
    }
    const problem = this.problem();
    if (problem === undefined) {
      this.#toldAt = undefined;
      return;
    }
    if (this.#toldAt !== undefined && clock.elapsed() - this.#toldAt < DAY_MS) return;
    this.#toldAt = clock.elapsed();
    log.error(problem.text);
    tell(problem);
  }
}
