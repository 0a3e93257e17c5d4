/**
 * The power fails at any write. The executable is run beside printers under strace; of what it did to
 * its disk the disks are made that a power cut leaves, and it has to go on from each.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededDice } from "#drivers/testing/dice.ts";
import { Box } from "./harness/box.ts";
import { ApiClient, startGateway } from "./harness/gateway.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { goOnAfter, nameOf } from "./power-cut/aftermath.ts";
import { chooseCuts } from "./power-cut/cuts.ts";
import { Disk } from "./power-cut/disk.ts";
import {
  canRecord,
  deedsOn,
  type Recording,
  record,
  type Watched,
  watch,
} from "./power-cut/recording.ts";

const CUTS = 20;
const RESTORE_CUTS = 6;
const SEED = 20_261_125;

const folder = mkdtempSync(join(tmpdir(), "fiscald-power-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (name: string): string => {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
};

/** Paths of the files below a folder, but for what is no file or was never written by a call. */
function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(root, name)).isFile() && !name.endsWith("-shm"))
    .sort();
}

if (await canRecord(folder)) {
  describe("a power cut", () => {
    let recording: Recording;
    beforeAll(async () => {
      recording = await record(inFolder("shop"), 2);
    });

    test("is tried on what really was written", () => {
      const { disk, calls } = recording;
      const replayed = new Disk(disk, calls);
      replayed.advance(Number.POSITIVE_INFINITY);
      const copy = join(folder, "replayed");
      replayed.writeTo(copy, "all", seededDice(0));
      expect(filesBelow(copy)).toEqual(filesBelow(disk));
      // What is in the reserve is no matter.
      for (const name of filesBelow(disk).filter((path) => !path.endsWith(".reserve"))) {
        expect([
          name,
          readFileSync(join(copy, name)).equals(readFileSync(join(disk, name))),
        ]).toEqual([name, true]);
      }
    });

    test("at any write loses nothing that was answered, and prints nothing twice", async () => {
      let [told, printed] = [0, 0];
      for (const cut of chooseCuts(recording, CUTS, SEED)) {
        const after = await goOnAfter(recording, cut);
        told += after.told;
        printed += after.printed;
      }
      expect(told).toBeGreaterThan(CUTS);
      expect(printed).toBeGreaterThan(CUTS);
    });
  });

  test("a power cut within a restore leaves the old state, the new one, or a note to restore again", async () => {
    const watched = await watch("restore-workload.ts", inFolder("restore"));
    const begun = watched.calls.find(
      ({ deed }) => deed.kind === "open" && deed.path === join(watched.folder, "mark"),
    );
    const calls = deedsOn(watched).filter(({ begin }) => begin > (begun?.begin ?? 0));
    const part = { ...watched, calls };
    for (const cut of chooseCuts(part, RESTORE_CUTS, SEED)) await restoreAfter(watched, cut);
  });
}

async function restoreAfter(
  { folder: place, disk, calls }: Watched,
  cut: ReturnType<typeof chooseCuts>[number],
): Promise<void> {
  const box = new Box();
  try {
    const cutDisk = new Disk(disk, calls);
    cutDisk.advance(cut.position);
    const copy = join(box.folder, "disk");
    cutDisk.writeTo(copy, cut.leftover, seededDice(cut.seed));
    const stateDir = join(copy, "state");
    const isHeld = existsSync(join(stateDir, "fiscald.db.damaged"));
    if (isHeld) {
      const program = await executable();
      const words = ["--state-dir", stateDir, "--http-listen=127.0.0.1:0"];
      expect(await runToEnd([program, "serve", ...words])).toMatchObject({ code: 3 });
      const [backup = ""] = readdirSync(join(place, "backups"));
      const secret = ["--backup-passphrase-file", join(place, "passphrase")];
      const file = join(place, "backups", backup);
      const again = await runToEnd([program, "restore", file, ...secret, "--state-dir", stateDir]);
      expect([again.err, again.code < 2]).toEqual(["", true]);
    }
    const gateway = box.keep(await startGateway(stateDir));
    const credentials = { email: "owner@shop.example", password: "a long password" };
    const login = await new ApiClient(gateway.url).call("POST", "/auth/login", {
      body: credentials,
    });
    expect([nameOf(cut), login.status]).toEqual([nameOf(cut), 200]);
    for (const name of ["fiscald.toml", "drivers/own.json"]) {
      expect([nameOf(cut), readFileSync(join(stateDir, name), "utf8")]).toEqual([
        nameOf(cut),
        readFileSync(join(disk, "state", name), "utf8"),
      ]);
    }
  } finally {
    await box.clear();
  }
}
