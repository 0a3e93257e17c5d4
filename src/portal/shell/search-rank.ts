/** How well something is found by what was typed. */

/** Without case and accents: who looks for "casa" means "Casă" too. */
export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

/**
 * Those that have every word that was typed, in any order: first what begins with it, then what has a
 * word that begins with it.
 */
export function ranked<One extends { readonly text: string }>(
  all: readonly One[],
  asked: string,
): One[] {
  const whole = plain(asked);
  const words = whole.split(/\s+/);
  const rank = (text: string): number => {
    if (text.startsWith(whole)) return 0;
    return words.every((word) => ` ${text}`.includes(` ${word}`)) ? 1 : 2;
  };
  return all
    .map((one) => ({ one, text: plain(one.text) }))
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map(({ one, text }) => ({ one, rank: rank(text) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}
