/** Which backup is named where a database is damaged: the newest one of this gateway that is there. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Box } from "../e2e/harness/box.ts";
import { registerShop, startGateway } from "../e2e/harness/gateway.ts";
import { executable } from "../e2e/harness/program.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { noteOutcome } from "./kept-backups.ts";
import { makerOf } from "./maker.ts";

let box: Box;
/** Of the state directory. */
let backups: string;
let elsewhere: string;
let own: string;
beforeEach(() => {
  box = new Box();
  backups = join(box.stateDir, "backups");
  elsewhere = join(box.folder, "elsewhere");
  for (const folder of [backups, elsewhere]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(box.stateDir, "fiscald.db"), "spoilt");
  own = makerOf(box.stateDir);
});
afterEach(() => box.clear());

/** Puts a file there that is called as a backup is. @returns its path */
function place(folder: string, maker: string, day: string): string {
  const file = join(folder, `fiscald-${maker}-${day}T030000Z.tar.gz.age`);
  writeFileSync(file, "");
  return file;
}

function note(file: string, day: string): void {
  noteOutcome(box.stateDir, { last: { file, bytes: 0, createdAt: `${day}T03:00:00.000Z` } });
}

/** What is said of the damaged database. */
async function told(): Promise<string> {
  const { code, err } = await runToEnd([
    ...[await executable(), "check", "--state-dir", box.stateDir],
  ]);
  expect([code, err]).toEqual([1, expect.stringContaining("is damaged")]);
  return err;
}

/** What a person at the box is told to put back; undefined where no backup is known. */
async function named(): Promise<string | undefined> {
  return / restore (\S+) --state-dir/.exec(await told())?.[1];
}

test("is the one that was made last, and none that a clock made which was ahead", async () => {
  place(backups, own, "20991231");
  const last = place(backups, own, "20260114");
  note(last, "2026-01-14");
  expect(await named()).toBe(last);
});

test("is one that is there, where the one that was made last is not, and both are told", async () => {
  place(backups, own, "20991231");
  const earlier = place(backups, own, "20260113");
  // As on a stick that was pulled out, or that lies beside the one of its name.
  const away = join(box.folder, "stick", "fiscald-1.tar.gz.age");
  note(away, "2026-01-14");
  expect(await named()).toBe(earlier);
  expect(await told()).toContain(
    `the last good backup is of 2026-01-14T03:00:00.000Z, ${away}, which is not there now: `,
  );
  const { out } = await runToEnd([await executable(), "doctor", "--state-dir", box.stateDir]);
  expect(out).toContain(`restore ${earlier} --state-dir ${box.stateDir} (the last one: ${away}, `);
});

test("is found where backups go, also without the note of it, and is no other machine's", async () => {
  writeFileSync(join(box.stateDir, "fiscald.toml"), `[backup]\nto = "${elsewhere}"\n`);
  expect(await named()).toBeUndefined();
  place(backups, own, "20260113");
  place(elsewhere, "other-4f09c1", "20260115");
  const newest = place(elsewhere, own, "20260114");
  writeFileSync(join(box.stateDir, "fiscald.backup.json"), "{");
  expect(await named()).toBe(newest);
});

test("is one made while the clock was ahead, where there is no other", async () => {
  const ahead = place(backups, own, "20991231");
  expect(await named()).toBe(ahead);
});

test("is what the portal's lines put back", async () => {
  const stateDir = join(box.folder, "new");
  const gateway = box.keep(await startGateway(stateDir));
  const { owner } = await registerShop(gateway.url);
  const lines = async (): Promise<string> =>
    (await owner.expect<{ restore: string[] }>("GET", "/backups")).restore.join();
  expect(await lines()).toBe("");
  const [folder, maker] = [join(stateDir, "backups"), makerOf(stateDir)];
  mkdirSync(folder);
  place(folder, maker, "20991231");
  const last = place(folder, maker, "20260114");
  expect(await lines()).toContain(` restore ${last} `);
});

test("tells how much room the next one takes, and another machine's does not", async () => {
  const [program, stateDir] = [await executable(), join(box.folder, "new")];
  expect((await runToEnd([program, "migrate", "--state-dir", stateDir])).code).toBe(0);
  const file = join(box.folder, "passphrase");
  writeFileSync(file, "a passphrase for tests\n");
  const backUp = () =>
    runToEnd([
      ...[program, "backup", "--to", elsewhere, "--state-dir", stateDir],
      ...["--backup-passphrase-file", file, "--backup-work-factor", "10"],
    ]);
  truncateSync(place(elsewhere, "other-4f09c1", "20260115"), 4_000_000_000_000);
  expect(await backUp()).toMatchObject({ code: 0, err: expect.stringContaining("verified") });
  rmSync(elsewhere, { recursive: true });
  mkdirSync(elsewhere);
  truncateSync(place(elsewhere, makerOf(stateDir), "20260114"), 4_000_000_000_000);
  expect(await backUp()).toMatchObject({ code: 3, err: expect.stringContaining("and needs 4800") });
});
