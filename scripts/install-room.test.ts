/** What `install.sh` does on a disk that has little room. */

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installerForEachTest } from "./testing/installer-for-each-test.ts";

const machine = installerForEachTest();

const MEGABYTE = 1_048_576;

/** What is in that folder of the test's is on a disk of its own. */
const otherDisk = () => join(machine.folder, "disk");

/** Has each disk say that it has that many megabytes. @param other of the other disk; as many unless given */
function leaveRoom(megabytes: number, other = megabytes): void {
  const told = (room: number) => `exec echo ${(room * MEGABYTE) / 4_096} 4096`;
  machine.script(
    "bin/stat",
    ...["for at; do :; done", 'case "$*" in', '-f* | -L*) at=$(readlink -f "$at") ;;', "esac"],
    ...[`case "$* on $at" in`, `-f*" on ${otherDisk()}"*) ${told(other)} ;;`],
    ...[`-f*) ${told(megabytes)} ;;`, `*"%d "*" on ${otherDisk()}"*) exec echo other ;;`, "esac"],
    'exec /usr/bin/stat "$@"',
  );
}

/** Books of that many megabytes, in a state that is on the other disk, where a link leads. */
function linkState(megabytes: number): void {
  mkdirSync(otherDisk());
  mkdirSync(machine.at("var/lib"), { recursive: true });
  symlinkSync(otherDisk(), machine.at("var/lib/fiscald"));
  writeBooks(megabytes);
}
function writeBooks(megabytes: number): void {
  mkdirSync(machine.at("var/lib/fiscald"), { recursive: true });
  writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books");
  truncateSync(machine.at("var/lib/fiscald/fiscald.db"), megabytes * MEGABYTE);
}

/** The executable of that version, of that many megabytes. */
function place(version: string, megabytes: number): void {
  // The shell must not read on to its end.
  const answer = `case $1 in version) echo "fiscald ${version}" ;; migrate) mkdir -p "$3" ;; esac`;
  machine.placeExecutable(version, answer, "exit 0");
  truncateSync(join(machine.unpacked, "fiscald"), megabytes * MEGABYTE);
}

const installed = () => machine.read("usr/local/bin/fiscald").slice(0, 80);

test("nothing is touched where the executables have no room, the kept one among them", async () => {
  place("1.0.0", 30);
  leaveRoom(93);
  const refused = await machine.installHere();
  const needs = (megabytes: number, folder: string) =>
    `the files are not placed: ${folder} needs ${megabytes} MB of room on its disk\n`;
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining(needs(94, machine.folder)),
  ]);
  expect(existsSync(machine.at("usr/local/bin/fiscald"))).toBe(false);
  leaveRoom(95);
  expect((await machine.installHere()).code).toBe(0);
  place("1.1.0", 40);
  const { code, err } = await machine.installHere();
  expect([code, err]).toEqual([
    1,
    `${needs(134, machine.at("usr/local/bin"))}install.sh: nothing was changed\n`,
  ]);
  expect(installed()).toContain("1.0.0");
  expect(existsSync(machine.at("usr/local/lib/fiscald/former"))).toBe(false);
  leaveRoom(135);
  expect((await machine.installHere()).code).toBe(0);
  // The one that was kept makes room.
  place("1.2.0", 50);
  leaveRoom(123);
  expect((await machine.installHere()).err).toContain(needs(124, machine.at("usr/local/bin")));
  leaveRoom(125);
  expect((await machine.installHere()).code).toBe(0);
  expect(installed()).toContain("1.2.0");
});

test("the database that is saved on the same disk is counted too", async () => {
  await machine.installHere();
  writeBooks(10);
  place("1.1.0", 20);
  leaveRoom(110);
  const { code, err } = await machine.installHere();
  expect([code, err]).toEqual([1, expect.stringContaining("bin needs 114 MB of room")]);
  expect(existsSync(machine.at("var/lib/fiscald/before-upgrade"))).toBe(false);
  leaveRoom(115);
  expect((await machine.installHere()).code).toBe(0);
});

test("the same version, which saves nothing, needs no room for the database", async () => {
  await machine.installHere();
  writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books of 1.0.0");
  machine.placeExecutable("1.1.0");
  await machine.installHere();
  truncateSync(machine.at("var/lib/fiscald/fiscald.db"), 1_000 * MEGABYTE);
  leaveRoom(65);
  const { code, err } = await machine.installHere();
  expect([code, err]).toEqual([0, ""]);
});

test("the database that a link has on another disk takes room there alone, but for a copy", async () => {
  linkState(20);
  await machine.installHere();
  place("1.1.0", 30);
  // Three times the database, and some to go on.
  leaveRoom(1_000, 123);
  const state = machine.at("var/lib/fiscald");
  expect((await machine.installHere()).err).toContain(`${state} needs 124 MB of room`);
  // Of the two, the copy on which the new version is tried is the larger one.
  leaveRoom(103, 125);
  const { code, err } = await machine.installHere();
  expect([code, err]).toEqual([1, expect.stringContaining("bin needs 104 MB of room")]);
  expect(installed()).toContain("1.0.0");
  leaveRoom(105, 125);
  expect(await machine.installHere()).toMatchObject({ code: 0, err: "" });
});

test("what updates that went back have left is named where a link leads to it", async () => {
  linkState(20);
  await machine.installHere();
  mkdirSync(join(otherDisk(), "failed-update"));
  place("1.1.0", 30);
  const left = `have left ${machine.at("var/lib/fiscald/failed-update")}: `;
  leaveRoom(1_000, 123);
  expect((await machine.installHere()).err).toContain(left);
  leaveRoom(93, 1_000);
  const { err } = await machine.installHere();
  expect([err, err]).toEqual([
    expect.stringContaining("bin needs 104 MB of room"),
    expect.not.stringContaining("have left"),
  ]);
});

test.each([
  { what: "a version that is not started", words: ["--no-start"] },
  { what: "a controller beside a state that was left", words: ["--controller"] },
])("$what saves nothing, and needs no room for the database", async ({ words }) => {
  writeBooks(100);
  place("1.1.0", 30);
  leaveRoom(95);
  expect(await machine.installHere(...words)).toMatchObject({ code: 0, err: "" });
});
