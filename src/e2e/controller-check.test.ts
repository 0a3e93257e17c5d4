/** The product's own controller, tried like any other one. */

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readyText, startProduct } from "./harness/program.ts";
import { startRemoteController } from "./harness/remote-controller.ts";

test("fiscald controller passes fiscald controller-check", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-check-"));
  const check = await startProduct(
    ["controller-check", "--listen=127.0.0.1:0", "--json"],
    "waiting",
  );
  const controller = await startRemoteController({
    ...{ line: { url: readyText(check, "url") }, key: "any", controllerId: "bar-pi" },
    stateDir: join(folder, "state"),
  });
  try {
    const code = await check.exited;
    const [, , line = ""] = /(^|\n)(\{"msg":"checked".*)/.exec(check.output()) ?? [];
    const { outcomes } = JSON.parse(line);
    expect(outcomes.filter((one: { failure?: string }) => one.failure !== undefined)).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(10);
    expect(code).toBe(0);
  } finally {
    await controller.kill();
    await check.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
