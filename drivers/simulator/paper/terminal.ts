/**
 * Paper of a simulated device in a terminal: as plain text, or in the colours of paper, with bold
 * and wide characters, and pictures made of half blocks.
 *
 * Control characters never come this far: `toPaperText` has taken them out of every text.
 */

import { codePicture } from "./codes.ts";
import { isBlack } from "./dots.ts";
import { columnsOf, linesHigh, type PaperLine, type Picture, plainText, type Run } from "./line.ts";

const ESCAPE = "\u001b[";
/** Dark grey on the white of thermal paper. */
const ON_PAPER = `${ESCAPE}0;38;5;235;48;5;255m`;
const EDGE = `${ESCAPE}0;38;5;245;48;5;255m`;
const OFF = `${ESCAPE}0m`;
const MARGIN = 2;
/** Dots of a logo that are one column wide on paper. */
const COLUMN_DOTS = 12;
/** A sampled spot is black when this part of its dots is. */
const BLACK_PART = 0.4;

export interface TerminalPaper {
  /** A printed line as lines of the terminal, without line feeds. */
  line(line: PaperLine): string[];
  /** Where paper was cut off. */
  cut(): string[];
}

/** Plain text, for a file or a terminal without colours. */
export function plainPaper(columns: number): TerminalPaper {
  return {
    line(line) {
      const text = plainText(line, columns);
      return text === undefined ? [] : [text];
    },
    cut: () => [""],
  };
}

/** The looks of paper, in the escape sequences of ECMA-48 and 256 colours. */
export function colouredPaper(columns: number): TerminalPaper {
  const width = columns + 2 * MARGIN;
  const framed = (content: string, used: number) =>
    `${EDGE}\u250a${ON_PAPER}${" ".repeat(MARGIN)}${content}${ON_PAPER}` +
    `${" ".repeat(Math.max(0, columns - used) + MARGIN)}${EDGE}\u250a${OFF}`;
  return {
    line: (line) => contentOf(line, columns).map(({ text, used }) => framed(text, used)),
    cut: () => [`${EDGE}${"\u2570\u2508".padEnd(width + 1, "\u2508")}\u256f${OFF}`, ""],
  };
}

interface Content {
  readonly text: string;
  /** Columns that the text takes. */
  readonly used: number;
}

const EMPTY: Content = { text: "", used: 0 };

function contentOf(line: PaperLine, columns: number): Content[] {
  switch (line.kind) {
    case "text": {
      const used = columnsOf(line.runs);
      const spare = Math.max(0, columns - used);
      const before = line.align === "left" ? 0 : line.align === "right" ? spare : spare >> 1;
      const content = { text: " ".repeat(before) + styled(line.runs), used: before + used };
      return linesHigh(line.runs) === 2 ? [content, EMPTY] : [content];
    }
    case "pair": {
      const gap = columns - columnsOf(line.left) - columnsOf(line.right);
      const text = `${styled(line.left)}${" ".repeat(Math.max(1, gap))}${styled(line.right)}`;
      const content = { text, used: columns };
      return linesHigh([...line.left, ...line.right]) === 2 ? [content, EMPTY] : [content];
    }
    case "rule":
      return [{ text: plainText(line, columns) ?? "", used: columns }];
    case "fiscal_mark": {
      const emblem = ` ${line.letters} `;
      const used = emblem.length + 1 + line.text.length;
      const before = " ".repeat(Math.max(0, columns - used) >> 1);
      const text = `${before}${ESCAPE}7m${emblem}${ESCAPE}27m ${bold(line.text)}`;
      return [EMPTY, { text, used: before.length + used }];
    }
    case "picture":
      return logo(line.picture, columns);
    case "code":
      return code(codePicture(line.symbology, line.text), columns);
    default:
      return line satisfies never;
  }
}

/** High characters are shown bold, with an empty line below; wide ones spaced out. */
function styled(runs: readonly Run[]): string {
  return runs
    .map(({ text, look }) => {
      const shown = look.doubleWidth ? Array.from(text, (letter) => `${letter} `).join("") : text;
      const codes = [
        ...(look.bold || look.doubleHeight ? [1] : []),
        ...(look.italic ? [3] : []),
        ...(look.underline ? [4] : []),
      ];
      return codes.length === 0 ? shown : `${ESCAPE}${codes.join(";")}m${shown}${ON_PAPER}`;
    })
    .join("");
}

function bold(text: string): string {
  return `${ESCAPE}1m${text}${ON_PAPER}`;
}

/** Upper and lower half of a character by which of them is black. */
const HALVES = [" ", "\u2580", "\u2584", "\u2588"];

/** A logo, as large as it is on paper. */
function logo(picture: Picture, columns: number): Content[] {
  return blocks(picture, Math.max(COLUMN_DOTS, picture.width / columns), columns);
}

/** A code, spot by spot, so that a telephone can read it off the screen; nothing if too wide. */
function code(picture: Picture, columns: number): Content[] {
  // Without some white around it no code can be read.
  return picture.width > columns ? [] : [EMPTY, ...blocks(picture, 1, columns), EMPTY];
}

/** A picture in half blocks, two spots in a character. @param spot dots across a spot */
function blocks(picture: Picture, spot: number, columns: number): Content[] {
  const across = Math.min(columns, Math.ceil(picture.width / spot));
  const down = Math.ceil(picture.height / spot);
  const before = " ".repeat((columns - across) >> 1);
  return Array.from({ length: Math.ceil(down / 2) }, (_, row) => {
    const text = Array.from({ length: across }, (_, x) => {
      const upper = isDark(picture, { x, y: 2 * row, spot }) ? 1 : 0;
      const lower = isDark(picture, { x, y: 2 * row + 1, spot }) ? 2 : 0;
      return HALVES[upper + lower] ?? " ";
    }).join("");
    return { text: before + text, used: before.length + across };
  });
}

function isDark(picture: Picture, { x, y, spot }: { x: number; y: number; spot: number }): boolean {
  let black = 0;
  let seen = 0;
  for (let dotY = Math.floor(y * spot); dotY < (y + 1) * spot; dotY += 1) {
    for (let dotX = Math.floor(x * spot); dotX < (x + 1) * spot; dotX += 1) {
      seen += 1;
      if (isBlack(picture, dotX, dotY)) black += 1;
    }
  }
  return seen > 0 && black / seen >= BLACK_PART;
}
