/** Texts as the contract counts and takes them. */

/**
 * True when the text has `minimum` to `maximum` code points. An emoji is one, though JavaScript
 * counts two code units.
 */
export function hasLength(text: string, minimum: number, maximum: number): boolean {
  const units = text.length;
  // A code point is one unit or two, which settles nearly every text without counting.
  if (units < minimum || units > maximum * 2) return false;
  if (units <= maximum && units >= minimum * 2) return true;
  let count = 0;
  for (const _ of text) count += 1;
  return count >= minimum && count <= maximum;
}

/** What no text may hold: NUL, and halves of a surrogate pair, which are no characters. */
export const PLAIN_TEXT_RULE = "Expected a text without NUL and lone surrogates";

/** True when the text can be stored and shown anywhere: see `PLAIN_TEXT_RULE`. */
export function isPlainText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
