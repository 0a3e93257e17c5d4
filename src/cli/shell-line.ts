/** Command lines to be pasted into a shell. */

/** The words as a shell takes them literally. */
export function shellLine(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

/** One word, on its own or within a line. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
