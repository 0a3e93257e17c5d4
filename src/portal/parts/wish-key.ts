/** The key of a wish: the same for as long as nobody knows whether it was taken on. */

import { useEffect, useRef } from "react";
import { GatewayError } from "../../client/index.ts";
import { boxNow } from "../api/box-clock.ts";
import type { Word } from "../words/words.tsx";
import { forgetWish, type KeptWish, keepWish, keptWish } from "./kept-wishes.ts";
import { newKey } from "./new-key.ts";
import { reasonFor } from "./reason-for.ts";

/** What `useWishKey` gives. */
export interface WishKey {
  /**
   * The key of what is wished, told as JSON.
   * @throws `WITHDRAWN` for what was pressed before the page was loaded anew
   */
  of(wish: string): string;
  /** The wish which is not over, with its key; undefined where there is none. */
  open(): KeptWish | undefined;
  /** What was being asked when the page was loaded anew, as JSON; undefined where nothing was. */
  takeUp(): string | undefined;
  /** The asking is over; and so is the wish, unless nobody answered: the next one is another then. */
  end(error: unknown): void;
  /** The box has not heard it: there is nothing more to tell. Pressed again here it is the same wish. */
  notHeard(): void;
  /** True while nobody knows what became of the wish; false where it is known that nobody heard it. */
  isUnknown(): boolean;
}

interface WishKeyOptions {
  /**
   * True where it is looked up what became of a wish: it is kept until that is known. Else it is until
   * the asking is over.
   */
  readonly isLookedUp?: boolean;
}

/**
 * However often a button is pressed, and whatever gets lost on the way, a wish that was not answered
 * keeps its key; one that was taken on or refused gives it up.
 * @param place the button, for a reload of the page and for whoever comes back; without, both forget it
 */
export function useWishKey(place?: string, { isLookedUp = false }: WishKeyOptions = {}): WishKey {
  const open = useRef<KeptWish>(undefined);
  const isTakenUp = useRef(false);
  const isNotHeard = useRef(false);
  return {
    of(wish) {
      isNotHeard.current = false;
      if (isTakenUp.current) {
        isTakenUp.current = false;
        throw WITHDRAWN;
      }
      const isSame = open.current?.wish === wish;
      const kept = isSame && open.current ? open.current : { key: newKey(), wish, at: boxNow() };
      open.current = kept;
      if (place !== undefined) keepWish(place, kept);
      return kept.key;
    },
    open: () => open.current,
    takeUp() {
      const kept = place === undefined ? undefined : keptWish(place);
      if (kept === undefined) return undefined;
      open.current = kept;
      isTakenUp.current = true;
      return kept.wish;
    },
    end(error) {
      const kept = open.current;
      const isOver = !isUnanswered(error);
      if (kept !== undefined && (isOver || !isLookedUp)) forgetWish(kept.key);
      if (isOver) open.current = undefined;
    },
    notHeard() {
      isNotHeard.current = true;
      if (open.current !== undefined) forgetWish(open.current.key);
    },
    isUnknown: () => open.current !== undefined && !isNotHeard.current,
  };
}

/**
 * Looks, where somebody comes back to the page, what became of what they pressed before and was not
 * answered. It is asked no more: they may have done it elsewhere meanwhile. Pressed again it is the same
 * wish.
 */
export function useTakenUp<Wish>({ takeUp }: WishKey, ask: (wish: Wish) => void): void {
  const look = useRef(() => {
    const wish = takeUp();
    // It was written by `of`.
    if (wish !== undefined) ask(JSON.parse(wish) as Wish);
  });
  useEffect(() => look.current(), []);
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
