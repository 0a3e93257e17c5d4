/** Asks the box for one thing once, however often the page is loaded anew before the answer is known. */

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { CommandType, GatewayError } from "../../client/index.ts";
import { currentUser, watchSession } from "../api/session.ts";
import type { Command } from "./command-state.ts";
import type { LookedFor } from "./heard-as.ts";
import { useTakenUp, useWishKey, WITHDRAWN } from "./wish-key.ts";

interface AskingOptions<Wish> {
  /** The button, as of `useWishKey`. */
  readonly place: string | undefined;
  /** The printer. */
  readonly deviceId: string;
  /** @returns what the wish is queued as, by which it is looked up */
  readonly typeOf: (wish: Wish) => CommandType;
  /** @throws GatewayError where it is refused or not answered */
  readonly ask: (
    wish: Wish,
    how: { readonly key: string; readonly signal: AbortSignal },
  ) => Promise<{ readonly id: string }>;
  /** What has to be read again before the next press may be another wish than one that was heard. */
  readonly readAgain?: () => Promise<unknown>;
  /** Told at the end of the asking; with null where it was heard, be that looked up later. */
  readonly ended: (error: GatewayError | null) => void;
}

/**
 * `mutate` asks, and `data` is the command, be it one that was pressed before and looked up. What was not
 * answered keeps its key until `NotAsked` has found out what became of it.
 */
export function useAsking<Wish>(options: AskingOptions<Wish>) {
  const { place, deviceId, typeOf, ask, readAgain, ended } = options;
  const key = useWishKey(place, { isLookedUp: true });
  const { signal, giveUp } = useGivingUp();
  // Found after the page was loaded anew, or after somebody has gone back.
  const [found, setFound] = useState<{ readonly id: string }>();
  const mutation = useMutation<{ readonly id: string }, GatewayError, Wish>({
    mutationFn: async (wish) => ask(wish, { key: key.of(JSON.stringify(wish)), signal: signal() }),
    onMutate: () => setFound(undefined),
    onSettled: async (_, error) => {
      key.end(error);
      await readAgain?.();
      ended(error);
    },
  });
  // No wish is undefined, which cannot be said of one of any type.
  useTakenUp(key, mutation.mutate as (wish: Wish) => void);
  const { open, notHeard } = key;
  const reset = () => {
    setFound(undefined);
    mutation.reset();
  };
  /**
   * For a button that opens a question: what came of the last press is told no more, unless nobody knows
   * it yet. Not looked up any longer, it would be taken for the next one.
   */
  const anew = () => {
    if (!key.isUnknown()) reset();
  };
  /**
   * The box has heard it as this command: what is wished from now on is another. Until all is read again,
   * whoever presses once more presses for the same.
   */
  const known = async (id: string) => {
    const wish = open();
    setFound({ id });
    mutation.reset();
    await readAgain?.();
    if (open() !== wish) return;
    key.end(null);
    ended(null);
  };
  /** What to look for in the box's list, to know whether it was heard; undefined for nothing. */
  const lookedFor = (): LookedFor | undefined => {
    const wish = open();
    // It was written by `of`.
    return wish && { ...wish, deviceId, type: typeOf(JSON.parse(wish.wish) as Wish) };
  };
  const data = mutation.data ?? found;
  /** True for what was pressed here, be its answer still on the way; false for what others ask for. */
  const isOwn = ({ id, idempotencyKey }: Pick<Command, "id" | "idempotencyKey">) =>
    id === data?.id || (idempotencyKey !== null && idempotencyKey === open()?.key);
  const ways = { reset, anew, giveUp, open, lookedFor, notHeard, known, isOwn };
  return { ...mutation, ...ways, data, deviceId };
}

/** Ends the asking, not what was heard already. */
function useGivingUp() {
  const asking = useRef<AbortController>(undefined);
  const who = useRef<string>(undefined);
  const giveUp = () => asking.current?.abort(WITHDRAWN);
  // Nothing is asked for in the back of somebody who is elsewhere; nor once they come back to a page
  // that the browser has kept as it was.
  useEffect(() => {
    const end = () => asking.current?.abort(WITHDRAWN);
    const endIfKept = ({ persisted }: PageTransitionEvent) => persisted && end();
    window.addEventListener("pagehide", endIfKept);
    // Before it could be asked as somebody else.
    const stop = watchSession(() => currentUser() !== who.current && end());
    return () => {
      stop();
      window.removeEventListener("pagehide", endIfKept);
      end();
    };
  }, []);
  return {
    /** For one wish, which is nobody else's. */
    signal() {
      asking.current = new AbortController();
      who.current = currentUser();
      return asking.current.signal;
    },
    giveUp,
  };
}
