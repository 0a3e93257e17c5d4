/** Where a reader was in a list: kept with the browser's own history, and gone to on return. */

import { useEffect, useLayoutEffect, useRef } from "react";

const KEPT_AS = "scrolled";
const SETTLE_MS = 150;

/** @param rows how many there are now; the place may be further down than what is loaded yet */
export function useKeptPlace(rows: number): void {
  const wanted = useRef(keptPlace());
  useLayoutEffect(() => {
    const place = wanted.current;
    if (place === undefined || rows === 0) return;
    window.scrollTo(0, place);
    // As far down as it goes has the list load more, and then this is tried again.
    if (Math.abs(window.scrollY - place) < 2) wanted.current = undefined;
  }, [rows]);
  useEffect(() => {
    const here = location.href;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      // The next page may be there already while the last scrolling of this one is told.
      if (location.href !== here || wanted.current !== undefined) return;
      history.replaceState({ ...history.state, [KEPT_AS]: window.scrollY }, "");
    };
    const moved = () => {
      clearTimeout(timer);
      timer = setTimeout(keep, SETTLE_MS);
    };
    const given = () => {
      wanted.current = undefined;
    };
    window.addEventListener("scroll", moved, { passive: true });
    window.addEventListener("wheel", given, { passive: true });
    window.addEventListener("touchmove", given, { passive: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener("scroll", moved);
      window.removeEventListener("wheel", given);
      window.removeEventListener("touchmove", given);
    };
  }, []);
}

/** Begins a page that was opened from a list at its top. @param page again for each other one */
export function useTop(page = ""): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is done anew for each page.
  useLayoutEffect(() => {
    if (keptPlace() === undefined) window.scrollTo(0, 0);
  }, [page]);
}

function keptPlace(): number | undefined {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !(KEPT_AS in state)) return undefined;
  return typeof state[KEPT_AS] === "number" ? state[KEPT_AS] : undefined;
}
