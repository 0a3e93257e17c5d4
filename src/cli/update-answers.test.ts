/**
 * `fiscald update` where the programs that it asks complain beside what they answer, or answer nothing, on a folder
 * that stands for a machine, as in `update.test.ts`.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startOwnProcess } from "../e2e/harness/own-process.ts";
import { installedAt, readUpdateNote } from "../update/outcome-note.ts";
import { VERSION } from "../version.ts";
import { MachineFolder, placeScript } from "./testing/machine-folder.ts";

const FORMER = "0.0.1";

let machine: MachineFolder;
beforeEach(async () => {
  machine = await MachineFolder.open(FORMER);
  await machine.systemctl("start");
});
afterEach(() => machine.close());

const beside = (name: string): string => join(machine.folder, name);
const pack = (version: string, ...lines: readonly string[]) =>
  machine.pack(version, machine.gatewayCalled(version, ...lines));
const note = () => readUpdateNote(installedAt(machine.at("var/lib/fiscald")).note);
const health = async () => (await fetch(`${machine.url()}/health`)).status;

/** As bash where the locale is not there that the environment names, whatever it runs. */
function complainAsShell(): void {
  const complaint = "sh: warning: setlocale: LC_ALL: cannot change locale (en_US.UTF-8)";
  placeScript(beside("bin/sh"), `#!/bin/sh\necho "${complaint}" >&2\nexec /bin/sh "$@"\n`);
}

test("a shell that complains does not keep it from stopping the gateway", async () => {
  complainAsShell();
  const { code, err, out } = await machine.update(await pack(VERSION));
  expect([code, err, out]).toEqual([
    ...[0, "", `verified ${VERSION}\nupdated ${FORMER} to ${VERSION}\n`],
  ]);
  expect([machine.told("stop"), machine.told("start")]).toEqual([
    ["fiscald"],
    ["fiscald", "fiscald"],
  ]);
  expect([note()?.outcome, await health()]).toEqual(["updated", 200]);
});

test("a folder that takes none of its files, as below a /usr that is read alone, keeps it from beginning", async () => {
  const home = machine.at("usr/local/lib/fiscald");
  mkdirSync(dirname(home), { recursive: true });
  writeFileSync(home, "");
  const { code, err } = await machine.update(await pack(VERSION));
  expect([code, err]).toEqual([2, expect.stringContaining(`${home} cannot be written to: `)]);
  expect(err).toContain("nothing was changed");
  expect([machine.told("stop"), await health()]).toEqual([[], 200]);
});

test("a gateway that no systemd runs keeps its database and its files, until somebody has ended it", async () => {
  await machine.systemctl("stop");
  rmSync(machine.at("run"), { recursive: true });
  const state = machine.at("var/lib/fiscald");
  const serve = ["serve", "--state-dir", state, "--http-listen", "127.0.0.1:0"];
  const gateway = startOwnProcess([machine.at("usr/local/bin/fiscald"), ...serve]);
  try {
    await gateway.line("listening");
    const { code, err } = await machine.update(await pack(VERSION));
    const why = `process ${gateway.pid} works on ${state}: end it first; the database is not saved`;
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`not updated, ${FORMER} runs as before: ${why}\n`),
    ]);
    expect(await machine.installed()).toContain(FORMER);
    expect(existsSync(join(state, "before-upgrade"))).toBe(false);
  } finally {
    await gateway.stop();
  }
  const { code, out } = await machine.update(await pack(VERSION));
  expect([code, out]).toEqual([0, expect.stringContaining("nobody knows whether it is well")]);
  expect(await machine.installed()).toContain(VERSION);
});

test("a shell that complains does not keep it from starting what the note of a broken off one names", async () => {
  // Its starter's starter is the update.
  const kill = '[ "$1" != serve ] || { kill -9 $(ps -o ppid= -p $PPID); exit 1; }';
  expect((await machine.update(await pack("9.9.8", kill))).code).toBe(137);
  // One of before has emptied it.
  writeFileSync(machine.at("usr/local/lib/fiscald/update.lock"), "");
  complainAsShell();
  const { code, err, out } = await machine.update(await pack(VERSION));
  expect([code, err]).toEqual([0, ""]);
  expect(out).toStartWith(`the last update was broken off: back to ${FORMER}, as before`);
  expect([await machine.installed(), await health()]).toEqual([
    ...[expect.stringContaining(VERSION), 200],
  ]);
});

test("a systemd that tells nothing of the gateway is no gateway that is off: nothing is touched", async () => {
  const why = "Failed to connect to bus: Connection refused";
  await machine.run(["mv", beside("bin/systemctl"), beside("systemctl")]);
  const silent = `[ "$1" != show ] || { echo "${why}" >&2; exit 1; }`;
  const real = `exec ${beside("systemctl")} "$@"`;
  placeScript(beside("bin/systemctl"), ["#!/bin/sh", silent, real, ""].join("\n"));
  const { code, err } = await machine.update(await pack(VERSION));
  const told = new RegExp(`nobody can tell whether fiscald(-controller)? runs: ${why}`);
  expect([code, err]).toEqual([3, expect.stringMatching(told)]);
  expect([machine.told("stop"), note()]).toEqual([[], null]);
  expect(existsSync(machine.at("var/lib/fiscald/before-upgrade"))).toBe(false);
  expect([await machine.installed(), await health()]).toEqual([
    ...[expect.stringContaining(FORMER), 200],
  ]);
});
