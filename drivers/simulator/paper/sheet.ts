/** A sheet of paper on its way out of a simulated device: text laid out into lines. */

import { formatMinor } from "#core/money.ts";
import { timeText } from "../books/books-view.ts";
import {
  type Align,
  columnsOf,
  type Look,
  type PaperLine,
  type Picture,
  PLAIN,
  type RulePattern,
  type Run,
  type Symbology,
  toPaperText,
} from "./line.ts";
import { type PaperWords, paperWords } from "./words.ts";

/** Lines of a fixed width, in one language. */
export class Sheet {
  readonly lines: PaperLine[] = [];
  readonly words: PaperWords;
  readonly #columns: number;

  constructor(columns: number, words: PaperWords = paperWords()) {
    this.#columns = columns;
    this.words = words;
  }

  /** A way of paying, or the reason of a storno, in the paper's language. */
  name(name: string): string {
    return this.words.names[name] ?? name;
  }

  /** An instant by the device's clock; empty where there is none. */
  time(at: number): string {
    const text = timeText(at);
    return text === null ? "" : this.words.time(text);
  }

  /** Each text in the middle of a line of its own, as wide as it fits, and cut off there. */
  centred(look: Look, ...texts: readonly string[]): void {
    for (const text of texts) {
      const { doubleWidth: _, ...narrow } = look;
      const run = runOf(text, text.length > this.#fitting(look) ? narrow : look);
      const cut = { ...run, text: run.text.slice(0, this.#columns) };
      this.lines.push({ kind: "text", runs: [cut], align: "centre" });
    }
  }

  /** One line from the left, cut off where the paper ends. */
  cut(text: string, look: Look = PLAIN): void {
    const run = runOf(text, look);
    const cut = { ...run, text: run.text.slice(0, this.#columns) };
    this.lines.push({ kind: "text", runs: [cut], align: "left" });
  }

  /** Left and right on one line; on two when both do not fit. */
  pair(left: string, right: string, look: { left?: Look; right?: Look } = {}): void {
    const runs = [runOf(left, look.left ?? PLAIN), runOf(right, look.right ?? PLAIN)] as const;
    if (columnsOf(runs) < this.#columns) {
      this.lines.push({ kind: "pair", left: [runs[0]], right: [runs[1]] });
      return;
    }
    this.wrapped(left, look.left);
    const cut = runs[1].text.slice(0, this.#fitting(runs[1].look));
    this.lines.push({ kind: "text", runs: [{ ...runs[1], text: cut }], align: "right" });
  }

  amount(label: string, amountMinor: number, look: Look = PLAIN): void {
    this.pair(label, formatMinor(amountMinor), { left: look, right: look });
  }

  /** A text on as many lines as it needs. */
  wrapped(text: string, look: Look = PLAIN, align: Align = "left"): void {
    const width = this.#fitting(look);
    let rest = toPaperText(text);
    do {
      this.lines.push({ kind: "text", runs: [{ text: rest.slice(0, width), look }], align });
      rest = rest.slice(width);
    } while (rest !== "");
  }

  rule(pattern: RulePattern = "-"): void {
    this.lines.push({ kind: "rule", pattern });
  }

  picture(picture: Picture): void {
    this.lines.push({ kind: "picture", picture });
  }

  /** A code; the bars of one are drawn only where somebody looks at the paper. */
  code(text: string, symbology: Symbology, moduleDots: number): void {
    this.lines.push({ kind: "code", symbology, text, moduleDots });
  }

  fiscalMark(letters: string, text: string): void {
    this.lines.push({ kind: "fiscal_mark", letters, text });
  }

  /** Characters of this look on a line. */
  #fitting(look: Look): number {
    return look.doubleWidth ? this.#columns >> 1 : this.#columns;
  }
}

function runOf(text: string, look: Look): Run {
  return { text: toPaperText(text), look };
}
