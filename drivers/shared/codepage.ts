/** Text to and from the one-byte code pages of printers. */

import { isAscii } from "node:buffer";
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

/**
 * Encodes text for a device, a letter and its mark as one. Letters that the code page lacks become
 * plain ones, or `?`.
 */
export function encodeText(text: string, codePage: CodePage): Uint8Array {
  // Most of what goes to a device is; it is the same in all of them.
  if (isAsciiText(text)) return Buffer.from(text, "latin1");
  const composed = text.normalize("NFC");
  if (codePage === "ascii") return iconv.encode(toPlainLetters(composed), "ascii");
  const bytes = iconv.encode(composed, codePage);
  if (!bytes.includes(LOST)) return bytes;
  return iconv.encode(withoutLostLetters(composed, codePage), codePage);
}

function isAsciiText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII passes as it is.
  return /^[\u0000-\u007f]*$/.test(text);
}

/** Romanian letters in a Bulgarian shop, for example: better without their accents than as `?`. */
function withoutLostLetters(text: string, codePage: CodePage): string {
  return Array.from(text, (letter) => {
    if (!isLost(letter, codePage)) return letter;
    const bare = withoutMarks(letter);
    return isLost(bare, codePage) ? toPlainLetters(letter) : bare;
  }).join("");
}

/** True where a letter is lost; also of what has a `?` of its own. */
function isLost(text: string, codePage: CodePage): boolean {
  return iconv.encode(text, codePage).includes(LOST);
}

function withoutMarks(text: string): string {
  return text.normalize("NFD").replace(/\p{Mark}/gu, "");
}

/** Decodes text from a device; bytes without a meaning become `?` or U+FFFD. */
export function decodeText(bytes: Uint8Array, codePage: CodePage): string {
  if (isAscii(bytes)) return Buffer.from(bytes).toString("latin1");
  // The devices with transliterated texts still hold texts that others wrote in Latin letters.
  return iconv.decode(Buffer.from(bytes), codePage === "ascii" ? "windows-1252" : codePage);
}

/**
 * Takes out what would break a frame or a field: control characters become blanks. A letter and its
 * mark become one, so that what is cut to a width is counted as it is printed.
 */
export function toPrintable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject.
  return text.normalize("NFC").replace(/[\u0000-\u001f\u007f]+/g, " ");
}

/** Text as a device prints it, in the letters of its code page. */
export function writtenText(text: string, codePage: CodePage): string {
  return decodeText(encodeText(toPrintable(text), codePage), codePage);
}

/** The same, cut to a width: one letter may be written as three. A cut is not an error. */
export function cutText(text: string, width: number, codePage: CodePage): string {
  return Array.from(writtenText(text, codePage)).slice(0, width).join("");
}

/** Romanian and other accented letters as plain ones: `Brânză` becomes `Branza`; else `?`. */
export function toPlainLetters(text: string): string {
  if (isAsciiText(text)) return text;
  return Array.from(text.normalize("NFC"), toPlainLetter).join("");
}

function toPlainLetter(letter: string): string {
  const bare = PLAIN_LETTERS[letter] ?? withoutMarks(letter);
  return Array.from(bare).every((part) => part < "\u0080") ? bare : "?";
}
