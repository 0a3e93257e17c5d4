/** When a delivery is tried again. */

import { DELIVERY_WAITS_MS } from "#core/limits.ts";
import type { Random } from "../platform/random.ts";

/** The longest addition to a wait, as a part of it: endpoints that fell over together get up apart. */
const JITTER = 0.1;

/**
 * How long a delivery waits before an attempt. Milliseconds.
 * @param attempt 2 for the first repetition, up to 6
 * @throws RangeError for another one
 */
export function waitBefore(attempt: number, random: Pick<Random, "integer">): number {
  const wait = DELIVERY_WAITS_MS[attempt - 2];
  if (wait === undefined) throw new RangeError(`no delivery has an attempt ${attempt} to wait for`);
  return wait + random.integer(wait * JITTER + 1);
}
