/** Versions as a gateway knows them: a place with signed lists, and a folder that stands for a machine. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores } from "#db/stores/index.ts";
import { publicKeyText, signFile } from "../../scripts/release/sign.ts";
import { loadConfig } from "../config/load-config.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { TimerQueue } from "../queue/timer-queue.ts";
import { installedAt, writeUpdateNote } from "../update/outcome-note.ts";
import { noteVersion } from "./ran-versions.ts";
import { createUpdates } from "./updates.ts";

const DAY_MS = 86_400_000;
const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
const SECRET = {
  id: Buffer.from("12345678"),
  seed: Buffer.from(d, "base64url"),
  key: Buffer.from(x, "base64url"),
};

let root: string;
let database: Database;
let clock: FakeClock;
let stopping: AbortController;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fiscald-updates-"));
  database = openDatabase(":memory:");
  clock = new FakeClock();
  stopping = new AbortController();
  migrate(database, clock.now());
});
afterEach(() => {
  database.close();
  rmSync(root, { recursive: true });
});

function put(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
async function publish(version: string): Promise<void> {
  await signFile(put("releases/SHA256SUMS", ""), SECRET, `fiscald ${version} SHA256SUMS`);
}
const stores = () => createStores(database);

function updates(from = "", stateDir = join(root, "var/lib/fiscald")) {
  const flags = new Map([
    ["state.dir", stateDir],
    ["update.from", from],
  ] as const);
  const { config } = loadConfig({ flags, file: undefined }, { environment: {}, pid: 0 });
  return createUpdates(
    {
      ...{ config, clock, database, stores: stores(), stopping: stopping.signal },
      ...{ timers: new TimerQueue(clock), log: createLog({ level: "silent", clock }) },
    },
    "1.2.0",
  );
}
const releases = () => join(root, "releases");

test("a newer version is told, with what brings it", async () => {
  put("usr/local/bin/fiscald", "");
  put("etc/fiscald/release.pub", publicKeyText(SECRET));
  await publish("1.3.0");
  const known = updates(releases());
  const archive = `${releases()}/fiscald-1.3.0-linux-${process.arch}.tar.gz`;
  expect(await known.check()).toBe(true);
  expect(known.look()).toMatchObject({
    ...{ version: "1.2.0", installedBy: "archive", canLook: true, problem: null, last: null },
    newest: { version: "1.3.0", isNewer: true, archive },
    commands: [`sudo fiscald update ${archive}`],
  });
  await publish("1.2.0");
  await known.check();
  expect(known.look().newest).toMatchObject({ version: "1.2.0", isNewer: false });
});

test("it looks by itself once a day, and only where it is told where", async () => {
  put("etc/fiscald/release.pub", publicKeyText(SECRET));
  const deaf = updates();
  expect(await deaf.check()).toBe(false);
  expect([deaf.look().canLook, clock.pendingTimers]).toEqual([false, 0]);
  await publish("1.3.0");
  const known = updates(releases());
  expect(known.look().newest).toBeNull();
  const { promise: looked, resolve } = Promise.withResolvers<void>();
  const real = known.look;
  clock.advance(DAY_MS / 2);
  const wait = setInterval(() => real().newest !== null && resolve(), 5);
  await looked;
  clearInterval(wait);
  expect(known.look().newest?.version).toBe("1.3.0");
});

test("a place that sends without end is no news, and is not read to its end", async () => {
  put("etc/fiscald/release.pub", publicKeyText(SECRET));
  const { promise: hungUp, resolve } = Promise.withResolvers<void>();
  const place = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(16_384)),
          cancel: () => resolve(),
        }),
      ),
  });
  const known = updates(place.url.origin);
  await known.check();
  expect(known.look().problem).toContain("it has more than 65536 bytes");
  await hungUp;
  place.stop(true);
});

test("a list that nobody signed for this machine is no news", async () => {
  put("etc/fiscald/release.pub", publicKeyText({ ...SECRET, key: Buffer.alloc(32, 7) }));
  await publish("1.3.0");
  const known = updates(releases());
  await known.check();
  expect(known.look()).toMatchObject({
    newest: null,
    lacksKey: false,
    problem: expect.stringContaining("not taken"),
  });
});

test("what the last update came to is told, and the versions that ran", () => {
  put("usr/bin/fiscald", "");
  const note = {
    ...{
      at: "2026-01-15T09:00:00.000Z",
      from: "1.1.0",
      to: "1.2.0",
      outcome: "went_back" as const,
    },
    ...{ reason: "it was not well", databaseRestored: true },
  };
  writeUpdateNote(installedAt(join(root, "var/lib/fiscald")).note, note);
  for (const version of ["1.1.0", "1.2.0", "1.2.0"]) {
    noteVersion(stores().appliance, version, clock.now());
    clock.advance(1_000);
  }
  const { last, versions, migrations, installedBy, commands } = updates().look();
  expect([last, installedBy]).toEqual([note, "package"]);
  expect(commands[0]).toStartWith("sudo apt install ./fiscald_<version>_");
  expect(versions.map(({ version }) => version)).toEqual(["1.2.0", "1.1.0"]);
  expect(migrations.at(-1)).toEqual({ name: "0000_init", at: "2026-01-15T10:00:00.000Z" });
});

test("of an executable that somebody starts by hand there is nothing to say but its version", () => {
  expect(updates("", join(root, "state")).look()).toMatchObject({
    ...{ installedBy: "hand", commands: [], last: null },
  });
});

test("without a key of releases it is told so, and where it looks without a login", async () => {
  put("usr/local/bin/fiscald", "");
  const known = updates("https://shop:secret@releases.invalid/fiscald");
  expect(await known.check()).toBe(true);
  expect(known.look()).toMatchObject({
    ...{ lacksKey: true, place: "https://releases.invalid/fiscald", newest: null },
    problem: expect.stringContaining("no public key"),
    // `fiscald update` takes nothing there.
    commands: [
      `tar -xzf fiscald-<version>-linux-${process.arch}.tar.gz`,
      `sudo fiscald-<version>-linux-${process.arch}/install.sh`,
    ],
  });
});

test("an update that was broken off is told with the line that goes back and begins anew", () => {
  expect(updates().look().brokenOff).toBeNull();
  const file = "/root/fiscald-1.3.0-linux-x64.tar.gz";
  const since = "2026-11-27T20:31:00Z";
  put("usr/local/lib/fiscald/under-way", `since=${since}\nfile=${file}\nto=1.3.0\n`);
  expect(updates().look().brokenOff).toEqual({
    ...{ to: "1.3.0", since, command: expect.stringMatching(/fiscald update \/root\/fiscald-1/) },
  });
  // What an older version has left names neither; nor is anything known of another state directory.
  put("usr/local/lib/fiscald/under-way", "");
  expect(updates().look().brokenOff).toMatchObject({ to: null, since: null });
  expect(updates("", join(root, "state")).look().brokenOff).toBeNull();
  // Nor does a note tell anything that cannot be read.
  rmSync(join(root, "usr/local/lib/fiscald/under-way"));
  mkdirSync(join(root, "usr/local/lib/fiscald/under-way"));
  expect(updates().look().brokenOff).toMatchObject({ to: null, since: null });
});
