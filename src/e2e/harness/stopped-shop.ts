/** A shop whose gateway has stopped, for what is done to its database. */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { Box } from "./box.ts";
import { layShop } from "./left-shop.ts";
import { executable } from "./program.ts";
import { type Ended, runToEnd } from "./run-to-end.ts";

export interface StoppedShop {
  readonly box: Box;
  /** Path of the database. */
  readonly file: string;
  /** Runs a command on the state directory. */
  run(...words: readonly string[]): Promise<Ended>;
}

/** Uses a copy of a shop that was set up, and whose gateway was stopped. */
export async function inStoppedShop(use: (shop: StoppedShop) => Promise<void>): Promise<void> {
  const box = new Box();
  try {
    const program = await executable();
    await layShop(box.folder);
    await use({
      box,
      file: join(box.stateDir, "fiscald.db"),
      run: (...words) => runToEnd([program, ...words, "--state-dir", box.stateDir]),
    });
  } finally {
    await box.clear();
  }
}

/** Changes a database as an own connection sees it, and folds its log into it. */
export function withDatabase<T>(file: string, work: (database: Database) => T): T {
  const database = new Database(file);
  try {
    // A gateway that runs may be writing.
    database.run("PRAGMA busy_timeout = 5000");
    const result = work(database);
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    return result;
  } finally {
    // Not only once its statements are collected: its log would go away in the midst of what follows.
    database.close(true);
  }
}
