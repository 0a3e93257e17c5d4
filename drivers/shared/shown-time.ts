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
 * Keeps what the device's clock shows, of a device that does not say which pass it means.
 * @param first what it shows, read as the first pass; undefined when that is no time
 * @param stepMs how finely it tells
 * @returns what it shows now; undefined when that is no time
 */
export function noteShown(
  { environment, kept }: { environment: Place; kept: Pick<KeptFacts<unknown>, "noteClock"> },
  first: number | undefined,
  stepMs: number,
): number | undefined {
  if (first === undefined) return undefined;
  const instant = clockShown(first, environment);
  kept.noteClock(instant, stepMs);
  return instant;
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
