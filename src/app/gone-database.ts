/**
 * A database that is gone while nobody looked: removed, or cut to nothing by a power cut or a disk. A
 * start that made a new one would ask for the first set-up, and print again what tills repeat.
 */

import { existsSync, statSync } from "node:fs";
import { damageNote } from "#db/connection.ts";
import { DatabaseGone } from "#db/doubts.ts";
import { stateFiles } from "../config/state-files.ts";
import { namesIn } from "../platform/names-in.ts";
import { hasDatabase } from "./database-loss.ts";

/** What lies in a state directory only once there was a database in it. */
const TRACES =
  /^(backups|before-(upgrade|downgrade)|simulated|fiscald\.(reserve|backup\.(json|mark)|before-.*|rescued-.*))$/;

/**
 * Looks before a database is made. To be called once a rescued copy was put back.
 * @throws DatabaseGone where there was one
 */
export function requireNotGone(stateDir: string): void {
  const { database } = stateFiles(stateDir);
  const isEmpty = statSync(database, { throwIfNoEntry: false })?.size === 0;
  // Of one that is damaged, or of an exchange that was broken off, whoever opens it is told.
  if ((hasDatabase(database) && !isEmpty) || existsSync(damageNote(database))) return;
  // Where nobody may look, whoever opens it says so.
  const left = namesIn(stateDir).filter((name) => TRACES.test(name));
  if (left.length === 0) return;
  throw new DatabaseGone(
    `${database} is ${isEmpty ? "empty" : "missing"}, and ${left.toSorted().join(", ")} beside it ` +
      `${left.length === 1 ? "shows" : "show"} that it was not`,
  );
}
