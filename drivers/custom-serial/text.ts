/** Text for a device: in the characters it takes, without the words it refuses. */

import { FiscalError } from "#core/errors.ts";
import { writtenText } from "../shared/codepage.ts";
import type { Profile } from "./compile-profile.ts";

/** Latin letters alone, without accents. */
export const CODE_PAGE = "ascii";

/**
 * Writes text with the device's characters: accents come off, the profile's replacements are made.
 * @param field named in the error
 * @throws FiscalError E400 when a word is refused by the device
 */
export function deviceText(text: string, field: string, { text: rules }: Profile): string {
  const replaced = Array.from(writtenText(text, CODE_PAGE), (letter) => {
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

/**
 * Columns of a line of a slip: a command takes more than stand beside each other on the paper, where
 * that is known.
 */
export function slipColumns({ limits: { slipLine, headerText } }: Pick<Profile, "limits">): number {
  return headerText > 0 ? Math.min(slipLine, headerText) : slipLine;
}

/** Text with the device's characters, cut to a width. A cut is not an error. @throws FiscalError E400 */
export function fitText(
  text: string,
  { field, width }: { readonly field: string; readonly width: number },
  profile: Profile,
): string {
  return deviceText(text, field, profile).slice(0, width).trimEnd();
}
