/** A database that is gone at a start: no second shop begins in the first one's place. */

import { beforeAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Box } from "./harness/box.ts";
import { registerShop, startGateway } from "./harness/gateway.ts";
import { executable } from "./harness/program.ts";
import { type Ended, runToEnd } from "./harness/run-to-end.ts";

let program: string;
beforeAll(async () => {
  program = await executable();
});

const PASSPHRASE = "a passphrase for tests";

interface Scene {
  readonly box: Box;
  readonly file: string;
  /** Path of a backup that was made of the shop. */
  readonly backup: string;
  /** Runs a command on the state directory. */
  run(...words: readonly string[]): Promise<Ended>;
}

/** A shop that was set up and backed up, and whose gateway has stopped. */
async function inShop(use: (scene: Scene) => Promise<void>): Promise<void> {
  const box = new Box();
  const run = (...words: readonly string[]) =>
    runToEnd([program, ...words, "--state-dir", box.stateDir], { stdin: `${PASSPHRASE}\n` });
  try {
    const gateway = box.keep(await startGateway(box.stateDir));
    await registerShop(gateway.url);
    const { out, code } = await run("backup", "--json", "--passphrase-stdin");
    expect(code).toBe(0);
    await gateway.stop();
    await use({ box, run, file: join(box.stateDir, "fiscald.db"), backup: JSON.parse(out).file });
  } finally {
    await box.clear();
  }
}

const LOSSES: readonly (readonly [string, string, (file: string) => void])[] = [
  [
    "removed",
    "missing",
    (file) => {
      for (const part of ["", "-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
    },
  ],
  ["cut to nothing", "empty", (file) => truncateSync(file, 0)],
];

test.each(LOSSES)(
  "one that was %s is refused by every command, with the backup that puts it back",
  (_, word, lose) =>
    inShop(async ({ box, file, backup, run }) => {
      lose(file);
      const before = readdirSync(box.stateDir).toSorted();
      for (const words of [
        ["serve", "--http-listen", "127.0.0.1:0"],
        ["status"],
        ["migrate"],
        ["setup", "--code"],
        ["backup", "--passphrase-stdin"],
        ["user", "list"],
      ]) {
        const { err, out, code } = await run(...words);
        const said = `${err}${out}`;
        expect([words[0], code, said]).toEqual([
          words[0],
          3,
          expect.stringContaining(`is ${word}`),
        ]);
        expect(said).toContain(`fiscald restore ${backup}`);
      }
      const { out } = await run("doctor");
      expect(out).toContain(`is ${word}`);
      expect(out).toContain(`restore ${backup}`);
      expect(readdirSync(box.stateDir).toSorted()).toEqual(before);
      expect(existsSync(file) ? readFileSync(file).length : 0).toBe(0);
      const restored = await run("restore", backup, "--passphrase-stdin");
      expect(restored.code).toBe(1);
      box.keep(await startGateway(box.stateDir));
      expect((await run("user", "list")).out).toContain("@");
    }),
);

test("a shop begins anew where the whole content was removed, or a first start was broken off", () =>
  inShop(async ({ box, file, run }) => {
    for (const name of readdirSync(box.stateDir)) {
      rmSync(join(box.stateDir, name), { recursive: true });
    }
    // What a person may have put there, and what a start makes before its database.
    mkdirSync(join(box.stateDir, "drivers"));
    writeFileSync(join(box.stateDir, "fiscald.toml"), "");
    writeFileSync(file, "");
    const gateway = box.keep(await startGateway(box.stateDir));
    await registerShop(gateway.url);
    expect((await run("user", "list")).code).toBe(0);
  }));
