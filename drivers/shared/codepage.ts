/** Text to and from the one-byte code pages of printers. */

import iconv from "iconv-lite";

/** `ascii` writes letters with accents as their plain letter. */
export type CodePage = "windows-1251" | "ascii";

/** Letters whose plain form is not found by taking the accent off. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  "„": '"',
  "”": '"',
  "“": '"',
  "’": "'",
  "‘": "'",
  "–": "-",
  "—": "-",
  "…": "...",
  "€": "EUR",
  "\u00a0": " ",
};

/** What the encoder writes for a character that the code page lacks. */
const LOST = "?";

/** Encodes text for a device. Letters that the code page lacks become plain ones, or `?`. */
export function encodeText(text: string, codePage: CodePage): Uint8Array {
  if (codePage === "ascii") return iconv.encode(toPlainLetters(text), "ascii");
  const bytes = iconv.encode(text, codePage);
  return bytes.includes(LOST) ? iconv.encode(withoutLostLetters(text, codePage), codePage) : bytes;
}

/** Romanian letters in a Bulgarian shop, for example: better without their accents than as `?`. */
function withoutLostLetters(text: string, codePage: CodePage): string {
  return Array.from(text, (letter) =>
    iconv.encode(letter, codePage).includes(LOST) ? toPlainLetters(letter) : letter,
  ).join("");
}

/** Decodes text from a device; bytes without a meaning become `?` or U+FFFD. */
export function decodeText(bytes: Uint8Array, codePage: CodePage): string {
  // The devices with transliterated texts still hold texts that others wrote in Latin letters.
  return iconv.decode(Buffer.from(bytes), codePage === "ascii" ? "windows-1252" : codePage);
}

/** Takes out what would break a frame or a field: control characters become blanks. */
export function toPrintable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject.
  return text.replace(/[\u0000-\u001f\u007f]+/g, " ");
}

/** Romanian and other accented letters as plain ones: `Brânză` becomes `Branza`; else `?`. */
export function toPlainLetters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII passes as it is.
  if (/^[\u0000-\u007f]*$/.test(text)) return text;
  const bare = text.normalize("NFD").replace(/\p{Mark}/gu, "");
  return Array.from(bare, (letter) => {
    if (letter < "\u0080") return letter;
    return PLAIN_LETTERS[letter] ?? "?";
  }).join("");
}
