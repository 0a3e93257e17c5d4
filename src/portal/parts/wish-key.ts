/** The key of a wish: the same for as long as nobody knows whether it was taken on. */

import { useEffect, useRef } from "react";
import { GatewayError } from "../../client/index.ts";
import type { Word } from "../words/words.tsx";
import { forgetWish, type KeptWish, keepWish, keptWish } from "./kept-wishes.ts";
import { newKey } from "./new-key.ts";
import { reasonFor } from "./reason-for.ts";

/** What `useWishKey` gives. */
export interface WishKey {
  /**
   * The key of what is wished, told as JSON, and for how many of so many seconds it is asked yet: a
   * reload of the page does not begin them anew.
   * @throws `WITHDRAWN` once they are over
   */
  of(wish: string, seconds: number): { readonly key: string; readonly patienceSeconds: number };
  /** That of the wish which is not over; undefined where there is none. */
  open(): string | undefined;
  /** What was being asked when the page was loaded anew, as JSON; undefined where nothing was. */
  takeUp(): string | undefined;
  /** The asking is over; and so is the wish, unless nobody answered: the next one is another then. */
  end(error: unknown): void;
}

/**
 * However often a button is pressed, and whatever gets lost on the way, a wish that was not answered
 * keeps its key; one that was taken on or refused gives it up.
 * @param place the button, for a reload of the page; without, a reload forgets it
 */
export function useWishKey(place?: string): WishKey {
  const open = useRef<KeptWish>(undefined);
  return {
    of(wish, seconds) {
      const isSame = open.current?.wish === wish;
      const taken = place === undefined ? undefined : keptWish(place);
      const key = (isSame ? open.current?.key : undefined) ?? newKey();
      const pressedAt = taken?.key === key ? taken.pressedAt : Date.now();
      open.current = { key, wish, pressedAt };
      if (place !== undefined) keepWish(place, open.current);
      const patienceSeconds = Math.min(seconds, seconds - (Date.now() - pressedAt) / 1_000);
      if (patienceSeconds <= 0) throw WITHDRAWN;
      return { key, patienceSeconds };
    },
    open: () => open.current?.key,
    takeUp() {
      const kept = place === undefined ? undefined : keptWish(place);
      if (kept !== undefined) open.current = kept;
      return kept?.wish;
    },
    end(error) {
      if (place !== undefined) forgetWish(place);
      if (!isUnanswered(error)) open.current = undefined;
    },
  };
}

/** Asks again, after a reload of the page, what was pressed before it and not answered. */
export function useTakenUp<Wish>({ takeUp }: WishKey, ask: (wish: Wish) => void): void {
  const goOn = useRef(() => {
    const wish = takeUp();
    // It was written by `of`.
    if (wish !== undefined) ask(JSON.parse(wish) as Wish);
  });
  useEffect(() => goOn.current(), []);
}

/** In place of an answer, for whoever went back before there was one. */
export const WITHDRAWN = new GatewayError({ code: "UNREACHABLE", message: "Nobody waited for it" });

/** True where the gateway may have done what was asked, and the answer got lost. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof GatewayError && error.isTemporary;
}

/**
 * For the question that is still open: why it was not asked of a printer, or that nobody knows whether
 * it was; nothing once somebody has gone back from it.
 */
export function notAskedWord(error: unknown): Word | undefined {
  if (error === null || error === WITHDRAWN) return undefined;
  if (isUnanswered(error)) return "commands.unanswered";
  const reason = error instanceof GatewayError ? reasonFor(error) : "reason.failed";
  return reason === "reason.failed" ? "commands.notAsked" : reason;
}
