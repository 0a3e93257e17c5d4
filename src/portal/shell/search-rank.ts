/** How well something is found by what was typed. */

import { isForm, plain } from "./search-words.ts";

/** Behind everything that has it in its own text. */
const LAST = 4;

/**
 * Those that have every word that was typed, in any order: first what begins with it, then what has a
 * word that begins with it, then what has it somewhere, then what has a word in another form, and last
 * what is found by what is said about it.
 */
export function ranked<One extends { readonly text: string; readonly about?: string }>(
  all: readonly One[],
  asked: string,
): One[] {
  const whole = plain(asked);
  const words = whole.split(/\s+/);
  const rank = (text: string): number | undefined => {
    if (text.startsWith(whole)) return 0;
    if (words.every((word) => ` ${text}`.includes(` ${word}`))) return 1;
    if (words.every((word) => text.includes(word))) return 2;
    const own = text.split(/[^\p{L}\p{N}]+/u);
    const has = (word: string) => text.includes(word) || own.some((one) => isForm(one, word));
    return words.every(has) ? 3 : undefined;
  };
  return all
    .flatMap((one) => {
      const behind = one.about === undefined ? undefined : rank(plain(one.about));
      const found = rank(plain(one.text)) ?? (behind === undefined ? undefined : LAST + behind);
      return found === undefined ? [] : [{ one, rank: found }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}
