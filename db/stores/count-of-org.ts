/** How many rows of a table are one organization's. */

import { count, eq } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../connection.ts";

/** Counts them; every such table has its organization in `orgId`. */
export function countOfOrg(
  orm: Database["orm"],
  table: SQLiteTable & { readonly orgId: SQLiteColumn },
  orgId: string,
): number {
  const row = orm.select({ total: count() }).from(table).where(eq(table.orgId, orgId)).get();
  return row?.total ?? 0;
}
