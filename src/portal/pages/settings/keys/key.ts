/** A key as the API has it, and what may be said of it. */

import type { components } from "../../../../client/index.ts";
import { useOrganization } from "../../../api/hooks.ts";
import { lastDayBefore, startOfDay } from "../../../parts/shop-days.ts";
import type { Mood } from "../../../parts/state-mark.tsx";
import { useFormat } from "../../../words/words.tsx";

/** Of a till or a program; its text is nowhere. */
export type Key = components["schemas"]["ApiKey"];

/** How a key is. */
export type KeyState = "active" | "paused" | "expired" | "replaced";

/** @param now UTC milliseconds */
export function keyState({ active, expiresAt, rotatedToId }: Key, now: number): KeyState {
  if (rotatedToId !== null) return "replaced";
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return "expired";
  return active ? "active" : "paused";
}

/** The day that was asked for when it was made; undefined where it ends otherwise, or never. */
export function useLastDay({ expiresAt }: Key): string | undefined {
  const timezone = useOrganization()?.timezone;
  const format = useFormat();
  const day = expiresAt === null ? undefined : lastDayBefore(expiresAt, timezone);
  return day && format.date(startOfDay(day, timezone));
}

/** How each of them looks. */
export const KEY_MOODS = {
  active: "good",
  paused: "warn",
  expired: "bad",
  replaced: "idle",
} as const satisfies Record<KeyState, Mood>;
