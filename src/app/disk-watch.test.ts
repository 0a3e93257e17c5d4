import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stateFiles } from "../config/state-files.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { DiskWatch } from "./disk-watch.ts";

/** A disk that was full for a moment, with something else at the place of the reserve. */
async function full(put: (reserve: string) => unknown) {
  const stateDir = mkdtempSync(join(tmpdir(), "fiscald-disk-"));
  const { reserve } = stateFiles(stateDir);
  await put(reserve);
  const clock = new FakeClock();
  const disk = new DiskWatch({ stateDir, clock, log: createLog({ level: "silent", clock }) });
  disk.makeRoom(Object.assign(new Error("full"), { code: "ENOSPC" }));
  const look = async (): Promise<boolean> => {
    for (let time = 0; time < 2; time += 1) {
      disk.look();
      await disk.stop();
    }
    return disk.problem() === undefined;
  };
  return { look, clock, reserve, remove: () => rmSync(stateDir, { recursive: true }) };
}

test("commands are taken again where a folder has the name of the reserve", async () => {
  const { look, remove } = await full((reserve) => mkdir(reserve));
  expect(await look()).toBe(true);
  remove();
});

test("a reserve that finds no room is tried again after seconds, and then ever more seldom", async () => {
  const { look, clock, reserve, remove } = await full((reserve) =>
    symlinkSync("/dev/full", reserve),
  );
  expect(await look()).toBe(false);
  for (const seconds of [5, 10, 20, 40, 80, 160, 300]) {
    rmSync(reserve);
    clock.advance(seconds * 1000 - 1);
    expect(await look()).toBe(false);
    symlinkSync("/dev/full", reserve);
    clock.advance(1);
    expect(await look()).toBe(false);
  }
  rmSync(reserve);
  clock.advance(300_000);
  expect(await look()).toBe(true);
  remove();
});
