/**
 * What each page of a damaged file is: whether all that it held can still belong to the tables that are
 * found in it. https://sqlite.org/fileformat2.html (1.6 "B-tree Pages", 1.7 "Cell Payload Overflow Pages")
 */

import type { Pages } from "./salvage-pages.ts";

const INDEX_INTERIOR = 0x02;
const TABLE_INTERIOR = 0x05;
const INDEX_LEAF = 0x0a;
const TABLE_LEAF = 0x0d;
const KINDS: readonly number[] = [INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF];
const FILE_HEADER = 100;
const LEAF_HEADER = 8;
const INTERIOR_HEADER = 12;
const POINTER_BYTES = 4;
/** SQLite locks the bytes that begin here, and writes nothing on their page. */
const LOCK_BYTE = 0x4000_0000;

export interface Account {
  /** Pages whose content is nobody's: unreadable, or of what was. */
  readonly strays: number;
  /** Pages that are referred to, and are not in the file. */
  readonly missing: number;
  /** Tables without rows that begin in the file. */
  readonly emptyRoots: number;
}

/** Looks at all pages. The list of tables, which is on the first page and those below, counts as known. */
export function accountFor(pages: Pages): Account {
  const { count } = pages;
  const [isKnown, isChild] = [new Uint8Array(count + 1), new Uint8Array(count + 1)];
  const empty: number[] = [];
  let missing = Math.max(0, pages.toldCount - count);
  const note = (marks: Uint8Array, numbers: Iterable<number>): void => {
    for (const number of numbers) {
      if (number >= 1 && number <= count) marks[number] = 1;
      else missing += 1;
    }
  };
  note(isKnown, [1, ...[lockPage(pages)].filter((number) => number <= count)]);
  note(isKnown, pages.free());
  const list = treePageOf(pages.page(1), FILE_HEADER);
  if (list?.kind === TABLE_INTERIOR) note(isKnown, list.children);
  for (let number = 2; number <= count; number += 1) {
    if (pages.free().has(number)) continue;
    const page = treePageOf(pages.page(number), 0);
    if (page === undefined) continue;
    isKnown[number] = 1;
    note(isChild, page.children);
    for (const chain of page.chains) note(isKnown, overflowOf(pages, chain));
    if (page.kind === TABLE_LEAF && page.cells === 0) empty.push(number);
  }
  return {
    strays: isKnown.subarray(1).filter((mark) => mark === 0).length,
    missing,
    emptyRoots: empty.filter((number) => isChild[number] !== 1).length,
  };
}

function lockPage({ size }: Pages): number {
  return Math.floor(LOCK_BYTE / size) + 1;
}

interface TreePage {
  readonly kind: number;
  readonly cells: number;
  readonly children: readonly number[];
  readonly chains: readonly Chain[];
}

/** The pages that a long row goes on over. */
interface Chain {
  readonly first: number;
  readonly bytes: number;
}

/** Undefined for what is none, or none that SQLite would read. */
function treePageOf(page: Buffer, start: number): TreePage | undefined {
  const kind = page[start] ?? 0;
  if (!KINDS.includes(kind)) return undefined;
  const isInterior = kind === INDEX_INTERIOR || kind === TABLE_INTERIOR;
  const header = start + (isInterior ? INTERIOR_HEADER : LEAF_HEADER);
  const cells = page.readUInt16BE(start + 3);
  const first = header + 2 * cells;
  if (first > page.length) return undefined;
  const children = isInterior ? [page.readUInt32BE(start + 8)] : [];
  const chains: Chain[] = [];
  for (let cell = 0; cell < cells; cell += 1) {
    const at = page.readUInt16BE(header + 2 * cell);
    if (at < first || at + POINTER_BYTES > page.length) return undefined;
    if (isInterior) children.push(page.readUInt32BE(at));
    const chain = kind === TABLE_INTERIOR ? undefined : chainAt(page, at, kind);
    if (chain !== undefined) chains.push(chain);
  }
  return { kind, cells, children, chains };
}

/** Where the content of a cell goes on; undefined where all of it is there. */
function chainAt(page: Buffer, start: number, kind: number): Chain | undefined {
  const payload = numberAt(page, kind === INDEX_INTERIOR ? start + POINTER_BYTES : start);
  const body = kind === TABLE_LEAF ? numberAt(page, payload.end).end : payload.end;
  // None of our databases reserves bytes at the ends of pages.
  const usable = page.length;
  const most = kind === TABLE_LEAF ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (payload.value <= most) return undefined;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((payload.value - least) % (usable - POINTER_BYTES));
  const local = fitting <= most ? fitting : least;
  if (body + local + POINTER_BYTES > page.length) return undefined;
  return { first: page.readUInt32BE(body + local), bytes: payload.value - local };
}

/** A number of up to nine bytes, of which ours take less than seven. */
function numberAt(page: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = start; at < start + 9; at += 1) {
    const byte = page[at] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return { value, end: start + 9 };
}

function* overflowOf(pages: Pages, { first, bytes }: Chain): Generator<number> {
  let [next, left] = [first, bytes];
  while (left > 0) {
    yield next;
    if (next < 1 || next > pages.count) return;
    left -= pages.size - POINTER_BYTES;
    next = pages.page(next).readUInt32BE(0);
  }
}
