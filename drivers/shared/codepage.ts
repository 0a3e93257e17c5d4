/** Text to and from the one-byte code pages of printers. */

import { isAscii } from "node:buffer";
import iconv from "iconv-lite";
import { FiscalError } from "#core/errors.ts";

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

/** The letters of a text that a device could only print as `?`, each once. */
function lostLetters(text: string, codePage: CodePage): string[] {
  if (isAsciiText(text)) return [];
  const letters = new Set(toPrintable(text));
  return [...letters].filter(
    (letter) => letter !== LOST && writtenText(letter, codePage).includes(LOST),
  );
}

/**
 * For what stays on a device and is printed again and again, as the lines above and below each receipt: a
 * person has typed it, and can type it otherwise. What is printed once is printed with `?` for such a
 * letter: no sale is held up by the name of an item.
 * @param field of the payload, for the message
 * @throws FiscalError E400 that names the letters
 */
export function requireLetters(field: string, text: string, codePage: CodePage): void {
  const lost = lostLetters(text, codePage);
  if (lost.length === 0) return;
  const named = lost.slice(0, NAMED_LETTERS_MAX).map(shownLetter).join(", ");
  const rest = lost.length > NAMED_LETTERS_MAX ? ", ..." : "";
  throw new FiscalError("E400", `${field}: this device has no letter for ${named}${rest}`);
}

/** Of a line in another script there are dozens. */
const NAMED_LETTERS_MAX = 10;

function shownLetter(letter: string): string {
  if (!/[\p{C}\p{Z}]/u.test(letter)) return letter;
  return `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
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
function toPlainLetters(text: string): string {
  if (isAsciiText(text)) return text;
  return Array.from(text.normalize("NFC"), toPlainLetter).join("");
}

function toPlainLetter(letter: string): string {
  const bare = PLAIN_LETTERS[letter] ?? withoutMarks(letter);
  return Array.from(bare).every((part) => part < "\u0080") ? bare : "?";
}
