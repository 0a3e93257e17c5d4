/** A restore that is done again after it was broken off. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
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
import { stateFiles } from "../config/state-files.ts";
import { exchangeState } from "./exchange-state.ts";
import { makeBackup } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import { restoreTls } from "./restore-tls.ts";

const NOW = Date.UTC(2026, 0, 15);
const ASIDE = "fiscald.before-restore-20260115T000000Z";
const ASIDE_NEXT = "fiscald.before-restore-20260115T000001Z";

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

test("keeps the old state of each of two restores within a second", async () => {
  await restored();
  // Nothing was sold since: the old state of the second one is what the first one has put back.
  expect(await restored()).toEqual({ commands: 0, receipts: 0 });
  const commandsIn = (name: string) => {
    const database = openDatabase(join(stateDir, name, "fiscald.db"));
    const { length } = createStores(database).commands.listUnfinished();
    database.close();
    return length;
  };
  expect([ASIDE, ASIDE_NEXT].map(commandsIn)).toEqual([1, 0]);
});

test("keeps the keys of HTTPS that each of two restores within a second replaces", async () => {
  const { tls } = stateFiles(stateDir);
  const replaces = async (key: string) => {
    mkdirSync(tls, { recursive: true });
    writeFileSync(join(tls, "ca.pem"), key);
    return (await restoreTls({ file: made, stateDir, passphrase, now: NOW })).aside;
  };
  mkdirSync(tls);
  writeFileSync(join(tls, "ca.pem"), "of the backup");
  const passphrase = "long enough for a backup";
  const { file: made } = await makeBackup({
    ...{ stateDir, folder: stateDir, encryption: { passphrase, workFactor: 1 } },
    ...{ isByHand: true, isOwnAuthority: false, isUsual: false, version: "1.0.0", now: () => NOW },
  });
  const kept = [await replaces("first"), await replaces("second")];
  expect(kept).toEqual([ASIDE, ASIDE_NEXT].map((name) => join(stateDir, name)));
  const texts = kept.map((folder = "") => readFileSync(join(folder, "tls", "ca.pem"), "utf8"));
  expect(texts).toEqual(["first", "second"]);
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
