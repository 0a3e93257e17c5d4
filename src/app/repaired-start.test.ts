/** Whatever a repair could not save, the start behind it knows that the state was repaired. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores } from "#db/stores/index.ts";
import { repairState } from "../backup/repair-state.ts";
import { startsFile, stateFiles } from "../config/state-files.ts";
import { spoilRootPage } from "../e2e/harness/spoil-pages.ts";
import { withDatabase } from "../e2e/harness/stopped-shop.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { StartCount } from "./start-count.ts";

const usualPlace = () => ({ currency: "EUR", timezone: "UTC" }) as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-repaired-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function inDatabase<T>(stateDir: string, work: (database: Database) => T): T {
  const database = openDatabase(stateFiles(stateDir).database);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Starts and stops. @returns whether it knows that the state was put back, or repaired */
function start(stateDir: string): boolean {
  const log = createLog({ level: "silent", clock: new FakeClock() });
  return inDatabase(stateDir, (database) => {
    const starts = new StartCount({ stateDir, stores: createStores(database), log });
    const isPutBack = starts.count();
    starts.stop();
    return isPutBack;
  });
}

/** What a start says follows from it. */
const goOn = (stateDir: string) =>
  inDatabase(stateDir, (database) => createStores(database).appliance.endPutBack());

/** A shop that was used, and started some times. */
function usedState(name: string): string {
  const stateDir = join(folder, name);
  mkdirSync(stateDir);
  inDatabase(stateDir, (database) => {
    migrate(database, 1);
    const { organizations, audit } = createStores(database);
    const [orgId, at] = ["org", 1];
    organizations.insert({
      ...{ id: orgId, name: "Shop", currency: "RON", timezone: "UTC", plan: "free" },
      ...{ createdAt: at, updatedAt: at },
    });
    audit.append({ orgId, at, actor: "box", action: "backup.begun", resource: "x", details: {} });
  });
  for (let count = 0; count < 3; count += 1) expect(start(stateDir)).toBe(false);
  withDatabase(stateFiles(stateDir).database, () => undefined);
  return stateDir;
}

const LOSSES: Readonly<Record<string, (file: string, table: string) => void>> = {
  dropped: (file, table) =>
    withDatabase(file, (database) => {
      database.run("PRAGMA foreign_keys = OFF");
      database.run(`DROP TABLE ${table}`);
    }),
  overwritten: spoilRootPage,
};

test.each(Object.keys(LOSSES))("every single table that is %s", (loss) => {
  const used = usedState(`used-${loss}`);
  const tables = withDatabase(stateFiles(used).database, (database) =>
    database
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .all()
      .map(({ name }) => name),
  );
  expect(tables).toContain("appliance_values");
  const known = tables.map((table) => {
    const stateDir = join(folder, `${loss}-${table}`);
    const { database: file } = stateFiles(stateDir);
    mkdirSync(stateDir);
    copyFileSync(stateFiles(used).database, file);
    mkdirSync(join(startsFile(stateDir), ".."));
    copyFileSync(startsFile(used), startsFile(stateDir));
    LOSSES[loss]?.(file, table);
    repairState(stateDir, { now: 2, usualPlace });
    // A start that is cut off before it has said what follows is none.
    const starts = [start(stateDir), start(stateDir)];
    goOn(stateDir);
    return [table, ...starts, start(stateDir)];
  });
  expect(known).toEqual(tables.map((table) => [table, true, true, false]));
});
