/** The addresses in rows of printers of which something is open; see `keptAddress`. */

import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { outcomeHolds } from "../schema/commands.ts";
import { documentChecks } from "../schema/document-checks.ts";
import { openQuestions } from "../schema/questions.ts";
import { restoredPrinters } from "../schema/restored.ts";
import { prepareLater } from "./prepared-query.ts";

/** Those of which all rows are open. */
const OPEN = [documentChecks, openQuestions, restoredPrinters] as const;

export type PrinterAddressStore = ReturnType<typeof createPrinterAddressStore>;

/** All queries on them. */
export function createPrinterAddressStore({ orm, rows }: Database) {
  const { address: held, resolvedAt } = outcomeHolds;
  const kept = [
    prepareLater(() =>
      orm
        .selectDistinct({ address: held })
        .from(outcomeHolds)
        .where(and(isNull(resolvedAt), isNotNull(held))),
    ),
    ...OPEN.map((table) =>
      prepareLater(() =>
        orm.selectDistinct({ address: table.address }).from(table).where(isNotNull(table.address)),
      ),
    ),
  ];
  return {
    /** Each once. */
    list(): string[] {
      const rows = kept.flatMap((ofTable) => ofTable.all());
      return [...new Set(rows.flatMap(({ address }) => address ?? []))];
    },
    /** Gives an address the form that it has now. */
    renew(before: string, now: string): void {
      // Rows of these tables are known to others by their former address.
      rows.drop();
      const open = and(eq(held, before), isNull(resolvedAt));
      orm.update(outcomeHolds).set({ address: now }).where(open).run();
      for (const table of OPEN) {
        orm.update(table).set({ address: now }).where(eq(table.address, before)).run();
      }
    },
  };
}
