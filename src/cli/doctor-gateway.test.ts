/** What doctor makes of a gateway that runs and is not well. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { stateFiles } from "../config/state-files.ts";
import type { Finding } from "./doctor-findings.ts";
import { createTerminalBench, type TerminalBench } from "./testing/terminal-bench.ts";

let bench: TerminalBench;
beforeEach(async () => {
  bench = await createTerminalBench();
});
afterEach(() => bench.close());

async function findings(about: string): Promise<string[]> {
  const { out } = await bench.run("doctor --json");
  const found: Finding[] = JSON.parse(out);
  return found
    .filter((one) => one.about === about)
    .map(({ state, text, cure }) => `${state}: ${text} -> ${cure ?? ""}`);
}

test("a gateway that is not well, does not answer, or does not listen is told with a cure", async () => {
  const log = "journalctl -u fiscald shows why";
  expect(await findings("Gateway")).toEqual([
    expect.stringMatching(
      /^warning: 0\.0\.0 runs, and this program is .+: once installed, .* -> end it, then .* serve /,
    ),
    `error: controllers: none connected -> ${log}`,
  ]);
  const { address } = stateFiles(bench.stateDir);
  // The port for which nobody asks (RFC 863).
  writeFileSync(address, "http://127.0.0.1:9\n");
  expect(await findings("Gateway")).toEqual([
    expect.stringMatching(
      /^error: it does not answer at http:\/\/127\.0\.0\.1:9: .* -> journalctl/,
    ),
  ]);
  rmSync(address);
  expect(await findings("Gateway")).toEqual([
    `warning: it starts or stops, and takes no requests -> ${log}`,
  ]);
});
