import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../config/load-config.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { certificateSource } from "./certificate-source.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** That of a gateway whose settings name it `fiscald`, and which the network calls as `announced` says. */
function sourceOf(announced: () => string) {
  const flags = new Map([
    ["state.dir", folder],
    ["https.certificate", "own"],
    ["mdns.name", "fiscald"],
  ] as const);
  const { config } = loadConfig({ flags, file: undefined }, { environment: {}, pid: 0 });
  const clock = new FakeClock();
  const log = createLog({ level: "error", clock, sink: { write: () => true } });
  return certificateSource({ config, clock, log, announced });
}

test("the certificate keeps the name of the settings while the network has another for it", async () => {
  const source = sourceOf(() => "fiscald-2");
  expect((await source.look()).names).toEqual(
    expect.arrayContaining(["fiscald.local", "fiscald-2.local"]),
  );
});

test("a name that the network once had for it is in each certificate after that, with one key", async () => {
  let label = "fiscald";
  const source = sourceOf(() => label);
  const { key } = await source.look();
  const made = new Set<string>();
  // As somebody has it who claims one after the other.
  for (const next of ["fiscald-2", "fiscald-3", "fiscald", "fiscald-2", "fiscald-3", "fiscald-2"]) {
    label = next;
    const served = await sourceOf(() => label).look();
    expect([next, served.names.includes(`${next}.local`), served.key]).toEqual([next, true, key]);
    made.add(served.fingerprint);
  }
  expect(made.size).toBe(2);
});
