/** Backups at a place that hangs, as a network folder does whose server is gone: the gateway goes on. */

import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Box } from "./harness/box.ts";
import { registerShop, startGateway } from "./harness/gateway.ts";
import { asRoot, hasPrograms } from "./harness/other-runtime.ts";
import { hungAt, MOUNTING, withMounts } from "./harness/own-mounts.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";

const WHAT = "a backup's folder that hangs";
const whom = hasPrograms(WHAT, MOUNTING) ? asRoot(WHAT) : [];

interface Backups {
  readonly problem: string | null;
}

describe.each(whom)("as %s, a folder that hangs", () => {
  test("keeps nobody from anything but the backup, and is told", async () => {
    const box = new Box();
    try {
      const folder = join(box.folder, "nas");
      mkdirSync(folder);
      const passphrase = join(box.folder, "passphrase");
      writeFileSync(passphrase, "a passphrase for tests\n");
      mkdirSync(box.stateDir, { mode: 0o700 });
      const settings = `[backup]\nto = "${folder}"\npassphraseFile = "${passphrase}"\n`;
      writeFileSync(join(box.stateDir, "fiscald.toml"), settings);
      const program = await withMounts(box.folder, [hungAt(folder)]);
      const gateway = box.keep(await startGateway(box.stateDir, { program }));
      const { owner } = await registerShop(gateway.url);
      const looks = [1, 2, 3].map(() => owner.expect<Backups>("GET", "/backups"));
      for (let asked = 0; asked < 5; asked += 1) {
        expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
      }
      const hung = expect.stringContaining(`${folder} does not answer`);
      for (const { problem } of await Promise.all(looks)) expect(problem).toEqual(hung);
      await owner.expect("PATCH", "/backups/settings", { at: "02:30" });
      // It is told before the night, too.
      await until("the finding", async () => {
        const health = await (await fetch(`${gateway.url}/health`)).text();
        return health.includes("does not answer");
      });
      const status = await runToEnd([program, "status", "--state-dir", box.stateDir]);
      expect(status.out).toMatch(/Backup +none is known here/);
      const other = join(box.folder, "other");
      await runToEnd([program, "migrate", "--state-dir", other]);
      writeFileSync(join(other, "fiscald.toml"), settings);
      const doctor = await runToEnd([program, "doctor", "--state-dir", other]);
      expect(doctor.out).toContain(`Backup: none can be made: ${folder} does not answer`);
      // One that waits there ends with the gateway.
      expect((await owner.call("POST", "/backups", { body: {} })).status).toBe(202);
      expect(await gateway.stop()).toBe(0);
    } finally {
      await box.clear();
    }
  });

  test("keeps nobody from anything either where the passphrase's file lies there", async () => {
    const box = new Box();
    try {
      const folder = join(box.folder, "nas");
      mkdirSync(folder);
      const file = join(folder, "passphrase");
      mkdirSync(box.stateDir, { mode: 0o700 });
      const settings = `[backup]\npassphraseFile = "${file}"\n`;
      writeFileSync(join(box.stateDir, "fiscald.toml"), settings);
      const program = await withMounts(box.folder, [hungAt(folder)]);
      const gateway = box.keep(await startGateway(box.stateDir, { program }));
      const { owner } = await registerShop(gateway.url);
      const looks = [1, 2, 3].map(() => owner.expect<Backups>("GET", "/backups"));
      const diagnostics = owner.expect<object>("GET", "/diagnostics");
      for (let asked = 0; asked < 5; asked += 1) {
        expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
      }
      const problem = expect.stringContaining(`${file} does not answer`);
      for (const seen of await Promise.all(looks)) {
        expect(seen).toMatchObject({ problem, settings: { hasPassphrase: true } });
      }
      expect(await diagnostics).toMatchObject({
        health: { checks: { database: { status: "ok" } } },
      });
      // Nor is anything written there.
      const choice = { body: { passphrase: "another one of these" } };
      const chosen = await owner.call("PATCH", "/backups/settings", choice);
      expect([chosen.status, JSON.stringify(chosen.body)]).toEqual([409, problem]);
      expect(await gateway.stop()).toBe(0);
      const doctor = await runToEnd([program, "doctor", "--state-dir", box.stateDir]);
      expect(doctor.out).toContain(`Backup: none can be made: ${file} does not answer`);
    } finally {
      await box.clear();
    }
  });
});
