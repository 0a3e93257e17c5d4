/** The paper of a simulated device as it comes out: each line once, when it is printed. */

import type { Books, PrintedDocument } from "../books/books.ts";
import { layDocument, layOpenDocument, type PaperLayout } from "./layout.ts";
import type { PaperLine } from "./line.ts";

/** What comes out of the printer. */
export type PaperEvent =
  | { readonly kind: "line"; readonly line: PaperLine }
  /** A document is finished and cut off. */
  | { readonly kind: "cut"; readonly number: number };

export interface PaperRollOptions {
  readonly books: Books;
  readonly layout: PaperLayout;
  readonly print: (event: PaperEvent) => void;
}

export class PaperRoll {
  readonly #options: PaperRollOptions;
  /** The document that hangs out of the printer, and how many of its lines are on paper. */
  #number: number | undefined;
  #printed = 0;

  constructor(options: PaperRollOptions) {
    this.#options = options;
  }

  /** Prints what the open document has got more of, while there is paper. */
  changed(): void {
    const { books, layout } = this.#options;
    const { open, conditions } = books;
    if (!open || conditions.paper === "out") return;
    const number = open.open === "service" ? open.number : open.head.number;
    this.#print(number, layOpenDocument(books, layout));
  }

  /** Prints the rest of a document that is finished. */
  finished(document: PrintedDocument): void {
    const { books, layout } = this.#options;
    this.#print(document.number, layDocument(document, books, layout));
    this.#options.print({ kind: "cut", number: document.number });
    this.#number = undefined;
  }

  #print(number: number, lines: readonly PaperLine[]): void {
    if (number !== this.#number) {
      this.#number = number;
      this.#printed = 0;
    }
    for (const line of lines.slice(this.#printed)) this.#options.print({ kind: "line", line });
    this.#printed = Math.max(this.#printed, lines.length);
  }
}
