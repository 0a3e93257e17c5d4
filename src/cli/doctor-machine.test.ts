/** What doctor says of state directories that no gateway runs on: real ones, looked at whole. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { FINDINGS } from "#core/health.ts";
import { openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { SANDBOX_CURE } from "../backup/place.ts";
import { stateFiles } from "../config/state-files.ts";
import { createApiBench } from "../modules/testing/api-bench.ts";
import { FakeClock } from "../platform/clock.ts";
import { lockStateDirectory } from "../platform/lock.ts";
import { VERSION } from "../version.ts";
import { examine } from "./doctor.ts";
import { addSettings } from "./settings-options.ts";

let folder: string;
/** A database of this version in which nothing is stored. */
let empty: string;
let printer: Server;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-doctor-"));
  empty = join(folder, "empty.db");
  const database = openDatabase(empty);
  migrate(database, Date.now());
  database.close();
  printer = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => printer.once("listening", resolve));
});
afterAll(() => {
  printer.close();
  rmSync(folder, { recursive: true });
});

/** A state directory of its own; nothing in it unless that is made. */
function stateOf(name: string): string {
  const stateDir = join(folder, name);
  mkdirSync(stateDir, { mode: 0o700 });
  return stateDir;
}

/** What is told about these things, as doctor prints it, with `DIR` for the state directory. */
function told(stateDir: string, ...about: readonly string[]): Promise<string[]> {
  return toldWith(stateDir, [], ...about);
}

/** The same with further settings. */
async function toldWith(
  stateDir: string,
  settings: readonly string[],
  ...about: readonly string[]
): Promise<string[]> {
  const command = addSettings(new Command("doctor")).action(() => undefined);
  const words = ["--state-dir", stateDir, "--http-listen", "127.0.0.1:0", ...settings];
  await command.parseAsync(words, { from: "user" });
  return (await examine(command))
    .filter((finding) => about.includes(finding.about))
    .map(({ state, text, cure }) => `${state}: ${text}${cure === undefined ? "" : ` -> ${cure}`}`)
    .map((line) => line.replaceAll(stateDir, "DIR").replaceAll(/bun \S+ /g, "fiscald "));
}

/** Changes the database of a state directory. */
function change(stateDir: string, sql: string): void {
  const { database: file } = stateFiles(stateDir);
  copyFileSync(empty, file);
  const database = openDatabase(file);
  database.sqlite.exec(sql);
  database.close();
}

const START = "fiscald serve --state-dir DIR";
const SAVE =
  "put a backup back: fiscald restore FILE --state-dir DIR; or save what is left: fiscald repair --state-dir DIR";

describe("the state directory", () => {
  test("that is not there, or is a file, is told with how to name the right one", async () => {
    const cure =
      "name the gateway's with --state-dir, /var/lib/fiscald for the service; or fiscald setup makes one";
    const gone = join(folder, "gone");
    expect(await told(gone, "State", "Gateway")).toEqual([
      `warning: it does not run -> ${START}`,
      `error: DIR does not exist -> ${cure}`,
    ]);
    const file = join(folder, "file");
    writeFileSync(file, "");
    expect(await told(file, "State")).toEqual([`error: DIR is no folder -> ${cure}`]);
  });
});

