/**
 * Pages of an organization's commands. Each page is read in its order out of one index that the
 * code names, so that it costs what it shows however long the history is, and whether or not
 * somebody ran ANALYZE. Where a combination of filters has no index of its own, the page reads on
 * through the rarest of them.
 */

import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  getTableName,
  gte,
  isNotNull,
  lt,
  type Placeholder,
  type SQL,
  Subquery,
  sql,
} from "drizzle-orm";
import type { CommandType } from "#core/command/catalogue.ts";
import { isFiscalDocument } from "#core/command/catalogue.ts";
import { type Command, type CommandStatus, isFinal } from "#core/command/command.ts";
import type { Database } from "../connection.ts";
import { COMMAND_INDEXES, commands, isUnfinished } from "../schema/commands.ts";

export interface CommandFilter {
  readonly deviceId?: string | undefined;
  readonly status?: CommandStatus | undefined;
  readonly type?: CommandType | undefined;
  /** createdAt, inclusive. */
  readonly from?: number | undefined;
  /** createdAt, exclusive. */
  readonly to?: number | undefined;
}

export interface Page {
  readonly limit: number;
  readonly order: "asc" | "desc";
  readonly sortBy: "createdAt" | "updatedAt";
  /** The last one of the previous page. */
  readonly startAfter?: Command | undefined;
}

export type CommandLister = (orgId: string, filter: CommandFilter, page: Page) => Command[];

type IndexName = (typeof COMMAND_INDEXES)[keyof typeof COMMAND_INDEXES];

/** The table, read by that index and no other: SQLite refuses a statement that cannot use it. */
export function commandsBy(index: IndexName) {
  const table = sql`select * from ${commands} indexed by ${sql.identifier(index)}`;
  return new Subquery(table, getTableColumns(commands), getTableName(commands));
}

/** Makes the function that reads a page; it prepares a statement for each shape of query once. */
export function createCommandLister(orm: Database["orm"]): CommandLister {
  const prepared = new Map<string, ReturnType<typeof prepareList>>();
  return (orgId, filter, page) => {
    const shape = shapeOf(filter, page);
    const key = JSON.stringify(shape);
    const list = prepared.get(key) ?? prepareList(orm, shape);
    prepared.set(key, list);
    const { deviceId, status, type, from = FIRST.at, to = LAST.at } = filter;
    const { above, below } = boundsOf(filter, page);
    return list.all({
      ...{ orgId, deviceId, status, type, from, to, limit: page.limit },
      ...{ aboveAt: above.at, aboveSeq: above.seq, belowAt: below.at, belowSeq: below.seq },
    });
  };
}

/** A place in the order of a list. */
interface Position {
  readonly at: number;
  readonly seq: number;
}

/** Before and behind everything: no command has a `seq` of 0. */
const FIRST: Position = { at: Number.MIN_SAFE_INTEGER, seq: 0 };
const LAST: Position = { at: Number.MAX_SAFE_INTEGER, seq: 0 };

/** The positions between which the page lies. SQLite uses one bound of each side, so two are one. */
function boundsOf(filter: CommandFilter, page: Page): { above: Position; below: Position } {
  let above = FIRST;
  let below = LAST;
  if (page.sortBy === "createdAt") {
    if (filter.from !== undefined) above = { at: filter.from, seq: 0 };
    if (filter.to !== undefined) below = { at: filter.to, seq: 0 };
  }
  if (page.startAfter === undefined) return { above, below };
  const last = { at: page.startAfter[page.sortBy], seq: page.startAfter.seq };
  if (page.order === "asc") return { above: isBefore(above, last) ? last : above, below };
  return { above, below: isBefore(last, below) ? last : below };
}

function isBefore(a: Position, b: Position): boolean {
  return a.at < b.at || (a.at === b.at && a.seq < b.seq);
}

/** What makes one SQL text differ from another. */
interface Shape {
  readonly sortBy: Page["sortBy"];
  readonly order: Page["order"];
  readonly equals: readonly ("deviceId" | "status" | "type")[];
  /** Where to read; the rows of several are merged. */
  readonly indexes: readonly IndexName[];
}

function shapeOf(filter: CommandFilter, { sortBy, order }: Page): Shape {
  const fields = ["deviceId", "status", "type"] as const;
  const equals = fields.filter((field) => filter[field] !== undefined);
  return { sortBy, order, equals, indexes: indexesFor(filter, sortBy) };
}

function indexesFor(
  { deviceId, status, type }: CommandFilter,
  sortBy: Page["sortBy"],
): IndexName[] {
  const { unfinished, byOrg, byDevice, byType, byFinalStatus, byFinalChange } = COMMAND_INDEXES;
  if (status !== undefined && !isFinal(status)) return [unfinished];
  if (sortBy === "updatedAt") {
    return status === undefined ? [byFinalChange, unfinished] : [byFinalChange];
  }
  // The rarest first: most commands are completed, and most are fiscal documents.
  if (status === "failed" || status === "timeout") return [byFinalStatus];
  if (type !== undefined && !isFiscalDocument(type)) return [byType];
  if (deviceId !== undefined) return [byDevice];
  if (type !== undefined) return [byType];
  return status === undefined ? [byOrg] : [byFinalStatus];
}

function prepareList(orm: Database["orm"], shape: Shape) {
  const arms = shape.indexes.map((index) =>
    orm.select(getTableColumns(commands)).from(commandsBy(index)).where(conditionOf(index, shape)),
  );
  const [first, second] = arms;
  if (first === undefined) throw new Error("a list reads at least one index");
  const whole = second === undefined ? first : first.unionAll(second);
  const direction = shape.order === "desc" ? desc : asc;
  return whole
    .orderBy(direction(commands[shape.sortBy]), direction(commands.seq))
    .limit(sql.placeholder("limit"))
    .prepare();
}

function conditionOf(index: IndexName, { sortBy, equals }: Shape): SQL | undefined {
  const p = sql.placeholder;
  const position = sql`(${commands[sortBy]}, ${commands.seq})`;
  return and(
    eq(commands.orgId, p("orgId")),
    ...equals.map((field) => eq(commands[field], p(field))),
    partOf(index),
    sortBy === "updatedAt" ? gte(commands.createdAt, p("from")) : undefined,
    sortBy === "updatedAt" ? lt(commands.createdAt, p("to")) : undefined,
    sql`${position} > ${pair(p("aboveAt"), p("aboveSeq"))}`,
    sql`${position} < ${pair(p("belowAt"), p("belowSeq"))}`,
  );
}

function pair(at: Placeholder, seq: Placeholder): SQL {
  return sql`(${at}, ${seq})`;
}

/** The condition of a partial index, which a query on it has to repeat. */
function partOf(index: IndexName): SQL | undefined {
  switch (index) {
    case "commands_unfinished":
      return isUnfinished;
    case "commands_by_final_status":
    case "commands_by_final_change":
      return isNotNull(commands.finishedAt);
    default:
      return undefined;
  }
}
