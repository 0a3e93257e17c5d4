/** A code that the person at the box makes while no gateway runs, on a clock that was set back since it did. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "#db/connection.ts";
import { createStores } from "#db/stores/index.ts";
import { startGateway } from "./harness/gateway.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";

const HOUR_MS = 3_600_000;
const EMAIL = "owner@example.com";

let folder: string;
let program: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-reset-code-"));
  program = await executable();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stateDir = () => join(folder, "state");
const box = (...args: string[]) =>
  runToEnd([program, "user", ...args, "--state-dir", stateDir()], { cwd: folder });

/** The last run went by a clock that was so far ahead, and before this boot. */
function keptAhead(ms: number): void {
  const database = openDatabase(join(stateDir(), "fiscald.db"));
  const wall = Date.now() + ms;
  createStores(database).appliance.put("time.counted", `${wall} ${wall}`);
  database.close();
}

test("works for its own hour once the gateway runs", async () => {
  await (await startGateway(stateDir())).stop();
  const shop = ["--email", EMAIL, "--name", "Ana", "--role", "owner", "--organization", "Shop"];
  expect((await box("add", ...shop)).code).toBe(0);
  keptAhead(2 * HOUR_MS);
  const { out, code } = await box("reset-code", EMAIL);
  expect(code).toBe(0);
  const gateway = await startGateway(stateDir());
  const { status } = await fetch(`${gateway.url}/api/v1/auth/reset-password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: out.trim(), password: "a new long password" }),
  });
  await gateway.stop();
  expect(status).toBe(204);
});
