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

test("the certificate keeps the name of the settings while the network has another for it", async () => {
  const flags = new Map([
    ["state.dir", folder],
    ["https.certificate", "own"],
    ["mdns.name", "fiscald"],
  ] as const);
  const { config } = loadConfig({ flags, file: undefined }, { environment: {}, pid: 0 });
  const clock = new FakeClock();
  const log = createLog({ level: "error", clock, sink: { write: () => true } });
  const source = certificateSource({ config, clock, log, announced: () => "fiscald-2" });
  expect((await source.look()).names).toEqual(
    expect.arrayContaining(["fiscald.local", "fiscald-2.local"]),
  );
});
