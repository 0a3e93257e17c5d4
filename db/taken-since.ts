/** What goes back from an upgrade asks of a database: whether the shop has sold on it since. */

import { isDamage } from "./snapshot.ts";
import type { Sqlite } from "./sqlite.ts";

/** Where a sale comes in: one that is to be printed, and one that was printed elsewhere and is stored. */
const TAKEN = ["commands", "receipts"] as const;

/**
 * Whether a command or a receipt was taken later than that.
 * @param at UTC milliseconds
 * @returns false also where damage hides it
 * @throws the database's error for all but damage
 */
export function isTakenSince(sqlite: Sqlite, at: number): boolean {
  return TAKEN.some((table) => {
    try {
      const sql = `SELECT 1 FROM ${table} WHERE created_at > ? LIMIT 1`;
      return sqlite.prepare(sql).get(at) !== undefined;
    } catch (error) {
      if (isDamage(error)) return false;
      throw error;
    }
  });
}
