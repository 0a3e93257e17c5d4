/** Keeps what a simulated device printed as one text file per document. */

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PrintedDocument } from "./books.ts";

const FILES_MAX = 10_000;

export class PaperFolder {
  readonly #path: string;
  readonly #names: string[];

  /** @throws the error of the file system when the folder can be neither read nor made */
  constructor(path: string) {
    mkdirSync(path, { recursive: true });
    this.#path = path;
    this.#names = readdirSync(path)
      .filter((name) => /^\d{7}-[a-z_]+\.txt$/.test(name))
      .sort();
  }

  /** Writes a document, and removes the oldest beyond what the folder may hold. */
  keep(document: PrintedDocument, lines: readonly string[]): void {
    const name = `${String(document.number).padStart(7, "0")}-${document.document}.txt`;
    writeFileSync(join(this.#path, name), `${lines.join("\n")}\n`);
    this.#names.push(name);
    if (this.#names.length <= FILES_MAX) return;
    const oldest = this.#names.shift();
    if (oldest !== undefined) rmSync(join(this.#path, oldest), { force: true });
  }
}
