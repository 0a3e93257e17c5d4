/**
 * The power fails at any write. The executable is run beside printers under strace; of what it did to
 * its disk the disks are made that a power cut leaves, and it has to go on from each.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededDice } from "#drivers/testing/dice.ts";
import { goOnAfter } from "./power-cut/aftermath.ts";
import { chooseCuts } from "./power-cut/cuts.ts";
import { Disk } from "./power-cut/disk.ts";
import { canRecord, type Recording, record } from "./power-cut/recording.ts";
import {
  goOnAfterUpkeep,
  partOf,
  recordUpkeep,
  turningPointsOf,
  type Upkeep,
} from "./power-cut/upkeep-aftermath.ts";
import { CHORES } from "./power-cut/upkeep-story.ts";

const CUTS = 20;
const UPKEEP_CUTS = 2;
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

  describe("a power cut amid the upkeep", () => {
    let upkeep: Upkeep;
    beforeAll(async () => {
      upkeep = await recordUpkeep(inFolder("upkeep"));
    });

    for (const chore of CHORES) {
      test(`${chore}: leaves the old state or the new one, or says what to run again`, async () => {
        const points = turningPointsOf(partOf(upkeep, chore));
        for (const cut of chooseCuts(points, UPKEEP_CUTS, SEED)) {
          await goOnAfterUpkeep(upkeep, chore, cut);
        }
      });
    }
  });
}
