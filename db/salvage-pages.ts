/**
 * The pages of a database file as they are, where SQLite cannot say any more which table begins on which.
 * https://sqlite.org/fileformat2.html (1.3 "The Database Header", 1.5 "The Freelist", 1.6 "B-tree Pages")
 */

import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

const MAGIC = "SQLite format 3\0";
const FILE_HEADER = 100;
const PAGE_BYTES = 4_096;
/** Kinds of pages. */
const INDEX_INTERIOR = 0x02;
const TABLE_INTERIOR = 0x05;
const TABLE_LEAF = 0x0d;
const INTERIOR_HEADER = 12;

/** A file that was opened to look at its pages, and to change the first one. */
export class Pages {
  readonly #descriptor: number;
  #isFree: Set<number> | undefined;
  readonly size: number;
  readonly count: number;
  /** How many there should be; 0 where the first page does not tell. */
  readonly toldCount: number;

  constructor(file: string) {
    this.#descriptor = openSync(file, "r+");
    const header = Buffer.alloc(FILE_HEADER);
    readSync(this.#descriptor, header, 0, FILE_HEADER, 0);
    const told = header.readUInt16BE(16);
    const isPower = told >= 512 && (told & (told - 1)) === 0;
    this.size = told === 1 ? 65_536 : isPower ? told : PAGE_BYTES;
    this.count = Math.floor(fstatSync(this.#descriptor).size / this.size);
    const isHeader = header.toString("latin1", 0, MAGIC.length) === MAGIC;
    this.toldCount = isHeader ? header.readUInt32BE(28) : 0;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  page(number: number): Buffer {
    const page = Buffer.alloc(this.size);
    readSync(this.#descriptor, page, 0, this.size, (number - 1) * this.size);
    return page;
  }

  /** Where tables that have rows may begin: pages of tables that are nobody's child, and not free. */
  tableRoots(): number[] {
    const isInside = new Uint8Array(this.count + 1);
    const roots: number[] = [];
    for (const number of this.free()) if (number <= this.count) isInside[number] = 1;
    for (let number = 1; number <= this.count; number += 1) {
      if (isInside[number] === 1 && this.free().has(number)) continue;
      const page = this.page(number);
      const start = number === 1 ? FILE_HEADER : 0;
      for (const child of childrenOf(page, start)) if (child <= this.count) isInside[child] = 1;
      const kind = page[start];
      const hasRows = kind === TABLE_INTERIOR || page.readUInt16BE(start + 3) > 0;
      if ((kind === TABLE_INTERIOR || kind === TABLE_LEAF) && hasRows) roots.push(number);
    }
    return roots.filter((number) => number > 1 && isInside[number] !== 1);
  }

  /** Pages that hold nothing, as far as the first page leads to their list. */
  free(): ReadonlySet<number> {
    if (this.#isFree !== undefined) return this.#isFree;
    const found = new Set<number>();
    let trunk = this.page(1).readUInt32BE(32);
    while (trunk > 0 && trunk <= this.count && !found.has(trunk)) {
      found.add(trunk);
      const page = this.page(trunk);
      const most = Math.min(page.readUInt32BE(4), this.size / 4 - 2);
      for (let at = 0; at < most; at += 1) found.add(page.readUInt32BE(8 + 4 * at));
      trunk = page.readUInt32BE(0);
    }
    this.#isFree = found;
    return found;
  }

  /** Makes the list of tables an empty one, in a file whose new pages come at its end. */
  emptySchema(): void {
    const page = this.page(1);
    if (page.toString("latin1", 0, MAGIC.length) !== MAGIC) {
      page.fill(0, 0, FILE_HEADER);
      page.write(MAGIC, 0, "latin1");
      page.writeUInt16BE(this.size === 65_536 ? 1 : this.size, 16);
      // Fractions of a page that a payload may take, which are always these.
      page.set([64, 32, 32], 21);
      // Of the format of the schema, and text in UTF-8.
      page.writeUInt32BE(4, 44);
      page.writeUInt32BE(1, 56);
    }
    // A journal that is rolled back, no reserved bytes.
    page.set([1, 1, 0], 18);
    page.writeUInt32BE(this.count, 28);
    page.writeUInt32BE(0, 32);
    page.writeUInt32BE(0, 36);
    page.writeUInt32BE(page.readUInt32BE(24), 92);
    page.fill(0, FILE_HEADER);
    page[FILE_HEADER] = TABLE_LEAF;
    page.writeUInt16BE(this.size === 65_536 ? 0 : this.size, FILE_HEADER + 5);
    writeSync(this.#descriptor, page, 0, this.size, 0);
  }
}

function childrenOf(page: Buffer, start: number): number[] {
  const kind = page[start];
  if (kind !== TABLE_INTERIOR && kind !== INDEX_INTERIOR) return [];
  const cells = page.readUInt16BE(start + 3);
  const children = [page.readUInt32BE(start + 8)];
  for (let cell = 0; cell < cells; cell += 1) {
    const pointer = start + INTERIOR_HEADER + 2 * cell;
    if (pointer + 2 > page.length) break;
    const at = page.readUInt16BE(pointer);
    if (at + 4 <= page.length) children.push(page.readUInt32BE(at));
  }
  return children;
}
