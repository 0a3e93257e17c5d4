/**
 * Cases at all printers of a test bed at once. Cases without a kill of the gateway run at each
 * printer on their own; those with one go round by round, one at each printer, and share the kill.
 */

import { type CrashCase, describeCase, type Kills, killsOf } from "./cases.ts";
import type { Lane } from "./lane.ts";
import type { Trial } from "./run.ts";
import type { Tally } from "./tally.ts";
import type { TestBed } from "./test-bed.ts";

/** What is to be tried at a printer. */
export interface Plan {
  readonly lane: Lane;
  readonly cases: readonly CrashCase[];
}

/** A case in a round. */
interface Attempt {
  readonly lane: Lane;
  readonly strikes: CrashCase;
  readonly trial: Trial;
  /** The first thing that went wrong ends it. */
  failure?: unknown;
}

/**
 * Printers that are busy at a time, while none has to wait for the others. More would only wait for
 * the processor: then answers come late, frames are sent again, and each case takes longer.
 */
const AT_ONCE = 12;

/** Runs all cases, and tells what they came to. */
export async function runPlans(bed: TestBed, plans: readonly Plan[], tally: Tally): Promise<void> {
  const rounds = new Rounds(bed, tally);
  const alone = longestFirst(ofKills(plans, "none")).values();
  const next = async (): Promise<void> => {
    for (const { lane, cases } of alone) {
      for (const strikes of cases) await rounds.run("none", [{ lane, strikes }]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  for (const kills of ["first", "second", "both"] as const) {
    const shared = ofKills(plans, kills);
    const count = Math.max(0, ...shared.map(({ cases }) => cases.length));
    for (let round = 0; round < count; round += 1) {
      const cases = shared.flatMap(({ lane, cases }) => {
        const strikes = cases[round];
        return strikes ? [{ lane, strikes }] : [];
      });
      await rounds.run(kills, cases);
    }
  }
}

function longestFirst(plans: readonly Plan[]): Plan[] {
  return plans.toSorted((one, other) => other.cases.length - one.cases.length);
}

function ofKills(plans: readonly Plan[], kills: Kills): Plan[] {
  return plans.map(({ lane, cases }) => ({
    lane,
    cases: cases.filter((strikes) => killsOf(strikes) === kills),
  }));
}

class Rounds {
  readonly #bed: TestBed;
  readonly #tally: Tally;

  constructor(bed: TestBed, tally: Tally) {
    this.#bed = bed;
    this.#tally = tally;
  }

  /** One case at each of some printers, all with the same kills. */
  async run(kills: Kills, cases: readonly Pick<Attempt, "lane" | "strikes">[]): Promise<void> {
    const attempts: Attempt[] = cases.map(({ lane, strikes }) => {
      return { lane, strikes, trial: lane.trial(strikes) };
    });
    await each(attempts, ({ trial }) => trial.begin());
    if (kills === "first" || kills === "both") await this.#kill(attempts, false);
    await each(attempts, ({ trial }) => trial.goOn());
    if (kills === "second" || kills === "both") await this.#kill(attempts, true);
    await each(attempts, async ({ lane, trial }) => {
      this.#tally.count(lane.stand.model, await trial.conclude());
    });
    await Promise.all(attempts.map((attempt) => this.#mourn(attempt)));
  }

  async #kill(attempts: readonly Attempt[], isLast: boolean): Promise<void> {
    await this.#bed.killGateway();
    await each(attempts, ({ trial }) => trial.afterKill({ isLast }));
    await this.#bed.startGateway();
  }

  async #mourn({ lane, strikes, failure }: Attempt): Promise<void> {
    if (failure === undefined) return;
    const what = `${lane.kind}, ${describeCase(strikes)}: ${failure}\n${lane.stand.output()}`;
    this.#tally.fail(lane.stand.model, what);
    await lane.renew();
  }
}

/** Does something with each attempt that has not failed, and keeps what goes wrong. */
async function each(
  attempts: readonly Attempt[],
  act: (attempt: Attempt) => Promise<void>,
): Promise<void> {
  await Promise.all(
    attempts.map(async (attempt) => {
      if (attempt.failure !== undefined) return;
      try {
        await act(attempt);
      } catch (error) {
        attempt.failure = error;
      }
    }),
  );
}
