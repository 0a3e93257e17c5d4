/** A gateway that is stopped while a backup hangs: it does not wait for that. */

import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Box } from "./harness/box.ts";
import { registerShop, startGateway } from "./harness/gateway.ts";
import { until } from "./harness/until.ts";

test("a stop does not wait for a backup that no signal ends", async () => {
  const box = new Box();
  try {
    const [passphrase, hangs] = [join(box.folder, "passphrase"), join(box.folder, "hangs")];
    writeFileSync(passphrase, "a passphrase for tests\n");
    // All of the backup's processes stand still, as while they wait for a disk.
    const command = `echo $$ > '${hangs}'; kill -STOP 0`;
    const words = ["--backup-passphrase-file", passphrase, "--backup-work-factor", "10"];
    const args = [...words, "--backup-command", command];
    const gateway = box.keep(await startGateway(box.stateDir, { args }));
    const { owner } = await registerShop(gateway.url);
    expect((await owner.call("POST", "/backups", { body: {} })).status).toBe(202);
    const pid = await until(
      "the backup that hangs",
      () => existsSync(hangs) && readFileSync(hangs, "utf8").trim(),
    );
    expect(await gateway.stop()).toBe(0);
    // What it has started is gone with it.
    await until("the end of the command", () => !existsSync(join("/proc", pid)));
  } finally {
    await box.clear();
  }
});
