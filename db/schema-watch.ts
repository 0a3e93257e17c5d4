/** Tells that another connection has taken a table or a column of ours away while we work. */

import type { Database } from "./connection.ts";
import { lostFrom } from "./own-schema.ts";

/**
 * Begins to watch. SQLite counts the changes of a schema, so that a look at one that stayed as it was
 * costs next to nothing.
 * @returns looks again, and tells as `lostFrom` does; throws the database's error
 */
export function watchSchema({ sqlite }: Pick<Database, "sqlite">): () => readonly string[] {
  const version = sqlite.prepare("PRAGMA schema_version").pluck();
  let seen = version.get();
  return () => {
    const now = version.get();
    if (now === seen) return [];
    const lost = lostFrom({ sqlite });
    if (lost.length === 0) seen = now;
    return lost;
  };
}
