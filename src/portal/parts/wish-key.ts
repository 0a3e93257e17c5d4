/** The key of a wish: the same for as long as nobody knows whether it was taken on. */

import { useRef } from "react";
import { GatewayError } from "../../client/index.ts";
import { newKey } from "./new-key.ts";

interface WishKey {
  /** The key of what is wished, told as a text. */
  of(wish: string): string;
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
    end(error) {
      if (!isUnanswered(error)) open.current = undefined;
    },
  };
}

/** True where the gateway may have done what was asked, and the answer got lost. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof GatewayError && error.isTemporary;
}
