/** The statements behind lists of commands. Each reads the index that it names and no other. */

import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  getTableName,
  gte,
  isNotNull,
  lt,
  type SQL,
  Subquery,
  sql,
} from "drizzle-orm";
import type { Database } from "../connection.ts";
import { COMMAND_INDEXES, commands, isUnfinished } from "../schema/commands.ts";

type Orm = Database["orm"];
type IndexName = (typeof COMMAND_INDEXES)[keyof typeof COMMAND_INDEXES];
export type EqualField = "deviceId" | "status" | "type";

/** An index, and the fields besides the organization to whose values it leads. */
export interface Entry {
  readonly index: IndexName;
  readonly field?: EqualField;
}

const { unfinished, byOrg, byDevice, byType, byFinalStatus, byFinalChange } = COMMAND_INDEXES;

/** Where a list may begin to read. */
export const ENTRIES = {
  unfinished: { index: unfinished },
  byOrg: { index: byOrg },
  byDevice: { index: byDevice, field: "deviceId" },
  byType: { index: byType, field: "type" },
  byFinalStatus: { index: byFinalStatus, field: "status" },
  byFinalChange: { index: byFinalChange },
} as const satisfies Record<string, Entry>;

/** What makes one list's SQL differ from another's. */
export interface Shape {
  readonly sortBy: "createdAt" | "updatedAt";
  readonly order: "asc" | "desc";
  readonly equals: readonly EqualField[];
}

const p = sql.placeholder;

/** The table, read by that index and no other: SQLite refuses a statement that cannot use it. */
export function commandsBy(index: IndexName, rest: SQL = sql``) {
  const table = sql`select * from ${commands} indexed by ${sql.identifier(index)}${rest}`;
  return new Subquery(table, getTableColumns(commands), getTableName(commands));
}

/** Reads on in the order of the list; of several entries the rows are merged. */
export function preparePage(orm: Orm, shape: Shape, entries: readonly Entry[]) {
  const [first, second] = entries.map(({ index }) =>
    orm
      .select(getTableColumns(commands))
      .from(commandsBy(index))
      .where(and(partOf(index), conditionOf(shape))),
  );
  if (first === undefined) throw new Error("a list reads at least one index");
  const whole = second === undefined ? first : first.unionAll(second);
  return whole
    .orderBy(...orderOf(shape))
    .limit(p("limit"))
    .prepare();
}

/** Reads all that an entry leads to, up to `max` rows, and puts them in order afterwards. */
export function prepareSorted(
  orm: Orm,
  shape: Shape,
  { entry, max }: { entry: Entry; max: number },
) {
  return orm
    .select(getTableColumns(commands))
    .from(commandsBy(entry.index, sql` where ${allOf(entry)} limit ${sql.raw(String(max))}`))
    .where(conditionOf(shape))
    .orderBy(...orderOf(shape))
    .limit(p("limit"))
    .prepare();
}

/** Counts what an entry leads to, up to `max`. */
export function prepareCount(orm: Orm, { entry, max }: { entry: Entry; max: number }) {
  const some = orm
    .select({ seq: commands.seq })
    .from(commandsBy(entry.index))
    .where(allOf(entry))
    .limit(max)
    .as("some");
  return orm.select({ total: count() }).from(some).prepare();
}

/** Finds the place that is `ahead` rows further on in the index, whatever else the list asks. */
export function prepareEdge(orm: Orm, shape: Shape, entry: Entry) {
  return orm
    .select({ at: commands[shape.sortBy], seq: commands.seq })
    .from(commandsBy(entry.index))
    .where(and(ofEntry(entry), between(shape)))
    .orderBy(...orderOf(shape))
    .limit(1)
    .offset(p("ahead"))
    .prepare();
}

function conditionOf(shape: Shape): SQL | undefined {
  return and(
    eq(commands.orgId, p("orgId")),
    ...shape.equals.map((field) => eq(commands[field], p(field))),
    shape.sortBy === "updatedAt" ? accepted() : undefined,
    between(shape),
  );
}

/** The positions between which the list goes on. */
function between({ sortBy }: Shape): SQL | undefined {
  const position = sql`(${commands[sortBy]}, ${commands.seq})`;
  return and(
    sql`${position} > (${p("aboveAt")}, ${p("aboveSeq")})`,
    sql`${position} < (${p("belowAt")}, ${p("belowSeq")})`,
  );
}

function allOf(entry: Entry): SQL | undefined {
  return and(ofEntry(entry), accepted());
}

function accepted(): SQL | undefined {
  return and(gte(commands.createdAt, p("from")), lt(commands.createdAt, p("to")));
}

function ofEntry({ index, field }: Entry): SQL | undefined {
  return and(
    eq(commands.orgId, p("orgId")),
    field === undefined ? undefined : eq(commands[field], p(field)),
    partOf(index),
  );
}

/** The condition of a partial index, which a query on it has to repeat. */
function partOf(index: IndexName): SQL | undefined {
  if (index === unfinished) return isUnfinished;
  return index === byFinalStatus || index === byFinalChange
    ? isNotNull(commands.finishedAt)
    : undefined;
}

function orderOf({ sortBy, order }: Shape): [SQL, SQL] {
  const direction = order === "desc" ? desc : asc;
  return [direction(commands[sortBy]), direction(commands.seq)];
}
