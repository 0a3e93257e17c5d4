/**
 * What puts an older database in the place of another one, each in its own way: the next start takes
 * it for put back, whatever of the second place of the count of starts the power has taken along.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores } from "#db/stores/index.ts";
import { exchangeState } from "../backup/exchange-state.ts";
import { startsFile } from "../config/state-files.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { StartCount } from "./start-count.ts";

const SYSTEMD = join(import.meta.dir, "../../systemd");

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fiscald-put-back-"));
  mkdirSync(stateDir(), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const stateDir = () => join(root, "var/lib/fiscald");
const place = () => join(stateDir(), "fiscald.db");

/** A start of the gateway, as far as it counts. @returns whether it was told of a state put back */
function start(): boolean {
  const database = openDatabase(place());
  migrate(database, 1);
  const stores = createStores(database);
  if (stores.organizations.list().length === 0) {
    stores.organizations.insert({
      ...{ id: "org", name: "Shop", currency: "RON", timezone: "UTC", plan: "free" },
      ...{ createdAt: 0, updatedAt: 0 },
    });
  }
  const log = createLog({ level: "silent", clock: new FakeClock() });
  const starts = new StartCount({ stateDir: stateDir(), stores, log });
  const isPutBack = starts.count();
  starts.stop();
  database.close();
  return isPutBack;
}

const FORMER = `#!/bin/sh
case "$*" in
  *--taken-beyond*) exit 6 ;;
  "migrate --state-dir "*/natives/new) exit 0 ;;
  migrate*) echo "a database of a newer version"; exit 5 ;;
esac
`;

/** By the steps of an upgrade that goes back. */
async function goBack(): Promise<void> {
  const home = join(root, "usr/local/lib/fiscald");
  mkdirSync(home, { recursive: true });
  const begun = Math.ceil(Date.now() / 1_000);
  writeFileSync(join(home, "under-way"), `from=1.0.0\nto=1.1.0\nbegun=${begun}\nstarted=yes\n`);
  // The former version, which does not work on the database of the new one.
  const programs = join(root, "usr/local/bin");
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, "fiscald"), FORMER, { mode: 0o755 });
  const script = `. ${SYSTEMD}/steps.sh; . ${SYSTEMD}/under-way.sh; put_saved_back`;
  const variables = `root=${root} state=${stateDir()} user=fiscald`;
  const ended = await runToEnd(["sh", "-euc", `${variables}; ${script}`], {
    env: { PATH: "/usr/bin:/bin" },
  });
  expect(ended).toMatchObject({ code: 0, err: "" });
}

test.each([
  [
    "fiscald restore",
    async () => {
      const copy = join(stateDir(), "copy.db");
      copyFileSync(join(stateDir(), "before-upgrade/fiscald.db"), copy);
      exchangeState({ stateDir: stateDir(), by: "restore", database: copy, now: 0 });
    },
  ],
  ["an upgrade that goes back", goBack],
])("the database that %s puts in place is taken for put back", async (_, putBack) => {
  expect([start(), start()]).toEqual([false, false]);
  const saved = join(stateDir(), "before-upgrade");
  mkdirSync(saved);
  copyFileSync(place(), join(saved, "fiscald.db"));
  // The new version prints. What it notes of its events beside the state is not on the disk yet.
  expect(start()).toBe(false);
  expect(existsSync(startsFile(stateDir()))).toBe(true);
  await putBack();
  expect(start()).toBe(true);
});

test("an upgrade that makes the place of the count is not what tells of a state put back", async () => {
  expect([start(), start()]).toEqual([false, false]);
  // As a version that counted in the database alone has left it: the folder could not be made.
  const place = dirname(startsFile(stateDir()));
  const make = async (before: string) => {
    rmSync(place, { recursive: true });
    const variables = `root=${root} state=${stateDir()} user=fiscald`;
    const script = `. ${SYSTEMD}/steps.sh; make_state ${before}; make_state ${before}`;
    const ended = await runToEnd(["sh", "-euc", `${variables}; ${script}`]);
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(existsSync(place)).toBe(true);
  };
  await make("0.1.0");
  expect([start(), start()]).toEqual([false, false]);
  // On a machine that had no version before, the database came from elsewhere.
  await make("");
  expect(start()).toBe(true);
});

test("nothing that goes back is kept from the second place by its unit", () => {
  const unit = (name: string) => readFileSync(join(SYSTEMD, `${name}.service`), "utf8");
  const [, folders = ""] = /^StateDirectory=(.*)$/m.exec(unit("fiscald")) ?? [];
  const [, written = ""] = /^ReadWritePaths=(.*)$/m.exec(unit("fiscald-go-back")) ?? [];
  expect(folders).toContain("fiscald-starts");
  for (const name of folders.split(" ")) expect(written.split(" ")).toContain(`-/var/lib/${name}`);
});
