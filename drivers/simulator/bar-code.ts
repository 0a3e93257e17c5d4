/** Bar codes as rows of narrow and wide bars: EAN-8, EAN-13, Code 128 B, interleaved 2 of 5. */

import { pictureOf } from "./paper-dots.ts";
import type { Picture, Symbology } from "./paper-line.ts";
import { QR_BYTES_MAX, qrCode } from "./qr-code.ts";

type BarSymbology = Exclude<Symbology, "qr">;

/** Modules of the seven-module digits of EAN, of set A. Source: GS1 General Specifications, 5.2. */
const EAN_DIGITS = [
  "0001101",
  "0011001",
  "0010011",
  "0111101",
  "0100011",
  "0110001",
  "0101111",
  "0111011",
  "0110111",
  "0001011",
];
/** Which of the six left digits are of set B, by the first digit of EAN-13. */
const EAN_PARITY = [
  "AAAAAA",
  "AABABB",
  "AABBAB",
  "AABBBA",
  "ABAABB",
  "ABBAAB",
  "ABBBAA",
  "ABABAB",
  "ABABBA",
  "ABBABA",
];
/** Narrow (1) and wide (3) modules of a digit. Source: ISO/IEC 16390. */
const ITF_DIGITS = [
  "11331",
  "31113",
  "13113",
  "33111",
  "11313",
  "31311",
  "13311",
  "11133",
  "31131",
  "13131",
];
/** Bars and spaces of the values 0 to 105 and the stop, six digits each. ISO/IEC 15417, table 1. */
const CODE_128 =
  (
    "212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231" +
    "113222123122123221223211221132221231213212223112312131311222321122321221312212322112322211" +
    "212123212321232121111323131123131321112313132113132311211313231113231311112133112331132131" +
    "113123113321133121313121211331231131213113213311213131311123311321331121312113312311332111" +
    "314111221411431111111224111422121124121421141122141221112214112412122114122411142112142211" +
    "241211221114413111241112134111111242121142121241114212124112124211411212421112421211212141" +
    "214121412121111143111341131141114113114311411113411311113141114131311141411131211412211214" +
    "211232"
  ).match(/.{6}/g) ?? [];
const CODE_128_START_B = 104;
const CODE_128_STOP = "2331112";
const BARS_HIGH_MODULES = 24;

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
      return /^[\x20-\x7e]{3,}$/.test(text) && text.length <= QR_BYTES_MAX;
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
/** QR codes that were drawn already: the same paper is looked at again and again. */
const DRAWN_CODES = new Map<string, Picture>();

/** The picture of a code whose text `isCodeText` accepts, a dot for each module. */
export function codePicture(symbology: Symbology, text: string): Picture {
  if (symbology !== "qr") return barCode(symbology, text);
  const drawn = DRAWN_CODES.get(text) ?? qrCode(text);
  // The last one that was asked for comes last, so that the first is the one to forget.
  DRAWN_CODES.delete(text);
  DRAWN_CODES.set(text, drawn);
  const [oldest] = DRAWN_CODES.keys();
  if (DRAWN_CODES.size > DRAWN_CODES_MAX && oldest !== undefined) DRAWN_CODES.delete(oldest);
  return drawn;
}

/** The bars of a text that `isCodeText` says is one of these. */
export function barCode(symbology: BarSymbology, text: string): Picture {
  const modules = modulesOf(symbology, text);
  return pictureOf(modules.length, BARS_HIGH_MODULES, (x) => modules[x] === "1");
}

function modulesOf(symbology: BarSymbology, text: string): string {
  switch (symbology) {
    case "ean8":
      return ean(text.slice(0, 4), "AAAA", text.slice(4));
    case "ean13":
      return ean(text.slice(1, 7), EAN_PARITY[Number(text[0])] ?? "", text.slice(7));
    case "interleaved":
      return interleaved(text.length % 2 === 0 ? text : `0${text}`);
    case "code128":
      return code128(text);
    default:
      return symbology satisfies never;
  }
}

function ean(left: string, parity: string, right: string): string {
  const setC = (digit: string) => inverted(EAN_DIGITS[Number(digit)] ?? "");
  const first = [...left].map((digit, index) =>
    // Set B is set C read backwards.
    parity[index] === "B" ? [...setC(digit)].reverse().join("") : (EAN_DIGITS[Number(digit)] ?? ""),
  );
  return ["101", ...first, "01010", ...[...right].map(setC), "101"].join("");
}

function inverted(modules: string): string {
  return modules.replace(/./g, (module) => (module === "0" ? "1" : "0"));
}

function interleaved(digits: string): string {
  let widths = "1111";
  for (let at = 0; at < digits.length; at += 2) {
    const bars = ITF_DIGITS[Number(digits[at])] ?? "";
    const spaces = ITF_DIGITS[Number(digits[at + 1])] ?? "";
    for (const [index, bar] of [...bars].entries()) widths += bar + (spaces[index] ?? "");
  }
  return drawn(`${widths}311`);
}

function code128(text: string): string {
  const values = Array.from(text, (character) => character.charCodeAt(0) - 32);
  const sum = values.reduce((total, value, index) => total + value * (index + 1), CODE_128_START_B);
  const symbols = [CODE_128_START_B, ...values, sum % 103].map((value) => CODE_128[value] ?? "");
  return drawn(symbols.join("") + CODE_128_STOP);
}

/** Widths of bars and spaces in turn as modules. */
function drawn(widths: string): string {
  return Array.from(widths, (width, index) =>
    (index % 2 === 0 ? "1" : "0").repeat(Number(width)),
  ).join("");
}
