import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireRoom } from "./room.ts";

const folder = mkdtempSync(join(tmpdir(), "fiscald-room-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** More than any disk has. */
const bytes = 2 ** 80;

test("a disk with too little room is told, with what updates that went back have left on it", () => {
  const state = join(folder, "state");
  requireRoom(folder, { bytes: 0, state });
  const needs = `MB of room on the disk of ${folder}`;
  expect(() => requireRoom(folder, { bytes, state })).toThrow(new RegExp(`${needs}$`));
  const names = ["failed-update", "failed-update-20261101T101500", "failed-update.part", "backups"];
  const [last, earlier] = names.map((name) => join(state, name));
  for (const name of names) mkdirSync(join(state, name), { recursive: true });
  const left = `${needs}; updates that went back have left ${last} ${earlier}: remove what nobody`;
  expect(() => requireRoom(folder, { bytes, state })).toThrow(left);
});