describe("the database", () => {
  const cases: Readonly<Record<string, [make: (stateDir: string) => void, told: string]>> = {
    "that is not there": [
      () => undefined,
      "warning: there is none yet -> fiscald setup --state-dir DIR",
    ],
    "that was removed under a gateway": [
      (stateDir) => copyFileSync(empty, `${stateFiles(stateDir).database}.rescued`),
      `error: it was removed; a copy is kept -> ${START}: takes it`,
    ],
    "that a restore was broken off of": [
      (stateDir) =>
        writeFileSync(
          `${stateFiles(stateDir).database}.damaged`,
          "2026-11-25 a restore was broken off: run it again\n",
        ),
      "error: 2026-11-25 a restore was broken off: run it again. Until then DIR/fiscald.db.damaged keeps everybody from working on it -> run it again, to its end: nothing is lost by that",
    ],
    "that was found damaged": [
      (stateDir) => {
        change(stateDir, "SELECT 1");
        writeFileSync(`${stateFiles(stateDir).database}.damaged`, "two pages are not whole\n");
      },
      `error: two pages are not whole; remove DIR/fiscald.db.damaged once that is mended -> ${SAVE}`,
    ],
    "that is none": [
      (stateDir) => writeFileSync(stateFiles(stateDir).database, "x".repeat(8192)),
      `error: file is not a database -> ${SAVE}`,
    ],
    "that cannot be opened": [
      (stateDir) => mkdirSync(stateFiles(stateDir).database),
      "error: unable to open database file -> fiscald check --state-dir DIR looks whether it is whole; journalctl -k shows what the disk says",
    ],
    "of an older version": [
      (stateDir) =>
        change(
          stateDir,
          "DELETE FROM schema_migrations WHERE position = (SELECT max(position) FROM schema_migrations)",
        ),
      "error: it is of an older version than this program -> fiscald serve --state-dir DIR, or fiscald migrate --state-dir DIR: both bring it up to date",
    ],
    "of a newer version": [
      (stateDir) =>
        change(stateDir, "INSERT INTO schema_migrations VALUES (9999, '9999_later', 'x', 1)"),
      "error: the database has migration 9999_later of a newer version -> install the version that made it, or restore a backup made before: fiscald restore FILE --state-dir DIR",
    ],
    "in which nothing is stored": [
      (stateDir) => change(stateDir, "SELECT 1"),
      "ok: it opens and is of this version\nwarning: nobody has set it up yet -> fiscald setup --state-dir DIR",
    ],
  };
  test.each(Object.keys(cases))("%s is told with what to do", async (name) => {
    const [make, words] = cases[name] ?? [() => undefined, ""];
    const stateDir = stateOf(name.replaceAll(" ", "-"));
    make(stateDir);
    expect((await told(stateDir, "Database", "Shop", "Printer")).join("\n")).toBe(words);
  });
});

describe("the backups that are to be made", () => {
  test("are told while nobody could make one, and not at all where none are made", async () => {
    const stateDir = stateOf("backups");
    const passphrase = join(folder, "passphrase");
    const told = (...words: readonly string[]) =>
      toldWith(stateDir, ["--backup-passphrase-file", passphrase, ...words], "Backup");
    const cure = "see /docs/backup.html of the gateway";
    expect(await toldWith(stateDir, [], "Backup")).toEqual([]);
    expect(await told()).toEqual([
      expect.stringMatching(/^error: none can be made: the passphrase cannot be read: ENOENT/),
    ]);
    writeFileSync(passphrase, "short\n");
    expect(await told()).toEqual([
      `error: none can be made: the passphrase must have 12 to 1000 characters: it is the first line of ${passphrase} -> ${cure}`,
    ]);
    writeFileSync(passphrase, "long enough for a backup\n");
    expect(await told("--backup-to", join(folder, "nowhere"))).toEqual([
      `error: none can be made: there is no folder ${join(folder, "nowhere")}: make or mount it first -> ${cure}`,
    ]);
    expect(await told("--backup-to", "usb:NOBODYS")).toEqual([
      expect.stringMatching(/^warning: no USB stick NOBODYS is plugged in(; there is .+)? -> see/),
    ]);
    expect(await told()).toEqual(["ok: every day at 03:00, to DIR/backups"]);
    expect(await told("--backup-at", "off")).toEqual([]);
  });
});

