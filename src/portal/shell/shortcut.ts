/** The keys that open the search: `/` where nobody types, and Ctrl-K everywhere. */

import { useEffect } from "react";

export function useShortcut(open: () => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isCommand = event.key === "k" && (event.ctrlKey || event.metaKey);
      const isSlash = event.key === "/" && !isTyping(event.target);
      if (!isCommand && !isSlash) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [open]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
}
