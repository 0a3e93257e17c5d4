/** Keeps what a simulated device printed: a text file and a picture for each document. */

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PrintedDocument } from "../books/books.ts";

const DOCUMENTS_MAX = 10_000;

export class PaperFolder {
  readonly #path: string;
  /** Names of the text files, oldest first. */
  readonly #names: string[];
  readonly #documentsMax: number;

  /**
   * @param documentsMax how many documents the folder keeps
   * @throws the error of the file system when the folder can be neither read nor made
   */
  constructor(path: string, documentsMax = DOCUMENTS_MAX) {
    mkdirSync(path, { recursive: true });
    this.#path = path;
    this.#documentsMax = documentsMax;
    this.#names = readdirSync(path)
      .filter((name) => /^\d{7}-[a-z_]+\.txt$/.test(name))
      .sort();
  }

  /**
   * Writes a document, and removes the oldest beyond what the folder may hold.
   * @param svg its picture, if one is to be kept
   */
  keep(document: PrintedDocument, lines: readonly string[], svg?: string): void {
    const number = String(document.number).padStart(7, "0");
    const name = `${number}-${document.document}.txt`;
    writeFileSync(join(this.#path, name), `${lines.join("\n")}\n`);
    if (svg !== undefined) writeFileSync(join(this.#path, pictureName(name)), svg);
    this.#names.push(name);
    if (this.#names.length <= this.#documentsMax) return;
    const oldest = this.#names.shift();
    if (oldest === undefined) return;
    rmSync(join(this.#path, oldest), { force: true });
    rmSync(join(this.#path, pictureName(oldest)), { force: true });
  }
}

/** `0000001-receipt.txt` has its picture in `0000001.svg`. */
function pictureName(textName: string): string {
  return `${textName.slice(0, textName.indexOf("-"))}.svg`;
}
