/** What this browser keeps for its reader: a language, a theme. Where it keeps nothing, it is lost. */

/** What was kept under a name; undefined when nothing was. */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text; undefined forgets it. */
export function keep(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // A private window may have no room: the choice lasts as long as the page then.
  }
}
