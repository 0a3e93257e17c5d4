/** Text of ZFP devices: their code page, and fields that have a width. */

import { encodeText } from "../shared/codepage.ts";

export const CODE_PAGE = "windows-1251";
const BLANK = 0x20;

/**
 * A field of so many bytes, which not every letter has one of: the text, and blanks.
 * @param most bytes of the text, where they are fewer
 */
export function textField(text: string, width: number, most = width): Uint8Array {
  const bytes = new Uint8Array(width).fill(BLANK);
  bytes.set(encodeText(text, CODE_PAGE).subarray(0, most));
  return bytes;
}
