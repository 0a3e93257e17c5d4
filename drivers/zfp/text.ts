/** Text of ZFP devices: their code page, and fields that have a width. */

import { cutText, encodeText } from "../shared/codepage.ts";

export const CODE_PAGE = "windows-1251";
const BLANK = 0x20;

/** Text as the device prints it, cut to a width. A cut is not an error. */
export function fitText(text: string, width: number): string {
  return cutText(text, width, CODE_PAGE);
}

/**
 * A field of so many bytes, which not every letter has one of: the text, and blanks.
 * @param most bytes of the text, where they are fewer
 */
export function textField(text: string, width: number, most = width): Uint8Array {
  const bytes = new Uint8Array(width).fill(BLANK);
  bytes.set(encodeText(text, CODE_PAGE).subarray(0, most));
  return bytes;
}
