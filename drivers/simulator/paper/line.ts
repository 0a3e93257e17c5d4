/** What stands on the paper of a simulated device: lines, their looks, and the same as plain text. */

/** How characters are printed; what is left out is not set. */
export interface Look {
  readonly bold?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly doubleHeight?: true;
  /** Each character takes two columns. */
  readonly doubleWidth?: true;
}

export type Align = "left" | "centre" | "right";

/** Bar codes that devices print. */
export type Symbology = "ean8" | "ean13" | "code128" | "interleaved" | "qr";

/** What a printing command may ask for instead of a plain line of text. */
export type TextForm =
  | { readonly form: "styled"; readonly look: Look; readonly align: Align }
  | { readonly form: "rule"; readonly pattern: RulePattern }
  /** The text is what the code says. */
  | { readonly form: "code"; readonly symbology: Symbology; readonly moduleDots: number };

/** What a ruler consists of, repeated over the width of the paper. */
export type RulePattern = "-" | "- " | "=";

/** Characters of one look. */
export interface Run {
  readonly text: string;
  readonly look: Look;
}

/** Dots in black and white. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Rows from the top, 8 dots a byte, the leftmost in bit 7; 1 is black. */
  readonly rows: readonly Uint8Array[];
}

export type PaperLine =
  | { readonly kind: "text"; readonly runs: readonly Run[]; readonly align: Align }
  /** Left and right on one line, which both fit on. */
  | { readonly kind: "pair"; readonly left: readonly Run[]; readonly right: readonly Run[] }
  | { readonly kind: "rule"; readonly pattern: RulePattern }
  /** A picture in the middle of the paper, dot for dot. */
  | { readonly kind: "picture"; readonly picture: Picture }
  /** A code in the middle of the paper; a module of it is `moduleDots` wide. */
  | {
      readonly kind: "code";
      readonly symbology: Symbology;
      readonly text: string;
      readonly moduleDots: number;
    }
  /** The sign that only fiscal documents carry: an emblem with these letters, and text. */
  | { readonly kind: "fiscal_mark"; readonly letters: string; readonly text: string };

export const PLAIN: Look = {};

/** Columns that the characters of runs take. */
export function columnsOf(runs: readonly Run[]): number {
  return runs.reduce(
    (columns, { text, look }) => columns + text.length * (look.doubleWidth ? 2 : 1),
    0,
  );
}

/** How many lines of text high a line is. */
export function linesHigh(runs: readonly Run[]): 1 | 2 {
  return runs.some(({ look }) => look.doubleHeight) ? 2 : 1;
}

/** A line as text without looks, at most `columns` wide; undefined for pictures and codes. */
export function plainText(line: PaperLine, columns: number): string | undefined {
  switch (line.kind) {
    case "text":
      return aligned(textOf(line.runs), line.align, columns);
    case "pair": {
      const left = textOf(line.left);
      return left + textOf(line.right).padStart(columns - left.length);
    }
    case "rule":
      return line.pattern.repeat(columns).slice(0, columns);
    case "fiscal_mark":
      return aligned(line.text, "centre", columns);
    case "picture":
    case "code":
      return undefined;
    default:
      return line satisfies never;
  }
}

function textOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join("");
}

function aligned(text: string, align: Align, columns: number): string {
  if (align === "left") return text;
  if (align === "right") return text.padStart(columns);
  return " ".repeat(Math.max(0, columns - text.length) >> 1) + text;
}

/** Stands for a character that no printer prints. */
const UNPRINTABLE = "\u00b7";

/**
 * Text as paper can show it. Control and formatting characters and halves of characters print
 * nothing on a device; here they are shown as a dot, so that they neither reach a terminal nor
 * make a picture of the paper unreadable for whoever reads XML.
 */
export function toPaperText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffe\uffff]/gu, UNPRINTABLE)
    .replace(/\p{Cs}/gu, UNPRINTABLE);
}
