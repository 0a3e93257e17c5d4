/** What commands reverse of stored sales, from their acceptance on. */

import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  lte,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Database } from "../connection.ts";
import {
  isStanding,
  isUnsure,
  REVERSALS_BY_NUMBER,
  REVERSALS_BY_SALE_NUMBER,
  reversals,
} from "../schema/reversals.ts";
import { rowsBy } from "./list-sql.ts";
import { prepareLater } from "./prepared-query.ts";
import { insertWhole } from "./whole-row.ts";

export type Reversal = typeof reversals.$inferSelect;
export type ReversalStore = ReturnType<typeof createReversalStore>;

/** What the order of a reversal names of the paper that it takes back. */
export type NamedPaper = Pick<Reversal, "number" | "namedAt" | "memory" | "zNumber" | "saleNumber">;

/** A paper, as it may be named. */
export interface PaperSearch {
  /** As `paperNumbers` writes it. */
  readonly number: string;
  /** Next to which the orders are listed. UTC milliseconds. */
  readonly at: number;
  /** As `memoryForm` writes those by which its printer may be named; null where none is known. */
  readonly memories: readonly string[] | null;
  /** The day of a number that begins anew each day; null for any other, and where it is not known. */
  readonly zNumber: string | null;
}

/** Of those that may be meant so many are looked at on either side of an instant, the next to it. */
const LOOKED_AT_MAX = 100;

/** All queries on reversals. */
export function createReversalStore({ orm }: Database) {
  const { commandId, orgId, acceptedFor, number, namedAt, saleNumber } = reversals;
  const p = sql.placeholder;
  const insert = prepareLater(() => insertWhole(orm, reversals).onConflictDoNothing());
  const byCommand = prepareLater(() =>
    orm
      .select()
      .from(reversals)
      .where(eq(commandId, p("commandId"))),
  );
  const standing = prepareLater(() =>
    orm
      .select()
      .from(reversals)
      .where(and(eq(acceptedFor, p("acceptedFor")), eq(orgId, p("orgId")), isStanding)),
  );
  /** On either side of an instant those next to it. */
  const next = (index: string, names: SQL, [side, order]: readonly [SQL, SQL]) =>
    prepareLater(() =>
      orm
        .select(getTableColumns(reversals))
        .from(rowsBy(reversals, index))
        .where(and(eq(orgId, p("orgId")), names, isUnsure, side))
        .orderBy(order)
        .limit(LOOKED_AT_MAX),
    );
  const unsure = (index: string, names: SQL) =>
    [
      next(index, names, [lte(namedAt, p("at")), desc(namedAt)]),
      next(index, names, [gt(namedAt, p("at")), asc(namedAt)]),
    ] as const;
  const { memory, zNumber } = reversals;
  const isOfPrinter = sql`(${p("memories")} is null or ${memory} is null
    or ${memory} in (select value from json_each(${p("memories")})))`;
  const isOfDay = sql`(${p("zNumber")} is null or ${zNumber} is null or ${zNumber} = ${p("zNumber")})`;
  const byNumber = unsure(
    REVERSALS_BY_NUMBER,
    sql`${eq(number, p("number"))} and ${isNotNull(number)} and ${isOfPrinter} and ${isOfDay}`,
  );
  const bySaleNumber = unsure(
    REVERSALS_BY_SALE_NUMBER,
    sql`${eq(saleNumber, p("saleNumber"))} and ${isNotNull(saleNumber)}`,
  );
  const setStands = prepareLater(() =>
    orm
      .update(reversals)
      .set({ stands: sql`${p("stands")}` })
      .where(eq(commandId, p("commandId"))),
  );
  return {
    /** Stores what a command reverses; does nothing when that is done already. */
    add(reversal: Omit<Reversal, "stands">): void {
      insert.run({ ...reversal, stands: true } satisfies Reversal);
    },
    /** What the command reverses, whether it still counts or not. */
    of(id: string): Reversal | undefined {
      return byCommand.get({ commandId: id });
    },
    /** What counts of those that were accepted for a sale. */
    listAcceptedFor(org: string, receiptId: string): Reversal[] {
      return standing.all({ orgId: org, acceptedFor: receiptId });
    },
    /** What counts and names a paper, but for what is surely of one sale: the next ones in time. */
    listNaming(org: string, { memories, ...paper }: PaperSearch): Reversal[] {
      const values = { ...paper, orgId: org, memories: memories && JSON.stringify(memories) };
      return byNumber.flatMap((side) => side.all(values));
    },
    /** The same by a unique sale number. @param form as `saleNumberForm` writes it */
    listNamingSale(org: string, form: string, at: number): Reversal[] {
      return bySaleNumber.flatMap((side) => side.all({ orgId: org, saleNumber: form, at }));
    },
    /** What the order of a void names is known once it is claimed. */
    name(id: string, named: NamedPaper): void {
      orm.update(reversals).set(named).where(eq(commandId, id)).run();
    },
    /** Whether it counts; does nothing for a command that reverses nothing. */
    setStands(id: string, stands: boolean): void {
      setStands.run({ commandId: id, stands: Number(stands) });
    },
  };
}
