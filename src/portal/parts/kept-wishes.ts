/**
 * What was pressed and is not answered yet, kept by this tab for a reload of the page: else a reload
 * while the box is away makes nobody look what became of it, and the next press is another wish.
 */

import { currentSession, watchSession } from "../api/session.ts";

/** A wish with the key it is asked under. */
export interface KeptWish {
  readonly key: string;
  /** What is wished, as JSON. */
  readonly wish: string;
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
/** A reversal of a long receipt fits. */
const WISH_CHARACTERS_MAX = 50_000;

/** What was pressed at a button by whoever is signed in, and not answered; undefined for nothing. */
export function keptWish(place: string): KeptWish | undefined {
  const who = currentUser();
  return who === undefined ? undefined : entries(who).find((one) => one.place === place);
}

/** In place of what was kept of the button. */
export function keepWish(place: string, kept: KeptWish): void {
  const who = currentUser();
  if (who === undefined || kept.wish.length > WISH_CHARACTERS_MAX) return;
  const all = entries(who);
  write([...all.filter((one) => one.place !== place), { ...kept, place, who }].slice(-WISHES_MAX));
}

export function forgetWish(place: string): void {
  const who = currentUser();
  if (who !== undefined) write(entries(who).filter((one) => one.place !== place));
}

// Nothing is told to whoever signs in next.
watchSession(() => {
  if (currentSession().kind === "out") write([]);
});

function currentUser(): string | undefined {
  const session = currentSession();
  return session.kind === "in" ? session.user.id : undefined;
}

/** Those of somebody else are over. */
function entries(who: string): readonly Entry[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isEntry).filter((one) => one.who === who) : [];
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
  const { key, wish, place, who } = one as Record<string, unknown>;
  return [key, wish, place, who].every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