describe("a gateway that runs", () => {
  test.each([
    [FINDINGS.diskLow(), "make room: old files in before-upgrade and failed-update*, the journal"],
    [FINDINGS.databaseUnreadable("disk I/O error"), "fiscald check --state-dir DIR looks whether"],
    [FINDINGS.noTimer(), "systemctl restart fiscald; it is a defect: send fiscald diagnostics"],
    [FINDINGS.commandsStuck(1, 2), "fiscald command list --state-dir DIR shows them"],
    [
      FINDINGS.backupFailed("2026-11-25", "no stick"),
      "fiscald backup --state-dir DIR makes one now",
    ],
    [
      FINDINGS.backupUnready(`/mnt/a cannot be written to: EROFS: ${SANDBOX_CURE}`),
      "sudo systemctl edit fiscald, write [Service] and below it ReadWritePaths=",
    ],
    [FINDINGS.backupUnready("no folder"), "fiscald backup --state-dir DIR makes one now"],
    [FINDINGS.certificateEnded("2026-11-25"), "see /docs/tls.html of the gateway"],
  ])("and finds %o is told with the cure of that", async ({ code, params, text }, cure) => {
    const ok = { status: "ok" };
    const checks = {
      ...{ database: ok, timers: ok, controllers: ok, clock: ok, printers: ok },
      disk: { status: "degraded", detail: text, findings: [{ code, params }] },
    };
    const health = { status: "degraded", version: VERSION, uptimeSeconds: 1, checks };
    const gateway = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => Response.json(health),
    });
    const stateDir = stateOf(`${code}-${text.length}`);
    const lock = lockStateDirectory(stateDir);
    writeFileSync(stateFiles(stateDir).address, `${gateway.url.origin}\n`);
    expect(await told(stateDir, "Gateway")).toEqual([
      `ok: ${VERSION} at ${gateway.url.origin}`,
      expect.stringContaining(`error: disk: ${text} -> ${cure}`),
    ]);
    lock.release();
    await gateway.stop(true);
  });
});

describe("the printers, whose lines are tried while no gateway runs", () => {
  test("are told by how they are reached, and a shop without one is told too", async () => {
    const stateDir = stateOf("printers");
    const file = stateFiles(stateDir).database;
    const clock = new FakeClock(Date.now());
    const database = openDatabase(file);
    const bench = createApiBench({ registration: "open", after: { database, clock } });
    const { client, orgId } = await bench.owner();
    await bench.setPlan(orgId, "enterprise");
    const before = join(folder, "before.db");
    bench.database.sqlite.exec(`VACUUM INTO '${before}'`);
    const { port } = printer.address() as AddressInfo;
    const lines = {
      Reached: { transport: "tcp", connectionParams: { host: "127.0.0.1", port } },
      // The port for which nobody asks (RFC 863).
      Off: { transport: "tcp", connectionParams: { host: "127.0.0.1", port: 9 } },
      Unplugged: { transport: "serial", connectionParams: { address: "/dev/ttyUSB77" } },
      Cabled: { transport: "serial", connectionParams: { address: "/dev/null" } },
    };
    for (const [name, line] of Object.entries(lines)) {
      const device = { name, driver: "vendorA.isl", locationId: "shop", managedBy: "builtin" };
      const { status } = await client.post("/api/v1/devices", { ...device, ...line });
      expect(status).toBe(201);
    }
    bench.close();
    expect(await told(stateDir, "Printer")).toEqual([
      `ok: Reached: 127.0.0.1:${port} takes connections`,
      "error: Off: Cannot reach 127.0.0.1:9: connection refused -> switch it on, and check its network cable and address: fiscald detect --host 127.0.0.1 --state-dir DIR looks at its other ports",
      "error: Unplugged: /dev/ttyUSB77 is not there -> plug it in; lasting names are in /dev/serial/by-id",
      "ok: Cabled: /dev/null can be opened",
    ]);
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    renameSync(before, file);
    expect(await told(stateDir, "Shop", "Printer")).toEqual([
      expect.stringMatching(/^warning: .+ has none yet -> fiscald setup --state-dir DIR$/),
    ]);
  });
});
