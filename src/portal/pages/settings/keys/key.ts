/** A key as the API has it, and what may be said of it. */

import type { components } from "../../../../client/index.ts";
import type { Mood } from "../../../parts/state-mark.tsx";

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

/** How each of them looks. */
export const KEY_MOODS = {
  active: "good",
  paused: "warn",
  expired: "bad",
  replaced: "idle",
} as const satisfies Record<KeyState, Mood>;
