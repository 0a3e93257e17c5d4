/** Text that fits the terminal: tables whose long cells are cut, sentences that are folded. */

import { currentSurroundings } from "../config/surroundings.ts";
import { harmless, printLine } from "./output.ts";

/** Where nobody says how wide the output is, as in a pipe. */
const COLUMNS = 80;
const COLUMNS_MIN = 40;
/** No column is cut to less than this many characters. */
const CELL_MIN = 6;
const GAP = 2;
/** Ends a cell that had no room. */
export const CUT_MARK = "…";

/** Columns of the standard output: what COLUMNS says, else the terminal. */
export function outputColumns(): number {
  const said = Number(currentSurroundings().environment.COLUMNS);
  if (Number.isInteger(said) && said > 0) return Math.max(said, COLUMNS_MIN);
  const { isTTY, columns } = process.stdout;
  return isTTY && columns > 0 ? Math.max(columns, COLUMNS_MIN) : COLUMNS;
}

/** One column; a whole one is never cut, as what is pasted from it must be right. */
export interface Column<T> {
  readonly heading: string;
  readonly cell: (record: T) => string | null;
  readonly isWhole?: true;
  /** The heading and the cells where the full ones have no room. */
  readonly brief?: { readonly heading: string; readonly cell: (record: T) => string | null };
  /** Left out where there is no room, the highest first; absent for one that always stands. */
  readonly spare?: number;
}

/**
 * A table no wider than `width`, as far as whole columns allow: cells become brief first,
 * then spare columns are left out that would not fit beside cut ones, then cells are cut. Cells may hold anything.
 */
export function fittedTable<T>(
  records: readonly T[],
  columns: readonly Column<T>[],
  width: number,
): string[] {
  let shown = columns;
  let rows = rowsOf(records, shown);
  if (totalOf(widthsOf(rows)) > width) {
    shown = columns.map((column) => ({ ...column, ...column.brief }));
    rows = rowsOf(records, shown);
  }
  while (leastOf(shown, widthsOf(rows)) > width) {
    const fewer = withoutSpare(shown);
    if (fewer === undefined) break;
    shown = fewer;
    rows = rowsOf(records, shown);
  }
  const widths = widthsOf(rows);
  while (totalOf(widths) > width) {
    const widest = widestToCut(shown, widths);
    if (widest === undefined) break;
    widths[widest] = Math.max(CELL_MIN, (widths[widest] ?? 0) - 1);
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cut(cell, widths[index] ?? 0).padEnd(widths[index] ?? 0))
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

function rowsOf<T>(records: readonly T[], columns: readonly Column<T>[]): string[][] {
  return [
    columns.map(({ heading }) => heading),
    ...records.map((record) => columns.map(({ cell }) => harmless(cell(record) ?? "-"))),
  ];
}

function widthsOf([head = [], ...rows]: readonly (readonly string[])[]): number[] {
  return head.map((heading, index) =>
    Math.max(heading.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + GAP, -GAP);
}

/** How narrow it can be made by cutting. */
function leastOf(columns: readonly Column<never>[], widths: readonly number[]): number {
  return totalOf(
    widths.map((own, index) => (columns[index]?.isWhole ? own : Math.min(own, CELL_MIN))),
  );
}

/** Undefined when none can be spared. */
function withoutSpare<T>(columns: readonly Column<T>[]): readonly Column<T>[] | undefined {
  const most = Math.max(...columns.map(({ spare = 0 }) => spare));
  return most === 0 ? undefined : columns.filter(({ spare = 0 }) => spare !== most);
}

function widestToCut(columns: readonly Column<never>[], widths: readonly number[]) {
  let widest: number | undefined;
  for (const [index, { isWhole }] of columns.entries()) {
    const own = widths[index] ?? 0;
    if (isWhole || own <= CELL_MIN) continue;
    if (widest === undefined || own > (widths[widest] ?? 0)) widest = index;
  }
  return widest;
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}${CUT_MARK}` : text;
}

/** Prints a table that fits the output. */
export function printFitted<T>(records: readonly T[], columns: readonly Column<T>[]): void {
  for (const line of fittedTable(records, columns, outputColumns())) printLine(line);
}

/**
 * Folds a sentence at its spaces; a word longer than a line stays whole.
 * @param first what stands before the first line; the others are indented as far
 */
export function folded(first: string, sentence: string, width = outputColumns()): string[] {
  const lines: string[] = [];
  let line = first;
  const indent = " ".repeat(first.length);
  for (const word of harmless(sentence).split(" ")) {
    const isEmpty = line === first || line === indent;
    const next = isEmpty ? `${line}${word}` : `${line} ${word}`;
    if (next.length <= width || isEmpty) line = next;
    else {
      lines.push(line);
      line = `${indent}${word}`;
    }
  }
  return [...lines, line];
}
