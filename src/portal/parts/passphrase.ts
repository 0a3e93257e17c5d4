/** A passphrase that can be read aloud and written down: syllables, no letter that looks like another. */

const CONSONANTS = "bdfgkmnprstvz";
const VOWELS = "aeiou";
const GROUPS = 6;
const SYLLABLES = 2;

/** A new one: some 72 bits that nobody guesses. */
export function newPassphrase(): string {
  const group = () =>
    Array.from({ length: SYLLABLES }, () => `${oneOf(CONSONANTS)}${oneOf(VOWELS)}`).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

/** Every letter is as likely as another: what would favour the first ones is drawn anew. */
function oneOf(letters: string): string {
  const limit = 256 - (256 % letters.length);
  const bytes = new Uint8Array(1);
  do crypto.getRandomValues(bytes);
  while ((bytes[0] ?? 0) >= limit);
  return letters.charAt((bytes[0] ?? 0) % letters.length);
}
