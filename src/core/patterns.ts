/** Patterns of texts in words, for whoever is told that a text does not keep to one. */

const WORDS = new Map<string, string>();

/**
 * A pattern of a schema, and what it asks for.
 * @param words go on "Expected "
 * @returns the pattern
 */
export function patternOf<Pattern extends string>(pattern: Pattern, words: string): Pattern {
  WORDS.set(pattern, words);
  return pattern;
}

/** What a pattern asks for; undefined where nobody has said it in words. */
export function patternWords(pattern: string): string | undefined {
  return WORDS.get(pattern);
}
