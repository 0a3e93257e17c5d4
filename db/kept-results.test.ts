import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type KeptResults, openKeptResults } from "./kept-results.ts";

const DAY_MS = 86_400_000;
const ROW = { commandId: "cmd_1", deviceId: "dev_1", epoch: 1, result: '{"success":true}' };

let folder: string;
let file: string;
let kept: KeptResults;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-kept-"));
  file = join(folder, "controller.db");
  kept = openKeptResults(file, 0);
});
afterEach(() => {
  kept.close();
  rmSync(folder, { recursive: true });
});

function reopen(now: number): void {
  kept.close();
  kept = openKeptResults(file, now);
}

test("outlive the process, by device, until the gateway has them", () => {
  kept.keep(ROW, 1);
  kept.keep({ ...ROW, commandId: "cmd_2", deviceId: "dev_2" }, 1);
  kept.keep({ ...ROW, epoch: 2 }, 2);
  reopen(3);
  expect(kept.of("dev_1")).toEqual([{ ...ROW, epoch: 2 }]);
  kept.forget("cmd_1");
  reopen(4);
  expect(kept.of("dev_1")).toEqual([]);
  expect(kept.of("dev_2")).toHaveLength(1);
});

test("that nobody asked for go after 30 days", () => {
  kept.keep(ROW, 0);
  reopen(30 * DAY_MS);
  expect(kept.of("dev_1")).toHaveLength(1);
  reopen(30 * DAY_MS + 1);
  expect(kept.of("dev_1")).toEqual([]);
});
