/** The key of a wish: the same for as long as nobody knows whether it was taken on. */

import { useRef } from "react";
import { GatewayError } from "../../client/index.ts";
import type { Word } from "../words/words.tsx";
import { newKey } from "./new-key.ts";
import { reasonFor } from "./reason-for.ts";

interface WishKey {
  /** The key of what is wished, told as a text. */
  of(wish: string): string;
  /** That of the wish which is not over; undefined where there is none. */
  open(): string | undefined;
  /** The wish came to its end: the next one is another, even if it says the same. */
  end(error: unknown): void;
}

/**
 * However often a button is pressed, and whatever gets lost on the way, a wish that was not answered
 * keeps its key; one that was taken on or refused gives it up.
 */
export function useWishKey(): WishKey {
  const open = useRef<{ readonly key: string; readonly wish: string }>(undefined);
  return {
    of(wish) {
      if (open.current?.wish !== wish) open.current = { key: newKey(), wish };
      return open.current.key;
    },
    open: () => open.current?.key,
    end(error) {
      if (!isUnanswered(error)) open.current = undefined;
    },
  };
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
  const isRefused = error instanceof GatewayError && error.code === "VALIDATION_ERROR";
  return isRefused ? reasonFor(error) : "commands.notAsked";
}
