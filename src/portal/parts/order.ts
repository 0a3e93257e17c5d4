/** Asks something of a printer once, however often the button is pressed. */

import { useRef } from "react";
import type { Order } from "../../client/index.ts";
import { submit } from "../api/client.ts";
import type { Word } from "../words/words.tsx";
import { useAsking } from "./asking.ts";
import { keptWish } from "./kept-wishes.ts";
import { isBooked } from "./outcome-words.ts";

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
  const asking = useAsking<Wish>({
    place: name === undefined ? undefined : placeOf(deviceId, name),
    deviceId,
    typeOf: ({ type }) => type,
    ask(wish, { key, signal }) {
      const patienceSeconds = isBooked(wish) ? BOOKED_SECONDS : PRESENT_SECONDS;
      // Which payload belongs to which type is known by who made the wish.
      return submit({ key, deviceId, ...wish } as Order, { signal, patienceSeconds });
    },
    ended: (error) => error === null && heard?.(),
  });
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  /** For a button that asks no question: the second click of two finds it ready again by then. */
  const press = (wish: Wish) => {
    const now = Date.now();
    if (Math.abs(now - pressedAt.current) < ONE_PRESS_MS) return;
    pressedAt.current = now;
    asking.mutate(wish);
  };
  const isKept = asking.variables === undefined || isBooked(asking.variables);
  const late: Word = isKept ? "confirm.late" : "confirm.lateBriefly";
  return { ...asking, late, press };
}

/** True where nobody knows yet what became of the last press of a printer's button. */
export function isOpen({ id: deviceId }: { readonly id: string }, name: string): boolean {
  return keptWish(placeOf(deviceId, name)) !== undefined;
}

function placeOf(deviceId: string, name: string): string {
  return `${deviceId}/${name}`;
}
