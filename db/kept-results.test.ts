import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "./connection.ts";
import { KEPT_RESULTS_MAX, type KeptResults, openKeptResults } from "./kept-results.ts";

const DAY_MS = 86_400_000;
const ROW = {
  ...{ commandId: "cmd_1", deviceId: "dev_1", epoch: 1, result: '{"success":true}' },
  ...{ owedTo: "here", answered: null },
};

let folder: string;
let file: string;
let kept: KeptResults;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-kept-"));
  file = join(folder, "controller.db");
  kept = openKeptResults(file);
});
afterEach(() => {
  kept.close();
  rmSync(folder, { recursive: true });
});

function reopen(): void {
  kept.close();
  kept = openKeptResults(file);
}

const of = (deviceId: string) => kept.all().filter((row) => row.deviceId === deviceId);

test("outlive the process until the gateway has them", () => {
  kept.keep(ROW, 1);
  kept.keep({ ...ROW, commandId: "cmd_2", deviceId: "dev_2" }, 1);
  kept.keep({ ...ROW, epoch: 2 }, 2);
  reopen();
  expect(of("dev_1")).toEqual([{ ...ROW, epoch: 2 }]);
  kept.forget("cmd_1");
  reopen();
  expect(of("dev_1")).toEqual([]);
  expect(of("dev_2")).toHaveLength(1);
});

test("are owed to one gateway, and known to be answered by another, in their place", () => {
  const second = { ...ROW, commandId: "cmd_2", owedTo: null };
  kept.keep(ROW, 1);
  kept.keep(second, 1);
  kept.answered("cmd_1", { by: "spare", since: 5 });
  kept.answered("cmd_2", { by: null, since: 6 });
  kept.answered("cmd_gone", { by: null, since: 6 });
  reopen();
  expect(kept.all()).toEqual([
    { ...ROW, answered: { by: "spare", since: 5 } },
    { ...second, answered: { by: null, since: 6 } },
  ]);
  kept.keep({ ...ROW, epoch: 2 }, 7);
  kept.forget("cmd_2");
  reopen();
  expect(kept.all()).toEqual([{ ...ROW, epoch: 2 }]);
});

test("of a version that knew one gateway alone are read and written beside it", () => {
  const former = () => {
    const database = openDatabase(file);
    const put = "INSERT OR REPLACE INTO kept_results VALUES (?, ?, ?, ?, ?)";
    database.sqlite.prepare(put).run("cmd_1", "dev_1", 2, ROW.result, 1);
    database.close();
  };
  kept.keep(ROW, 1);
  kept.answered("cmd_1", { by: "spare", since: 5 });
  kept.close();
  former();
  kept = openKeptResults(file);
  expect(kept.all()).toEqual([{ ...ROW, epoch: 2, owedTo: null }]);
  kept.answered("cmd_1", { by: "spare", since: 6 });
  reopen();
  expect(kept.all()).toMatchObject([{ owedTo: null, answered: { by: "spare", since: 6 } }]);
});

test("outlive a clock that is set, whichever way it was wrong", () => {
  const now = Date.parse("2026-01-15T12:00:00Z");
  kept.keep({ ...ROW, commandId: "cmd_behind" }, now - 3_000 * DAY_MS);
  kept.keep({ ...ROW, commandId: "cmd_ahead" }, now + 3_000 * DAY_MS);
  kept.keep({ ...ROW, commandId: "cmd_right" }, now);
  reopen();
  expect(of("dev_1").map(({ commandId }) => commandId)).toEqual([
    ...["cmd_behind", "cmd_ahead", "cmd_right"],
  ]);
});

test("that nobody asks for go when there are many newer ones, whatever their dates", () => {
  for (let index = 0; index < KEPT_RESULTS_MAX; index += 1) {
    kept.keep({ ...ROW, commandId: `cmd_${index}`, deviceId: "dev_gone" }, DAY_MS);
  }
  // Kept anew, so it is not the oldest any more.
  kept.keep({ ...ROW, commandId: "cmd_0", deviceId: "dev_gone" }, 0);
  expect(of("dev_gone")).toHaveLength(KEPT_RESULTS_MAX);
  kept.keep({ ...ROW, commandId: "cmd_new" }, 0);
  reopen();
  expect(of("dev_1")).toHaveLength(1);
  const left = of("dev_gone").map(({ commandId }) => commandId);
  expect([left.length, left[0], left.at(-1)]).toEqual([KEPT_RESULTS_MAX - 1, "cmd_2", "cmd_0"]);
});
