/** A key that is held is one press: else a book on Enter makes one Z report after the other. */

/**
 * What Enter and the space bar press, they press once until they are let go. Texts are typed as ever.
 */
export function ignoreHeldKeys(document: Document): void {
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.repeat && presses(event)) event.preventDefault();
    },
    { capture: true },
  );
}

/** In a field Enter sends its form, and a space is a letter. */
function presses({ key, target }: KeyboardEvent): boolean {
  if (target instanceof HTMLTextAreaElement) return false;
  if (key === "Enter") return true;
  return key === " " && !(target instanceof HTMLInputElement && TEXTS.has(target.type));
}

const TEXTS: ReadonlySet<string> = new Set(["text", "search", "email", "password", "url", "tel"]);
