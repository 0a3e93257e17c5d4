import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { type OwnProcess, startOwnProcess } from "../e2e/harness/own-process.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { until } from "../e2e/harness/until.ts";

const box = boxForEachTest();

/** A command line under a umask that takes nothing away. */
function openly(...args: readonly string[]): string[] {
  const script = 'umask 000; exec "$0" "$@"';
  return ["/bin/sh", "-c", script, box.program, ...args, "--state-dir", box.stateDir];
}

async function start(): Promise<OwnProcess> {
  const gateway = box.keep(startOwnProcess(openly("serve", "--http-listen", "127.0.0.1:0")));
  await gateway.line("listening");
  // Made once it serves.
  await until("the reserve", () => existsSync(join(box.stateDir, "fiscald.reserve")));
  return gateway;
}

/** The permissions of the state directory and of all that is in it, by path within it. */
function modes(): Record<string, string> {
  const paths = ["", ...readdirSync(box.stateDir, { recursive: true, encoding: "utf8" })].sort();
  return Object.fromEntries(
    paths.map((path) => [path, (lstatSync(join(box.stateDir, path)).mode & 0o777).toString(8)]),
  );
}

/** What the program makes in a state directory while it serves. */
const MADE = {
  "": "700",
  "fiscald.db": "600",
  "fiscald.db-shm": "600",
  "fiscald.db-wal": "600",
  "fiscald.lock": "600",
  "fiscald.lock-journal": "600",
  "fiscald.pid": "600",
  "fiscald.reserve": "600",
  "fiscald.toml": "600",
  "fiscald.url": "600",
};

describe("the state directory", () => {
  test("is made for its owner alone, whatever the umask", async () => {
    await start();
    expect(modes()).toEqual(MADE);
  });

  test("is made so by migrate and by the commands at the box too", async () => {
    expect((await runToEnd(openly("migrate"))).code).toBe(0);
    for (const name of readdirSync(box.stateDir)) {
      expect([name, lstatSync(join(box.stateDir, name)).mode & 0o077]).toEqual([name, 0]);
    }
    chmodSync(join(box.stateDir, "fiscald.db"), 0o644);
    expect((await runToEnd(openly("user", "list"))).code).toBe(0);
    expect(lstatSync(join(box.stateDir, "fiscald.db")).mode & 0o777).toBe(0o600);
  });

  test("becomes its owner's alone where an older version or a copy left it open", async () => {
    await (await start()).kill();
    for (const name of ["drivers", "before-upgrade"]) {
      mkdirSync(join(box.stateDir, name));
      writeFileSync(join(box.stateDir, name, "some.file"), "{}");
    }
    for (const path of Object.keys(modes())) {
      const isFolder = lstatSync(join(box.stateDir, path)).isDirectory();
      chmodSync(join(box.stateDir, path), isFolder ? 0o777 : 0o666);
    }
    const gateway = await start();
    expect(modes()).toEqual({
      ...MADE,
      drivers: "700",
      "drivers/some.file": "600",
      "before-upgrade": "700",
      "before-upgrade/some.file": "600",
    });
    expect(gateway.output()).not.toContain("other users may read");
  });

  test.each([
    ["that others could write to is read-only to them", 0o777, 0o755],
    ["like /tmp stays as it is", 0o1777, 0o1777],
  ])("which also holds what is not the gateway's and %s", async (_, before, after) => {
    mkdirSync(box.stateDir);
    writeFileSync(join(box.stateDir, "photo.jpg"), "");
    chmodSync(box.stateDir, before);
    const gateway = await start();
    expect(lstatSync(box.stateDir).mode & 0o7777).toBe(after);
    expect(gateway.output()).toContain("it also holds photo.jpg");
  });

  test("has a folder of starts beside it that is its owner's alone too", async () => {
    const folder = `${box.stateDir}-starts`;
    const modesOf = () =>
      [folder, join(folder, "starts")].map((path) => lstatSync(path).mode & 0o777);
    await (await start()).stop();
    expect(modesOf()).toEqual([0o700, 0o600]);
    chmodSync(folder, 0o777);
    chmodSync(join(folder, "starts"), 0o666);
    await start();
    expect(modesOf()).toEqual([0o700, 0o600]);
  });

  test("keeps its mode, with a warning, where it holds what is not the gateway's", async () => {
    mkdirSync(box.stateDir);
    chmodSync(box.stateDir, 0o755);
    const photo = join(box.stateDir, "photo.jpg");
    writeFileSync(photo, "");
    chmodSync(photo, 0o644);
    const gateway = await start();
    expect(modes()).toEqual({ ...MADE, "": "755", "photo.jpg": "644" });
    expect(gateway.output()).toContain("other users may read the state");
    expect(gateway.output()).toContain("it also holds photo.jpg");
  });

  test("guards a database that it only has a link to, and no other target of a link", async () => {
    const disk = join(box.folder, "disk");
    mkdirSync(disk);
    mkdirSync(box.stateDir);
    for (const name of ["real.db", "settings"]) {
      writeFileSync(join(disk, name), "");
      chmodSync(join(disk, name), 0o644);
    }
    symlinkSync(join(disk, "real.db"), join(box.stateDir, "fiscald.db"));
    symlinkSync(join(disk, "settings"), join(box.stateDir, "fiscald.toml"));
    await start();
    const opened = readdirSync(disk).filter((name) => lstatSync(join(disk, name)).mode & 0o077);
    expect(opened).toEqual(["settings"]);
    expect(readdirSync(disk)).toContain("real.db-wal");
  });
});
