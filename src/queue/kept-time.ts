/** The counted time, as it is kept for the next start. */

import type { ApplianceStore } from "#db/stores/appliance.ts";
import { ageingTime, type ClockStanding, standingOf } from "../platform/ageing-time.ts";
import type { Boot } from "../platform/boot.ts";
import type { Clock } from "../platform/clock.ts";
import { CountedTime } from "../platform/counted-time.ts";

const NAME = "time.counted";
const FORM = /^(\d+) (\d+)$/;
/** Beside it, so that a version before can read that: the boot, the time since it, and of which record. */
const BOOT_NAME = "time.boot";
const BOOT_FORM = /^(\w+) (\d+) (\d+)$/;
const STANDING_NAME = "time.standing";
const STANDING_FORM = /^(-?\d+) (-?\d+) (-?\d+)$/;

/** Keeps it. Inside an operation of the writer, now and then: what was not kept counts as off. */
export function keepTime(values: Pick<ApplianceStore, "put">, time: CountedTime): void {
  const { wall, counted, boot } = time.record();
  values.put(NAME, `${wall} ${counted}`);
  if (boot !== undefined) values.put(BOOT_NAME, `${boot.id} ${boot.uptime} ${wall}`);
}

/** The counted time, going on from the last run. */
export function takeUpTime(
  values: Pick<ApplianceStore, "find">,
  clock: Clock,
  boot?: Boot,
): CountedTime {
  const [, wall, counted] = FORM.exec(values.find(NAME) ?? "") ?? [];
  if (wall === undefined || counted === undefined) return new CountedTime(clock, undefined, boot);
  const [, id, uptime, of] = BOOT_FORM.exec(values.find(BOOT_NAME) ?? "") ?? [];
  const isKnown = id !== undefined && of === wall;
  const kept = { wall: Number(wall), counted: Number(counted) };
  const within = isKnown ? { ...kept, boot: { id, uptime: Number(uptime) } } : kept;
  return new CountedTime(clock, within, boot);
}

function keptStanding(values: Pick<ApplianceStore, "find">): ClockStanding | undefined {
  const [, ahead, since, believed] = STANDING_FORM.exec(values.find(STANDING_NAME) ?? "") ?? [];
  if (ahead === undefined || since === undefined || believed === undefined) return undefined;
  return { ahead: Number(ahead), since: Number(since), believed: Number(believed) };
}

/**
 * The time by which stored rows grow old; keeps how the clock stands for the next look. Inside an
 * operation of the writer. UTC milliseconds.
 */
export function lookAtAgeingTime(
  values: Pick<ApplianceStore, "find" | "put">,
  clock: Pick<Clock, "now">,
  time: Pick<CountedTime, "now">,
): number {
  const [wall, counted] = [clock.now(), time.now()];
  const before = keptStanding(values);
  const standing = standingOf(before, wall, counted);
  if (standing !== before) {
    const { ahead, since, believed } = standing;
    values.put(STANDING_NAME, [ahead, since, believed].map(Math.round).join(" "));
  }
  return ageingTime(standing, wall, counted);
}
