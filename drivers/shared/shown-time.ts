/**
 * What a device's clock and its documents show, as instants. Most devices do not say which pass of
 * the hour that comes twice in autumn they mean: it is the last one that it can be.
 */

import type { DriverEnvironment } from "#core/driver.ts";
import { lastPass } from "#core/local-time.ts";
import type { KeptFacts } from "./kept-facts.ts";

/** A clock that differs from ours by less is read right; half way from one pass to the other. */
const CLOCK_AHEAD_MAX_MS = 30 * 60_000;
/** The kept clock may stand at a full minute. */
const KEPT_CLOCK_STEP_MS = 60_000;

type Place = Pick<DriverEnvironment, "now" | "timezone">;

/**
 * What the device's clock shows now.
 * @param first the same, read as the first pass
 * @returns UTC milliseconds: the pass that is nearer to our clock
 */
export function clockShown(first: number, place: Place): number {
  return lastPass(first, place.timezone, place.now() + CLOCK_AHEAD_MAX_MS);
}

/**
 * When a document was made by the device's clock.
 * @param first the same, read as the first pass
 * @returns UTC milliseconds: the last pass that is not in the future, by the device's clock
 */
export function documentShown(
  first: number,
  { environment, kept }: { environment: Place; kept: Pick<KeptFacts<unknown>, "clockNow"> },
): number {
  const now = kept.clockNow() ?? environment.now();
  return lastPass(first, environment.timezone, now + KEPT_CLOCK_STEP_MS);
}
