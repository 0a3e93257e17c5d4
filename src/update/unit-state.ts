/** What systemd is about with a service, by the installer's own list of it. */

import { askSteps } from "./ask-steps.ts";
import { UpdateStuck } from "./failures.ts";
import type { SERVICES } from "./machine-paths.ts";
import type { Run } from "./run-program.ts";

export type Service = (typeof SERVICES)[number];

/** What each means tells `state_of` of systemd/steps.sh. */
const STATES = ["runs", "waits", "starts", "falls", "stops", "off"] as const;
export type UnitState = (typeof STATES)[number];

/** How long one that is being started, or fell over, is looked at for what becomes of it. */
const SETTLE_MS = 30_000;
const STEP_MS = 200;
/** So often the one falls that does not start; what comes once may have been the end of one that ran. */
const FALLS_MAX = 2;

/**
 * Looks until it runs, or does not, or has fallen over twice, 30 s at most: one that is killed starts again by
 * itself, one that cannot start falls over and over.
 * @returns how it is then: `starts` and `falls` where it has not come to an end
 * @throws UpdateStuck where nobody can tell
 */
export async function settledState(service: Service): Promise<UnitState> {
  const deadline = performance.now() + SETTLE_MS;
  let falls = 0;
  let before: UnitState = "off";
  for (;;) {
    const state = await stateOf(service);
    if (state === "falls" && before !== "falls") falls += 1;
    const isMoving = state === "starts" || state === "falls";
    if (!isMoving || falls === FALLS_MAX || performance.now() > deadline) return state;
    before = state;
    await Bun.sleep(STEP_MS);
  }
}

/** What systemd is about with it now. @throws UpdateStuck where nobody can tell */
export async function stateOf(service: Service): Promise<UnitState> {
  const ended = await askSteps('state_of "$1"', [service]);
  const known = STATES.find((state) => ended.code === 0 && state === ended.answer);
  return known ?? notTold(`whether ${service} runs`, ended);
}

/** What is not known is not off: files and database would be replaced under one that runs. */
function notTold(what: string, { code, said }: Run): never {
  const why = said === "" ? `the question ended with ${code}` : said.replaceAll("\n", "; ");
  throw new UpdateStuck(`nobody can tell ${what}: ${why}`);
}

/**
 * False for one whose unit is gone, or masked: nothing starts it.
 * @param left by an update that was broken off, or one that came to its end: then also for one that somebody has
 * turned off since
 * @throws UpdateStuck where nobody can tell
 */
export async function isStartable(
  service: Service,
  left: "broken_off" | "ended",
): Promise<boolean> {
  const ended = await askSteps('is_startable "$1" "$2"', [service, left]);
  return ended.code > 1 ? notTold(`whether anything starts ${service}`, ended) : ended.code === 0;
}
