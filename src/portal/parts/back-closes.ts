/**
 * The browser's back button, and a phone's, closes an open dialog: whoever presses it means what is in
 * front of her, and the page behind it keeps what was typed. Each open dialog has an entry of its own
 * in the browser's history, which goes when it is closed in another way.
 */

import { useEffect, useRef } from "react";

/** An open dialog. */
interface Open {
  readonly close: () => void;
}

/** In the state of a dialog's entry: how many are open there. */
const DEPTH = "dialogs";

/** Those that are open, the one in front last. */
const open: Open[] = [];
/** True until the browser has gone back from the entry of a dialog that was closed. */
let isLeaving = false;

/** @param close called when it is gone back from */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const closing = useRef(close);
  useEffect(() => {
    closing.current = close;
  });
  useEffect(() => {
    if (!isOpen) return;
    const one = { close: () => closing.current() };
    open.push(one);
    enter();
    return () => leave(one);
  }, [isOpen]);
}

/** Makes the entries that are missing, once the browser stands still. */
function enter(): void {
  if (isLeaving) return;
  for (let depth = depthNow(); depth < open.length; depth += 1) {
    history.pushState({ ...history.state, [DEPTH]: depth + 1 }, "");
  }
}

function leave(one: Open): void {
  const at = open.indexOf(one);
  open.splice(at, 1);
  // Where the page has gone on to another one meanwhile, that stands in front of the entry.
  if (isLeaving || depthNow() <= at) return;
  isLeaving = true;
  history.back();
}

function depthNow(): number {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !(DEPTH in state)) return 0;
  return typeof state[DEPTH] === "number" ? state[DEPTH] : 0;
}

window.addEventListener("popstate", () => {
  if (isLeaving) {
    isLeaving = false;
    return enter();
  }
  const depth = depthNow();
  // The entry of a dialog that is not there any more is nothing to come back to.
  if (depth > open.length) return history.back();
  for (const { close } of open.slice(depth).reverse()) close();
});
