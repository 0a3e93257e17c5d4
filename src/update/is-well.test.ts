/** When a gateway that was updated counts as well. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stateFiles } from "../config/state-files.ts";
import { failedChecks, isWell } from "./is-well.ts";

type Status = "ok" | "degraded" | "failed";

let folder: string;
let checks: Readonly<Record<string, { status: Status }>>[];
let gateway: Bun.Server<undefined>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-is-well-"));
  gateway = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch() {
      const [now = {}, ...later] = checks;
      if (later.length > 0) checks = later;
      const isFailed = Object.values(now).some(({ status }) => status === "failed");
      return Response.json({ version: "1.3.0", checks: now }, { status: isFailed ? 503 : 200 });
    },
  });
  writeFileSync(stateFiles(folder).address, `${gateway.url.origin}\n`);
});
afterEach(() => {
  gateway.stop(true);
  rmSync(folder, { recursive: true });
});

const look = (https: Status, database: Status = "ok") => ({
  database: { status: database },
  https: { status: https },
});
const expected = (failedBefore: readonly string[]) => ({
  ...{ version: "1.3.0", watchMs: 0, failedBefore },
});

test("a check that had failed before the update does not count", async () => {
  checks = [look("failed")];
  const failedBefore = await failedChecks(folder);
  expect(failedBefore).toEqual(["https"]);
  await isWell(folder, expected(failedBefore));
});

test("one that fails since, and the database in any case, has to be well first", async () => {
  checks = [look("failed"), look("ok")];
  await isWell(folder, expected([]));
  expect(checks).toEqual([look("ok")]);
  checks = [look("failed", "failed"), look("failed")];
  await isWell(folder, expected(["database", "https"]));
  expect(checks).toEqual([look("failed")]);
});

test("where no gateway runs nothing has failed before", async () => {
  gateway.stop(true);
  expect(await failedChecks(folder)).toEqual([]);
});
