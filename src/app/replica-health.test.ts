/** What a gateway says of the live copy of its database elsewhere, and what doctor makes of that. */

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { placeScript } from "../cli/testing/machine-folder.ts";
import { loadConfig } from "../config/load-config.ts";
import { stateFiles } from "../config/state-files.ts";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { follow } from "../http/testing/openapi-faults.ts";
import { FakeClock } from "../platform/clock.ts";
import { lockStateDirectory } from "../platform/lock.ts";
import { createLog } from "../platform/log.ts";
import { startApp } from "./runtime.ts";

const HOUR_MS = 3_600_000;
const box = boxForEachTest();

test("a copy that stands still is told by /health, and by doctor where Litestream runs and says nothing", async () => {
  const at = (path: string): string => join(box.folder, "machine", path);
  const [stateDir, bin] = [at("var/lib/fiscald"), join(box.folder, "bin")];
  const parts = join(stateFiles(stateDir).replicaParts, "generations/0123456789abcdef/wal");
  for (const folder of [parts, at("etc/systemd/system")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(stateFiles(stateDir).replicaParts, "generation"), "0123456789abcdef\n");
  placeScript(join(bin, "systemctl"), "#!/bin/sh\necho ActiveState=active\n");
  placeScript(join(bin, "journalctl"), "#!/bin/sh\n");
  const lock = lockStateDirectory(stateDir);
  const clock = new FakeClock(Date.now());
  const flags = new Map([
    ["state.dir", stateDir],
    ["http.listen", "127.0.0.1:0"],
  ] as const);
  const { config } = loadConfig({ flags, file: undefined }, { environment: {}, pid: process.pid });
  const log = createLog({ level: "silent", clock });
  const app = await startApp(config, { version: "0.0.0-test", log, clock });
  writeFileSync(stateFiles(stateDir).address, `${app.url}\n`);
  const told = async (): Promise<unknown> =>
    follow(await (await fetch(`${app.url}/health`)).json(), "#/checks/replica");
  const doctor = async (): Promise<string[]> => {
    const words = [box.program, "doctor", "--json", "--state-dir", stateDir];
    const { out } = await runToEnd(words, { env: { PATH: `${bin}:/usr/bin:/bin` } });
    const found: { about: string; state: string; text: string }[] = JSON.parse(out);
    return found
      .filter(({ about, text }) => `${about} ${text}`.match(/Replication|replica/))
      .map(({ about, state, text }) => `${about} ${state}: ${text}`);
  };
  try {
    for (const name of ["00000007.wal", "00000008.wal", "00000009.wal"]) {
      writeFileSync(join(parts, name), "");
    }
    expect(await told()).toBeUndefined();
    writeFileSync(at("etc/systemd/system/fiscald-replicate.service"), "");
    expect(await told()).toEqual({ status: "ok" });
    await clock.advanceAsync(60_000);
    expect(await doctor()).toEqual(["Replication ok: fiscald-replicate runs"]);
    await clock.advanceAsync(HOUR_MS);
    expect(await told()).toMatchObject({
      status: "degraded",
      findings: [{ code: "replica_stalled", params: { at: expect.stringMatching(/Z$/) } }],
    });
    expect(await doctor()).toEqual([
      expect.stringMatching(/^Replication error: the database is not copied elsewhere any more/),
    ]);
  } finally {
    const stopping = app.stop();
    await clock.advanceAsync(60_000);
    await stopping;
    lock.release();
  }
});
