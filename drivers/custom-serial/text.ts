/** Text for a device: in the characters it takes, without the words it refuses. */

import { FiscalError } from "#core/errors.ts";
import { toPlainLetters, toPrintable } from "../shared/codepage.ts";
import type { Profile } from "./compile-profile.ts";

/**
 * Writes text with the device's characters: accents come off, the profile's replacements are made.
 * @param field named in the error
 * @throws FiscalError E400 when a letter has no plain form, or a word is refused by the device
 */
export function deviceText(text: string, field: string, { text: rules }: Profile): string {
  const printable = toPrintable(text);
  const plain = toPlainLetters(printable);
  if (count(plain, "?") > count(printable, "?")) {
    throw new FiscalError("E400", `${field}: this device prints Latin letters only`);
  }
  const replaced = Array.from(plain, (letter) => {
    const instead = rules.replace[letter];
    if (instead !== undefined) return instead;
    // Devices refuse a whole line for one character above their highest.
    return letter.charCodeAt(0) > rules.highest ? "-" : letter;
  }).join("");
  const word = rules.forbidden.find((one) => replaced.toUpperCase().includes(one.toUpperCase()));
  if (word !== undefined) {
    throw new FiscalError("E400", `${field}: this device refuses the word ${word}`);
  }
  return replaced;
}

/** The same, cut to a width. A cut is not an error. @throws FiscalError E400 */
export function fitText(
  text: string,
  { field, width }: { readonly field: string; readonly width: number },
  profile: Profile,
): string {
  return deviceText(text, field, profile).slice(0, width).trimEnd();
}

function count(text: string, letter: string): number {
  return text.split(letter).length - 1;
}
