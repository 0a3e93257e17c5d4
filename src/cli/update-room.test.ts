/** `fiscald update` on disks with little room, on a folder that stands for a machine, as in `update.test.ts`. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../version.ts";
import { MachineFolder, placeScript } from "./testing/machine-folder.ts";

const MEGABYTE = 1_048_576;
const FORMER = "0.0.1";

let machine: MachineFolder;
/** What is in it is on a disk of its own. */
let disk: string;
beforeEach(async () => {
  machine = await MachineFolder.open(FORMER);
  disk = join(machine.folder, "disk");
  mkdirSync(disk);
  mkdirSync(machine.at("var/lib"), { recursive: true });
});
afterEach(() => machine.close());

const home = () => machine.at("usr/local/lib/fiscald");
const state = () => machine.at("var/lib/fiscald");
const update = async () =>
  machine.update(await machine.pack(VERSION, machine.gatewayCalled(VERSION)));

/** Books of that many megabytes, which no version can read. */
function writeBooks(megabytes: number): void {
  mkdirSync(state(), { recursive: true });
  placeScript(join(state(), "fiscald.db"), "books");
  truncateSync(join(state(), "fiscald.db"), megabytes * MEGABYTE);
}

/** Has each disk say that it has that many megabytes. */
function leaveRoom(own: number, other: number): void {
  const told = (room: number) => `exec echo ${(room * MEGABYTE) / 4_096} 4096`;
  const lines = [
    ...["#!/bin/sh", "for at; do :; done", 'case "$*" in', '-f* | -L*) at=$(readlink -f "$at") ;;'],
    ...[
      "esac",
      'case "$* on $at" in',
      `-f*" on ${disk}"*) ${told(other)} ;;`,
      `-f*) ${told(own)} ;;`,
    ],
    ...[`*"%d "*" on ${disk}"*) exec echo other ;;`, "esac", 'exec /usr/bin/stat "$@"', ""],
  ];
  placeScript(join(machine.folder, "bin/stat"), lines.join("\n"));
}

const refused = (folder: string, megabytes: number, left = "") => ({
  ...{ code: 2, out: "" },
  err: `fiscald: the update is not begun: ${folder} needs ${megabytes} MB of room on its disk${left}\n`,
});

test("the database takes room on one disk with all else", async () => {
  writeBooks(20);
  leaveRoom(571, 0);
  expect(await update()).toEqual(refused(home(), 572));
  leaveRoom(573, 0);
  expect((await update()).out).toBe(`verified ${VERSION}\n`);
  expect(await machine.installed()).toContain(FORMER);
});

test("and on another one there, but for the copy on which the new version is tried", async () => {
  symlinkSync(disk, state());
  writeBooks(20);
  leaveRoom(551, 125);
  expect(await update()).toEqual(refused(home(), 552));
  leaveRoom(553, 123);
  const { code, err } = await update();
  expect([code, err]).toEqual([
    ...[2, `fiscald: the database is not saved: ${state()} needs 124 MB of room on its disk\n`],
  ]);
  leaveRoom(553, 125);
  expect((await update()).out).toBe(`verified ${VERSION}\n`);
});

test("what updates that went back have left is named where it lies", async () => {
  writeBooks(1);
  const names = ["failed-update", "failed-update-20261101T101500", "failed-update.part", "backups"];
  for (const name of names) mkdirSync(join(state(), name));
  leaveRoom(500, 0);
  const [last, earlier] = names.map((name) => join(state(), name));
  const left = `; updates that went back have left ${last} ${earlier}: remove what nobody needs`;
  expect(await update()).toEqual(refused(home(), 515, left));
  expect(existsSync(join(home(), "update"))).toBe(false);
});
