/** Under the filter of system calls that the service's unit sets. */

import { expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boxForEachTest } from "./harness/box-for-each-test.ts";
import { registerShop, startGateway } from "./harness/gateway.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";

const UNIT = new URL("../../systemd/fiscald.service", import.meta.url);
const LAUNCHER = new URL("harness/refusing-kernel.ts", import.meta.url).pathname;

const box = boxForEachTest();

/** @returns the path of a program that runs the executable under the filter */
function filtered(): string {
  const path = join(box.folder, "filtered");
  const words = [process.execPath, LAUNCHER, box.program].map((word) => `'${word}'`);
  writeFileSync(path, `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

test("a service that may set no priorities makes its backups all the same", async () => {
  // What is refused here is what the unit refuses.
  const unit = readFileSync(UNIT, "utf8");
  expect(unit).toContain("\nSystemCallFilter=~@privileged @resources\n");
  expect(unit).toContain("\nSystemCallErrorNumber=EPERM\n");
  const passphrase = join(box.folder, "passphrase");
  writeFileSync(passphrase, "a passphrase for tests\n");
  const gateway = box.keep(
    await startGateway(box.stateDir, {
      program: filtered(),
      args: [`--backup-passphrase-file=${passphrase}`, "--backup-work-factor=10"],
    }),
  );
  const { owner } = await registerShop(gateway.url);
  await owner.expect("POST", "/backups", {});
  const look = () =>
    owner.expect<{ last: { name: string } | null; failed: { reason: string } | null }>(
      "GET",
      "/backups",
    );
  await until("the backup to end", async () => {
    const { last, failed } = await look();
    return last !== null || failed !== null;
  });
  expect(await look()).toMatchObject({ failed: null, last: { name: expect.any(String) } });
  expect(readdirSync(join(box.stateDir, "backups"))).toHaveLength(1);
});

test("its database is looked at by a command that may set none", async () => {
  const program = filtered();
  expect((await runToEnd([program, "migrate", "--state-dir", box.stateDir])).code).toBe(0);
  const { out, err, code } = await runToEnd([program, "check", "--state-dir", box.stateDir]);
  expect([out, err, code]).toEqual(["the database is whole\n", "", 0]);
});
