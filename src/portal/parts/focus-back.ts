/** Where the keys are once a question is gone: back at what opened it, or beside where that stood. */

import { useLayoutEffect } from "react";

/** What may hold the focus in the place of something in it that is gone. */
const PLACES = "section, li, form, main";

/** For a dialog, while it is open. */
export function useFocusBack(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    // The dialog takes the focus only after this.
    const path = pathOf(document.activeElement);
    return () => keepFocus(path);
  }, [isOpen]);
}

/**
 * Whoever presses by the keys what is gone then, or waits for its answer, goes on in its place. A dialog sees to
 * that itself.
 */
export function keepPressed(page: Document): void {
  page.addEventListener("keydown", ({ key, repeat }) => {
    if (repeat || (key !== "Enter" && key !== " ") || hasNoFocus()) return;
    const path = pathOf(page.activeElement);
    if (!path.some((one) => one.matches("[role=dialog]"))) keepFocus(path);
  });
}

/** An element and what it is in, from the inside out. */
function pathOf(element: Element | null): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let at = element; at instanceof HTMLElement && at !== document.body; at = at.parentElement) {
    path.push(at);
  }
  return path;
}

/**
 * Until a person acts: what opened a question is often gone only when the list has been read anew, or
 * waits for its answer and cannot have the focus meanwhile.
 */
function keepFocus(path: readonly HTMLElement[]): void {
  /** Has the focus for as long as what is further in cannot have it. */
  let standIn: Element | undefined;
  const put = () => {
    if (!document.hasFocus() || !(hasNoFocus() || document.activeElement === standIn)) return;
    for (const place of placesOf(path)) {
      place.focus({ preventScroll: true });
      if (document.activeElement !== place) continue;
      standIn = place;
      return;
    }
  };
  const changes = new MutationObserver(() => requestAnimationFrame(put));
  changes.observe(document.body, {
    ...{ childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] },
  });
  const end = new AbortController();
  end.signal.addEventListener("abort", () => changes.disconnect());
  const acted = (event: Event) => {
    if (!(event instanceof KeyboardEvent && event.repeat)) end.abort();
  };
  for (const act of ["keydown", "pointerdown"] as const) {
    document.addEventListener(act, acted, { capture: true, signal: end.signal });
  }
  requestAnimationFrame(put);
}

/** Puts the keys into the page, unless they are somewhere. */
export function focusMain(): void {
  if (!hasNoFocus()) return;
  const [main] = placesOf([]);
  main?.focus({ preventScroll: true });
}

function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** What opened it, what that stood in, and the page. */
function placesOf([opener, ...around]: readonly HTMLElement[]): HTMLElement[] {
  const main = document.querySelector("main");
  const places = [...around.filter((one) => one.matches(PLACES)), ...(main === null ? [] : [main])];
  for (const place of places) {
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  }
  const known = opener === undefined ? places : [opener, ...places];
  return known.filter((one) => one.isConnected);
}
