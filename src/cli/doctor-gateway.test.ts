/** What doctor makes of a gateway that runs and is not well, and of its database. */

import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { stateFiles } from "../config/state-files.ts";
import { executable } from "../e2e/harness/program.ts";
import type { Finding } from "./doctor-findings.ts";
import { createTerminalBench, type TerminalBench } from "./testing/terminal-bench.ts";

let bench: TerminalBench;
// Whoever comes first builds it, which takes its time.
beforeAll(async () => {
  await executable();
});
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
    expect.stringMatching(/^ok: 0\.0\.0 at http:/),
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

test("a database of a newer version is told with where to read on", async () => {
  bench.database.sqlite.exec(
    "INSERT INTO schema_migrations (position, name, hash, applied_at) VALUES (9999, '9999_later', 'x', 1)",
  );
  expect(await findings("Database")).toEqual([
    expect.stringMatching(/^error: .*9999_later.* -> see \/docs\/lost-database\.html/),
  ]);
});
