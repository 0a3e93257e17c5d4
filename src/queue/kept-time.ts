/** The counted time, as it is kept for the next start. */

import type { ApplianceStore } from "#db/stores/appliance.ts";
import type { Clock } from "../platform/clock.ts";
import { CountedTime } from "../platform/counted-time.ts";

const NAME = "time.counted";
const FORM = /^(\d+) (\d+)$/;

/** Keeps it. Inside an operation of the writer, now and then: what was not kept counts as off. */
export function keepTime(values: Pick<ApplianceStore, "put">, time: CountedTime): void {
  const { wall, counted } = time.record();
  values.put(NAME, `${wall} ${counted}`);
}

/** The counted time, going on from the last run. */
export function takeUpTime(values: Pick<ApplianceStore, "find">, clock: Clock): CountedTime {
  const [, wall, counted] = FORM.exec(values.find(NAME) ?? "") ?? [];
  if (wall === undefined || counted === undefined) return new CountedTime(clock);
  return new CountedTime(clock, { wall: Number(wall), counted: Number(counted) });
}
