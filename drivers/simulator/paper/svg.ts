/**
 * Paper of a simulated device as a picture: one SVG that needs no font, script or file beside it.
 * Lengths are dots of the printing head, 8 to the millimetre.
 */

import { codePicture } from "./codes.ts";
import { pngOf } from "./dots.ts";
import type { PaperLayout } from "./layout.ts";
import {
  type Align,
  columnsOf,
  type Look,
  linesHigh,
  type PaperLine,
  type Picture,
  type Run,
} from "./line.ts";

/** A piece of paper. */
export interface PaperPiece {
  readonly lines: readonly PaperLine[];
  /** False while it still hangs in the printer. */
  readonly isTorn: boolean;
}

const COLUMN_DOTS = 12;
const CHARACTER_DOTS = 24;
const LINE_DOTS = 29;
const BASELINE_DOTS = 20;
/** Rolls are 57 or 80 mm wide. */
const ROLL_DOTS = [456, 640];
const EDGE_DOTS = 16;
const PAD_DOTS = 34;
const GAP_DOTS = 36;
const MARGIN_DOTS = 20;
const TOOTH_DOTS = 9;
const PICTURE_GAP_DOTS = 10;
const MARK_DOTS = 58;
/** How large a dot is shown. */
const PIXELS_PER_DOT = 0.75;

const INK = [0x2a, 0x29, 0x2e];
const INK_COLOUR = "#2a292e";
const PAPER_COLOUR = "#fbfaf4";

/** Draws pieces of paper one below the other. @param title for who cannot see it */
export function paperSvg(
  pieces: readonly PaperPiece[],
  layout: PaperLayout,
  title: string,
): string {
  const print = layout.printDots ?? layout.columns * COLUMN_DOTS;
  const paper = ROLL_DOTS.find((dots) => dots >= print + 2 * EDGE_DOTS) ?? print + 2 * EDGE_DOTS;
  const pen = new Pen({ left: (paper - print) >> 1, print, columns: layout.columns });
  const drawn: string[] = [];
  let top = 0;
  for (const piece of pieces) {
    const { body, height } = pen.draw(piece.lines);
    const length = height + 2 * PAD_DOTS;
    const outline = outlineOf(paper, length, piece.isTorn);
    drawn.push(
      `<g transform="translate(${MARGIN_DOTS} ${top + MARGIN_DOTS})">`,
      `<path class="paper" d="${outline}"/>`,
      `<g transform="translate(0 ${PAD_DOTS})">${body}</g>`,
      `<path d="${outline}" fill="url(#dots)"/></g>`,
    );
    top += length + GAP_DOTS;
  }
  const width = paper + 2 * MARGIN_DOTS;
  const height = Math.max(0, top - GAP_DOTS) + 2 * MARGIN_DOTS;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width * PIXELS_PER_DOT}"`,
    ` height="${height * PIXELS_PER_DOT}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(title)}</title>${DEFINITIONS}${drawn.join("")}</svg>\n`,
  ].join("");
}

const DEFINITIONS = `<defs><style>
text{font:19.9px "DejaVu Sans Mono","Liberation Mono",Menlo,Consolas,monospace;fill:${INK_COLOUR};white-space:pre}
.b{font-weight:700}.i{font-style:italic}.paper{fill:${PAPER_COLOUR};filter:url(#shadow)}
.ink{fill:${INK_COLOUR}}.line{stroke:${INK_COLOUR};fill:none}image{image-rendering:pixelated}
</style><filter id="shadow" x="-5%" y="-5%" width="110%" height="110%">
<feDropShadow dx="0" dy="3" stdDeviation="5" flood-color="#000" flood-opacity=".28"/></filter>
<pattern id="dots" width="3" height="3" patternUnits="userSpaceOnUse">
<path d="M0 .5h3M.5 0v3" stroke="${PAPER_COLOUR}" stroke-width=".8" opacity=".35"/></pattern></defs>`;

