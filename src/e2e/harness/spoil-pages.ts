/** Damage to the pages of a database, as a bad disk does it. */

import { Database } from "bun:sqlite";
import { closeSync, openSync, writeSync } from "node:fs";

const PAGE_BYTES = 4_096;

/** Overwrites a whole page, or the beginning of it. @param page counted from 1 */
export function spoilPage(file: string, page: number, bytes = PAGE_BYTES): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(bytes, 0xff), 0, bytes, (page - 1) * PAGE_BYTES);
  closeSync(descriptor);
}

/** Overwrites the first page of a table. The database's log must be folded into it. */
export function spoilRootPage(file: string, table: string): void {
  const database = new Database(file, { readonly: true });
  const root = database
    .query<{ rootpage: number }, [string]>("SELECT rootpage FROM sqlite_schema WHERE name = ?")
    .get(table)?.rootpage;
  database.close();
  if (root === undefined) throw new Error(`there is no table ${table}`);
  spoilPage(file, root);
}
