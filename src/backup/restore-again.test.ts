/** A restore that is done again after it was broken off. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptedCommand } from "#core/command/command.ts";
import { damageNote, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores } from "#db/stores/index.ts";
import { exchangeState } from "./exchange-state.ts";
import { restoreBackup } from "./restore-backup.ts";

const NOW = Date.UTC(2026, 0, 15);
const ASIDE = "fiscald.before-restore-20260115T000000Z";

let stateDir: string;
let file: string;
let backup: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "fiscald-again-"));
  [file, backup] = [join(stateDir, "fiscald.db"), join(stateDir, "copy.sqlite")];
  const database = openDatabase(file);
  migrate(database, NOW);
  database.close();
  copyFileSync(file, backup);
  sellOn();
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

/** Adds a command that the backup does not know. */
function sellOn(): void {
  const database = openDatabase(file);
  // Nothing but the command is looked at.
  database.sqlite.pragma("foreign_keys = OFF");
  const at = Date.now() + 1_000;
  createStores(database).commands.insert(
    acceptedCommand({
      ...{ id: "cmd_1", orgId: "org_1", deviceId: "dev_1", type: "x_report", payload: {} },
      ...{ source: "api", createdAt: at, expiresAt: at + 180_000, simulated: false },
    }),
  );
  database.close();
}

const restored = async () =>
  (await restoreBackup({ file: backup, stateDir, passphrase: undefined, now: NOW })).findings.since;

test("tells what the old state knows more, as one that was not broken off", async () => {
  expect(await restored()).toEqual({ commands: 1, receipts: 0 });
  // Of the old database nothing is left that would count for the new one.
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test("tells it too where the old state stands aside, and its place is noted as broken off", async () => {
  mkdirSync(join(stateDir, ASIDE));
  renameSync(file, join(stateDir, ASIDE, "fiscald.db"));
  const note = `a restore was broken off: run it again; the old state is in ${ASIDE}`;
  writeFileSync(damageNote(file), `2026-01-15T00:00:00.000Z ${note}\n`);
  expect(await restored()).toEqual({ commands: 1, receipts: 0 });
});

test("leaves the state alone where the log of what comes cannot be folded into it", () => {
  // Whoever reads it keeps the log, as a disk without room does.
  const reader = openDatabase(backup);
  reader.sqlite.exec("BEGIN");
  reader.sqlite.prepare("SELECT count(*) FROM commands").get();
  const exchange = { stateDir, by: "restore", database: backup, now: NOW } as const;
  expect(() => exchangeState(exchange)).toThrow("its log could not be folded into it");
  reader.close();
  expect([existsSync(damageNote(file)), existsSync(join(stateDir, ASIDE))]).toEqual([false, false]);
  expect(exchangeState(exchange)).toBe(join(stateDir, ASIDE));
});