/** Paper between two torn edges, or with a straight one where it comes out of the printer. */
function outlineOf(width: number, height: number, isTorn: boolean): string {
  const teeth = Math.round(width / TOOTH_DOTS);
  const tooth = width / teeth;
  const edge = (y: number, direction: 1 | -1) =>
    Array.from({ length: teeth }, (_, index) => {
      const at = direction === 1 ? index : teeth - index;
      // Uneven as a cutter leaves it, and the same in every picture.
      const depth = 4 + ((at * 37) % 11) / 3;
      const middle = rounded((at + direction / 2) * tooth);
      const end = rounded((at + direction) * tooth);
      return `L${middle} ${rounded(y - direction * depth)}L${end} ${y}`;
    }).join("");
  const bottom = isTorn ? edge(height, -1) : `L0 ${height}`;
  return `M0 0${edge(0, 1)}L${width} ${height}${bottom}Z`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

interface PenOptions {
  /** Where the first column begins. */
  readonly left: number;
  /** Width of all columns. */
  readonly print: number;
  readonly columns: number;
}

/** Draws lines from the top of a piece of paper down. */
class Pen {
  readonly #options: PenOptions;
  readonly #column: number;
  #body: string[] = [];
  #y = 0;

  constructor(options: PenOptions) {
    this.#options = options;
    this.#column = options.print / options.columns;
  }

  draw(lines: readonly PaperLine[]): { body: string; height: number } {
    this.#body = [];
    this.#y = 0;
    for (const line of lines) this.#line(line);
    return { body: this.#body.join(""), height: Math.max(this.#y, LINE_DOTS) };
  }

  #line(line: PaperLine): void {
    switch (line.kind) {
      case "text":
        this.#runs(line.runs, { align: line.align, high: linesHigh(line.runs) });
        this.#feed(linesHigh(line.runs));
        break;
      case "pair": {
        const high = linesHigh([...line.left, ...line.right]);
        this.#runs(line.left, { align: "left", high });
        this.#runs(line.right, { align: "right", high });
        this.#feed(high);
        break;
      }
      case "rule":
        this.#rule(line.pattern);
        break;
      case "picture":
        this.#picture(line.picture, 1);
        break;
      case "code":
        this.#picture(codePicture(line.symbology, line.text), line.moduleDots);
        break;
      case "fiscal_mark":
        this.#mark(line.letters, line.text);
        break;
      default:
        line satisfies never;
    }
  }

  #feed(high: number): void {
    this.#y += LINE_DOTS + (high - 1) * CHARACTER_DOTS;
  }

  #runs(runs: readonly Run[], { align, high }: { align: Align; high: 1 | 2 }): void {
    const spare = this.#options.columns - columnsOf(runs);
    let column = align === "left" ? 0 : align === "right" ? spare : spare / 2;
    for (const { text, look } of runs) {
      const wide = look.doubleWidth ? 2 : 1;
      // Words are placed one by one, so that columns stand whatever the font.
      for (const { 0: words, index } of text.matchAll(/\S+(?: \S+)*/g)) {
        this.#words(words, look, { column: column + index * wide, high });
      }
      column += text.length * wide;
    }
  }

  #words(words: string, look: Look, { column, high }: { column: number; high: 1 | 2 }): void {
    const wide = look.doubleWidth ? 2 : 1;
    const tall = look.doubleHeight ? 2 : 1;
    const x = rounded(this.#options.left + column * this.#column);
    // Characters of one line stand on one baseline, high ones and others.
    const y = rounded(this.#y + BASELINE_DOTS + (high - 1) * CHARACTER_DOTS);
    const length = rounded(words.length * this.#column);
    const classes = [look.bold ? "b" : "", look.italic ? "i" : ""].filter((name) => name !== "");
    const place =
      wide === 1 && tall === 1
        ? `x="${x}" y="${y}"`
        : `transform="translate(${x} ${y}) scale(${wide} ${tall})"`;
    const named = classes.length === 0 ? "" : ` class="${classes.join(" ")}"`;
    const fitted = `textLength="${length}" lengthAdjust="spacingAndGlyphs"`;
    this.#body.push(`<text${named} ${place} ${fitted}>${escapeXml(words)}</text>`);
    if (look.underline) {
      this.#body.push(`<path class="line" stroke-width="2" d="M${x} ${y + 4}h${length * wide}"/>`);
    }
  }

  #rule(pattern: string): void {
    const { left, print } = this.#options;
    const y = this.#y + LINE_DOTS / 2;
    const rows = pattern === "=" ? [y - 3, y + 3] : [y];
    const dash = pattern === "- " ? [1.2, 0.8] : [0.72, 0.28];
    const dashes =
      pattern === "="
        ? ""
        : ` stroke-dasharray="${dash.map((part) => rounded(part * this.#column)).join(" ")}"`;
    const d = rows.map((row) => `M${left} ${row}h${print}`).join("");
    this.#body.push(`<path class="line" stroke-width="2"${dashes} d="${d}"/>`);
    this.#y += LINE_DOTS;
  }

  #picture(picture: Picture, dots: number): void {
    const { left, print } = this.#options;
    const scale = Math.min(dots, print / picture.width);
    const width = rounded(picture.width * scale);
    const height = rounded(picture.height * scale);
    const x = rounded(left + (print - width) / 2);
    const data = Buffer.from(pngOf(picture, INK)).toString("base64");
    this.#y += PICTURE_GAP_DOTS;
    this.#body.push(
      `<image x="${x}" y="${this.#y}" width="${width}" height="${height}" `,
      `href="data:image/png;base64,${data}"/>`,
    );
    this.#y += height + PICTURE_GAP_DOTS;
  }

  /** An emblem with letters, and the text beside it. */
  #mark(letters: string, text: string): void {
    const { left, print } = this.#options;
    const wide = Math.min(2 * this.#column, (print - MARK_DOTS - 20) / text.length);
    const length = rounded(wide * text.length);
    const x = rounded(left + (print - MARK_DOTS - 14 - length) / 2);
    const y = this.#y + PICTURE_GAP_DOTS;
    const middle = y + MARK_DOTS / 2;
    this.#body.push(
      `<g transform="translate(${x} ${y})"><rect class="ink" width="${MARK_DOTS}" `,
      `height="${MARK_DOTS}" rx="12"/><rect x="5" y="5" width="${MARK_DOTS - 10}" `,
      `height="${MARK_DOTS - 10}" rx="8" fill="none" stroke="${PAPER_COLOUR}" stroke-width="2"/>`,
      `<text class="b" transform="translate(${MARK_DOTS / 2 - 16} 37) scale(1 1.2)" `,
      `style="fill:${PAPER_COLOUR}" textLength="32" lengthAdjust="spacingAndGlyphs">`,
      `${escapeXml(letters)}</text></g>`,
      `<text class="b" transform="translate(${x + MARK_DOTS + 14} ${middle + 13}) `,
      `scale(${rounded(wide / this.#column)} 1.6)" `,
      `textLength="${rounded(text.length * this.#column)}" lengthAdjust="spacingAndGlyphs">`,
      `${escapeXml(text)}</text>`,
    );
    this.#y = y + MARK_DOTS + PICTURE_GAP_DOTS;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it may stand in XML and HTML, in content and in attributes. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
