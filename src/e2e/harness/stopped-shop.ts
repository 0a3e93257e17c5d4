/** A shop whose gateway has stopped, for what is done to its database. */

import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Box } from "./box.ts";
import { registerShop, startGateway } from "./gateway.ts";
import { executable } from "./program.ts";
import { type Ended, runToEnd } from "./run-to-end.ts";

const MODE_BITS = 0o777;

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
    shop ??= setUp();
    lay(await shop, box.folder);
    await use({
      box,
      file: join(box.stateDir, "fiscald.db"),
      run: (...words) => runToEnd([program, ...words, "--state-dir", box.stateDir]),
    });
  } finally {
    await box.clear();
  }
}

/** A file or a folder that a gateway has left. */
interface Left {
  /** Below the folder that the state directory is in; a folder stands before what is in it. */
  readonly path: string;
  readonly mode: number;
  /** Absent of a folder. */
  readonly bytes?: Uint8Array;
}

/** Set up once: each test has all of it in a folder of its own, and changes no more than that. */
let shop: Promise<readonly Left[]> | undefined;

async function setUp(): Promise<readonly Left[]> {
  const box = new Box();
  try {
    const gateway = box.keep(await startGateway(box.stateDir));
    await registerShop(gateway.url);
    await gateway.stop();
    return take(box.folder);
  } finally {
    await box.clear();
  }
}

function take(folder: string): readonly Left[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return names.map((path) => {
    const place = join(folder, path);
    const stats = statSync(place);
    const mode = stats.mode & MODE_BITS;
    return stats.isDirectory() ? { path, mode } : { path, mode, bytes: readFileSync(place) };
  });
}

function lay(all: readonly Left[], folder: string): void {
  for (const { path, mode, bytes } of all) {
    const place = join(folder, path);
    if (bytes === undefined) mkdirSync(place, { mode });
    else writeFileSync(place, bytes, { mode });
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
