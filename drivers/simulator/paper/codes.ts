/** Codes on paper: EAN-8, EAN-13, Code 128, interleaved 2 of 5, QR at error correction level M. */

import type { Picture, Symbology } from "./line.ts";

/** Most characters that a QR code takes: as many bytes as version 10 holds at level M. */
export const QR_TEXT_MAX = 213;

/** Whether a device takes this text for a code of this kind. Source: Datecs X manual 2.02, 84. */
export function isCodeText(symbology: Symbology, text: string): boolean {
  switch (symbology) {
    case "ean8":
      return /^\d{8}$/.test(text);
    case "ean13":
      return /^\d{13}$/.test(text);
    case "interleaved":
      return /^\d{3,22}$/.test(text);
    case "code128":
      return /^[\x20-\x7e]{3,31}$/.test(text);
    case "qr":
      return /^[\x20-\x7e]{3,}$/.test(text) && text.length <= QR_TEXT_MAX;
    default:
      return symbology satisfies never;
  }
}

/** The check digit of an EAN whose other digits these are. */
export function eanCheckDigit(digits: string): number {
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    sum += Number(digit) * (index % 2 === 0 ? 3 : 1);
  }
  return (10 - (sum % 10)) % 10;
}

/** As many as documents that are kept as paper, each of which mostly has one. */
const DRAWN_CODES_MAX = 256;
/** Codes that were drawn already: the same paper is looked at again and again. */
const DRAWN_CODES = new Map<string, Picture>();

/** The picture of a code whose text `isCodeText` accepts, a dot for each module. */
export function codePicture(symbology: Symbology, text: string): Picture {
  const key = `${symbology} ${text}`;
  const drawn = DRAWN_CODES.get(key) ?? draw(symbology, text);
  // The last one that was asked for comes last, so that the first is the one to forget.
  DRAWN_CODES.delete(key);
  DRAWN_CODES.set(key, drawn);
  const [oldest] = DRAWN_CODES.keys();
  if (DRAWN_CODES.size > DRAWN_CODES_MAX && oldest !== undefined) DRAWN_CODES.delete(oldest);
  return drawn;
}

function draw(symbology: Symbology, text: string): Picture {
  const { drawCode }: typeof import("./draw-code.ts") = require("./draw-code.ts");
  return drawCode(symbology, text);
}
