/** What commands reverse of stored sales, from their acceptance on. */

import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { isStanding, reversals } from "../schema/reversals.ts";
import { prepareLater } from "./prepared-query.ts";
import { insertWhole } from "./whole-row.ts";

export type Reversal = typeof reversals.$inferSelect;
export type ReversalStore = ReturnType<typeof createReversalStore>;

/** All queries on reversals. */
export function createReversalStore({ orm }: Database) {
  const insert = prepareLater(() => insertWhole(orm, reversals).onConflictDoNothing());
  const byCommand = prepareLater(() =>
    orm
      .select()
      .from(reversals)
      .where(eq(reversals.commandId, sql.placeholder("commandId"))),
  );
  const standing = prepareLater(() =>
    orm
      .select()
      .from(reversals)
      .where(
        and(
          eq(reversals.originalReceiptId, sql.placeholder("originalReceiptId")),
          eq(reversals.orgId, sql.placeholder("orgId")),
          isStanding,
        ),
      ),
  );
  const setStands = prepareLater(() =>
    orm
      .update(reversals)
      .set({ stands: sql`${sql.placeholder("stands")}` })
      .where(eq(reversals.commandId, sql.placeholder("commandId"))),
  );
  const remove = prepareLater(() =>
    orm.delete(reversals).where(eq(reversals.commandId, sql.placeholder("commandId"))),
  );
  return {
    /** Reserves what a command reverses; does nothing when that is done already. */
    reserve(reversal: Omit<Reversal, "stands">): void {
      insert.run({ ...reversal, stands: true } satisfies Reversal);
    },
    /** What the command reverses of a stored sale, whether it still counts or not. */
    of(commandId: string): Reversal | undefined {
      return byCommand.get({ commandId });
    },
    /** What counts of a sale besides the receipts that are stored. */
    listStanding(orgId: string, originalReceiptId: string): Reversal[] {
      return standing.all({ orgId, originalReceiptId });
    },
    /** Whether it counts; does nothing for a command that reverses no stored sale. */
    setStands(commandId: string, stands: boolean): void {
      setStands.run({ commandId, stands: Number(stands) });
    },
    /** The command turns out to reverse another sale. */
    remove(commandId: string): void {
      remove.run({ commandId });
    },
  };
}
