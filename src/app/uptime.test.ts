/** How long a gateway runs, whatever its clock is set to meanwhile. */

import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { loadConfig } from "../config/load-config.ts";
import { Box } from "../e2e/harness/box.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { startApp } from "./runtime.ts";

test("a clock that is set right, or back, changes nothing of how long the gateway runs", async () => {
  const box = new Box();
  mkdirSync(box.stateDir);
  // As a machine without battery begins.
  const clock = new FakeClock(0);
  const flags = new Map([
    ["state.dir", box.stateDir],
    ["http.listen", "127.0.0.1:0"],
  ] as const);
  const { config } = loadConfig({ flags, file: undefined }, { environment: {}, pid: process.pid });
  const log = createLog({ level: "silent", clock });
  const app = await startApp(config, { version: "0.0.0-test", log, clock });
  const asked = async (path: string) => (await fetch(`${app.url}${path}`)).text();
  try {
    await clock.advanceAsync(61_000);
    for (const instant of [Date.UTC(2027, 0, 1), Date.UTC(2026, 0, 1)]) {
      clock.jumpTo(instant);
      expect(JSON.parse(await asked("/health"))).toMatchObject({ uptimeSeconds: 61 });
      const begun = instant / 1_000 - 61;
      expect(await asked("/metrics")).toContain(`process_start_time_seconds ${begun}\n`);
    }
  } finally {
    const stopping = app.stop();
    await clock.advanceAsync(60_000);
    await stopping;
    await box.clear();
  }
});
