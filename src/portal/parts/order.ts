/** Asks something of a printer once, however often the button is pressed. */

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { GatewayError, Order } from "../../client/index.ts";
import { submit } from "../api/client.ts";
import { currentUser, watchSession } from "../api/session.ts";
import type { Word } from "../words/words.tsx";
import { keptWish } from "./kept-wishes.ts";
import { isBooked } from "./outcome-words.ts";
import { useTakenUp, useWishKey, WITHDRAWN } from "./wish-key.ts";

/** What is asked; the printer and the key are added. */
export type Wish = {
  [Type in Order["type"]]: Pick<Order<Type>, "type" | "payload">;
}[Order["type"]];

/**
 * For how long a box that does not answer is asked for what leaves no trace in the books: whoever
 * has pressed still stands there. A drawer that opens by itself minutes later opens for anybody.
 */
const PRESENT_SECONDS = 10;
/** The same for what moves money or closes the day: a box has started again within this. */
export const BOOKED_SECONDS = 240;

/** Two clicks within this are one press. */
const ONE_PRESS_MS = 500;

/** What `useOrder` gives. */
export type Ordering = ReturnType<typeof useOrder>;

interface OrderOptions {
  /**
   * The button among the printer's: by it, whoever pressed it and comes back is told what became of it.
   * None for what holds a secret, which no browser keeps.
   */
  readonly name?: string;
  /** Told that the box has heard it: at once, or when that was looked up. A dialog is over then. */
  readonly heard?: () => void;
}

/**
 * For a button: `mutate` asks, `data` is the command, be it one that was pressed before and looked up.
 * What was not answered is asked again under the same key until it is, so that no money is moved twice;
 * or until whoever asked goes back or leaves. What moves none is given up after `PRESENT_SECONDS`.
 * `late` is what to say meanwhile.
 */
export function useOrder(
  { id: deviceId }: { readonly id: string },
  { name, heard }: OrderOptions = {},
) {
  const place = name === undefined ? undefined : placeOf(deviceId, name);
  const key = useWishKey(place, { isLookedUp: true });
  const { signal, giveUp } = useGivingUp();
  // Found after the page was loaded anew, or after somebody has gone back.
  const [found, setFound] = useState<{ readonly id: string }>();
  const mutation = useMutation<{ readonly id: string }, GatewayError, Wish>({
    // Which payload belongs to which type is known by who made the wish.
    async mutationFn(wish) {
      const patienceSeconds = isBooked(wish) ? BOOKED_SECONDS : PRESENT_SECONDS;
      const order = { key: key.of(JSON.stringify(wish)), deviceId, ...wish } as Order;
      return submit(order, { signal: signal(), patienceSeconds });
    },
    onMutate: () => setFound(undefined),
    onSuccess: () => heard?.(),
    onSettled: (_, error) => key.end(error),
  });
  useTakenUp(key, mutation.mutate);
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  /** For a button that asks no question: the second click of two finds it ready again by then. */
  const press = (wish: Wish) => {
    const now = Date.now();
    if (Math.abs(now - pressedAt.current) < ONE_PRESS_MS) return;
    pressedAt.current = now;
    mutation.mutate(wish);
  };
  const isKept = mutation.variables === undefined || isBooked(mutation.variables);
  const late: Word = isKept ? "confirm.late" : "confirm.lateBriefly";
  const { open, notHeard } = key;
  const reset = () => {
    setFound(undefined);
    mutation.reset();
  };
  /** The box has heard it as this command: what is wished from now on is another. */
  const known = (id: string) => {
    key.end(null);
    setFound({ id });
    mutation.reset();
    heard?.();
  };
  const told = { data: mutation.data ?? found, reset };
  return { ...mutation, ...told, deviceId, giveUp, late, press, open, notHeard, known };
}

/** True where nobody knows yet what became of the last press of a printer's button. */
export function isOpen({ id: deviceId }: { readonly id: string }, name: string): boolean {
  return keptWish(placeOf(deviceId, name)) !== undefined;
}

function placeOf(deviceId: string, name: string): string {
  return `${deviceId}/${name}`;
}

/** Ends the asking, not what was heard already. */
export function useGivingUp() {
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
