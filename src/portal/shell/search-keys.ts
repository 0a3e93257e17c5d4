/**
 * The keys that open the search, `/` where nobody types and Ctrl-K everywhere, and those that are
 * pressed before its field is there: they go into the field, not to the page behind.
 */

import { useEffect } from "react";

/** The search's field. */
export const SEARCH_FIELD = "search-field";

/**
 * @param asked what stands in the field; undefined while the search is closed
 * @param change takes what shall stand there instead
 */
export function useSearchKeys(
  asked: string | undefined,
  change: (asked: string | undefined) => void,
): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const next = asked === undefined ? opened(event) : typedAhead(event, asked);
      if (next === NOTHING) return;
      event.preventDefault();
      event.stopPropagation();
      change(next.asked);
    };
    // Before the page behind: a letter must not be a button's or a field's there.
    window.addEventListener("keydown", pressed, { capture: true });
    return () => window.removeEventListener("keydown", pressed, { capture: true });
  }, [asked, change]);
}

/** What shall stand in the field. */
interface Change {
  readonly asked: string | undefined;
}

/** The key is none of the search's. */
const NOTHING = Symbol("none of the search's");

function opened(event: KeyboardEvent): Change | typeof NOTHING {
  // By its place, too: with Cyrillic letters the key is called otherwise.
  const isK = event.key.toLowerCase() === "k" || event.code === "KeyK";
  const isCommand = isK && (event.ctrlKey || event.metaKey);
  const isSlash = event.key === "/" && !isTyping(event.target);
  return isCommand || isSlash ? { asked: "" } : NOTHING;
}

function typedAhead(event: KeyboardEvent, asked: string): Change | typeof NOTHING {
  if (event.ctrlKey || event.metaKey || event.altKey || hasFocus()) return NOTHING;
  if (event.key === "Escape") return { asked: undefined };
  if (event.key === "Backspace") return { asked: asked.slice(0, -1) };
  if ([...event.key].length === 1) return { asked: asked + event.key };
  // Nothing that is to be chosen stands there yet.
  return event.key === "Enter" ? { asked } : NOTHING;
}

/** The search is there, and has the focus. */
function hasFocus(): boolean {
  const dialog = document.getElementById(SEARCH_FIELD)?.closest('[role="dialog"]');
  return dialog?.contains(document.activeElement) === true;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
}
