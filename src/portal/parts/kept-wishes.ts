/**
 * What was pressed and is not answered yet, kept by this tab for whoever pressed it: else a reload of the
 * page while the box is away, or somebody else at it meanwhile, makes nobody look what became of it, and
 * the next press is another wish. It is told to nobody else.
 */

import { boxNow } from "../api/box-clock.ts";
import { currentUser } from "../api/session.ts";

/** A wish with the key it is asked under. */
export interface KeptWish {
  readonly key: string;
  /** What is wished, as JSON. */
  readonly wish: string;
  /** When it was pressed, by the box's clock; UTC milliseconds. */
  readonly at: number;
}

interface Entry extends KeptWish {
  /** The button. */
  readonly place: string;
  /** The user who pressed it. */
  readonly who: string;
}

const KEPT_AS = "unanswered";
/** More buttons than somebody presses while the box is away; of more, the last ones are kept. */
const WISHES_MAX = 10;
/** The largest logo fits; a browser keeps five million characters for the tab. */
const WISH_CHARACTERS_MAX = 750_000;
/** As long as the box knows a key again. */
const KEPT_MS = 24 * 3_600_000;

/** What was pressed at a button by whoever is signed in, and not answered; undefined for nothing. */
export function keptWish(place: string): KeptWish | undefined {
  const who = currentUser();
  return entries().find((one) => one.place === place && one.who === who);
}

/** In place of what was kept of the button. */
export function keepWish(place: string, kept: KeptWish): void {
  const who = currentUser();
  if (who === undefined || kept.wish.length > WISH_CHARACTERS_MAX) return;
  const others = entries().filter((one) => one.place !== place || one.who !== who);
  write([...others, { ...kept, place, who }].slice(-WISHES_MAX));
}

/** Whoever is signed in by now. @param key of the wish */
export function forgetWish(key: string): void {
  write(entries().filter((one) => one.key !== key));
}

function entries(): readonly Entry[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "[]");
    const oldest = boxNow() - KEPT_MS;
    return Array.isArray(kept) ? kept.filter(isEntry).filter(({ at }) => at > oldest) : [];
  } catch {
    return [];
  }
}

function write(kept: readonly Entry[]): void {
  try {
    if (kept.length === 0) sessionStorage.removeItem(KEPT_AS);
    else sessionStorage.setItem(KEPT_AS, JSON.stringify(kept));
  } catch {
    // A private window may have no room: the wish lasts as long as the page then.
  }
}

function isEntry(one: unknown): one is Entry {
  if (typeof one !== "object" || one === null) return false;
  const { key, wish, place, who, at } = one as Record<string, unknown>;
  return [key, wish, place, who].every(isText) && typeof at === "number";
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
