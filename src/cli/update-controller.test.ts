/**
 * `fiscald update` of a gateway beside which `fiscald controller` runs, on a folder that stands for a machine, as
 * in `update.test.ts`: what is wrong with the controller costs the gateway's database nothing.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { installedAt, readUpdateNote } from "../update/outcome-note.ts";
import { VERSION } from "../version.ts";
import { MachineFolder, placeScript } from "./testing/machine-folder.ts";
import { commandsIn, doingLine, soldSql } from "./testing/sold.ts";

const NEWER = "9.9.9";

let machine: MachineFolder;
beforeEach(async () => {
  // It answers as this version, which a gateway that came back has to.
  machine = await MachineFolder.open(VERSION);
  await machine.systemctl("start");
});
afterEach(() => machine.close());

const beside = (name: string): string => join(machine.folder, name);
const state = () => machine.at("var/lib/fiscald");
const note = () => readUpdateNote(installedAt(state()).note);
const health = async () => (await fetch(`${machine.url()}/health`)).status;
const lock = () => readFileSync(machine.at("usr/local/lib/fiscald/update.lock"), "utf8");

/**
 * A controller that ran until the update stops it, and starts no more: its settings were changed meanwhile.
 * @param version in which it starts all the same
 */
async function addController(version = "none"): Promise<void> {
  const [real, stopped] = [beside("systemctl"), beside("stopped")];
  await machine.run(["mv", beside("bin/systemctl"), real]);
  const starts = `${machine.at("usr/local/bin/fiscald")} version | grep -q ${version}`;
  const lines = [
    ...["#!/bin/sh", 'case "$*" in'],
    `  "show --property=ActiveState,SubState fiscald-controller") [ -f ${stopped} ] && echo ActiveState=inactive || echo ActiveState=active; exit ;;`,
    `  stop*controller*) : > ${stopped}; set -- stop fiscald ;;`,
    "  start*controller*)",
    `    code=0; case "$*" in *"fiscald "*) ${real} start fiscald || code=1 ;; esac`,
    `    ${starts} || { echo "Job for fiscald-controller.service failed" >&2; code=1; }; exit $code ;;`,
    ...["esac", `exec ${real} "$@"`, ""],
  ];
  placeScript(beside("bin/systemctl"), lines.join("\n"));
}

/** The new gateway sells as it starts. */
const pack = (...lines: readonly string[]) => {
  const sells = `[ "$1" != serve ] || ${doingLine(machine, soldSql(1))}`;
  return machine.pack(NEWER, machine.gatewayCalled(NEWER, sells, ...lines));
};

test("a controller that starts in no version takes the update back, and no database", async () => {
  await addController();
  const { code, err } = await machine.update(await pack());
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(
      `not updated, ${VERSION} runs as before, but for fiscald-controller, which does not start`,
    ),
  ]);
  expect(note()).toMatchObject({ outcome: "went_back", databaseRestored: false });
  expect([await machine.installed(), await health(), lock()]).toEqual([
    ...[expect.stringContaining(VERSION), 200, "services=fiscald-controller\n"],
  ]);
  expect(existsSync(join(state(), "failed-update"))).toBe(false);
  expect(existsSync(machine.at("usr/local/lib/fiscald/under-way"))).toBe(false);
});

test("one that starts in the new version alone takes no sales with it", async () => {
  await addController(NEWER);
  const ends = `[ "$1" != serve ] || { [ -f ${beside("ended")} ] || { : > ${beside("ended")}; exit 1; }; }`;
  const { code, err } = await machine.update(await pack(ends));
  expect([code, err]).toEqual([1, expect.stringContaining("fiscald-controller, which does not")]);
  expect([note()?.outcome, note()?.databaseRestored]).toEqual(["went_back", false]);
  expect([commandsIn(join(state(), "fiscald.db")), await health()]).toEqual([["cmd_1"], 200]);
});
