/** The live copy of the database elsewhere: Litestream with the settings that install.sh writes. */

import { describe, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boxForEachTest } from "./harness/box-for-each-test.ts";
import { ApiClient, registerShop } from "./harness/gateway.ts";
import { NOT_TRIED } from "./harness/other-runtime.ts";
import { type OwnProcess, startOwnProcess, textOf } from "./harness/own-process.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";

const ROOT = join(import.meta.dir, "../..");
const COMMANDS = 150;

/** Version 0.3.13, for tests alone: a shop takes its own. */
const LITESTREAM = join(ROOT, "node_modules/@flydotio/litestream-linux-x64/litestream");
const isThere = process.arch === "x64" && existsSync(LITESTREAM);
if (!isThere) process.stderr.write(`${NOT_TRIED}replication, because Litestream is not here\n`);

const box = boxForEachTest();

const serve = async (stateDir: string): Promise<OwnProcess> =>
  box.keep(
    startOwnProcess([
      ...[box.program, "serve", "--state-dir", stateDir, "--http-listen=127.0.0.1:0"],
      ...["--http-drain-seconds=0", "--limits-global-max=10000", "--limits-commands-max=10000"],
    ]),
  );

/** What install.sh writes into a folder that stands for a machine, with its paths in this one. */
async function writtenConfig(): Promise<string> {
  const machine = join(box.folder, "machine");
  const unpacked = join(box.folder, "unpacked");
  cpSync(join(ROOT, "systemd"), unpacked, { recursive: true });
  const program = join(unpacked, "fiscald");
  writeFileSync(program, '#!/bin/sh\necho "fiscald 1.0.0"\n');
  chmodSync(program, 0o755);
  const install = async (...args: readonly string[]): Promise<void> => {
    const { code, err } = await runToEnd(
      ["sh", join(unpacked, "install.sh"), "--root", machine, ...args],
      { env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } },
    );
    expect([code, err]).toEqual([0, ""]);
  };
  await install();
  await install("--replicate", "/mnt/other-disk/fiscald");
  const config = join(box.folder, "litestream.yml");
  const text = readFileSync(join(machine, "etc/fiscald/litestream.yml"), "utf8");
  writeFileSync(
    config,
    text
      .replace("/var/lib/fiscald/fiscald.db", join(box.stateDir, "fiscald.db"))
      .replace("/mnt/other-disk", join(machine, "mnt/other-disk")),
  );
  return config;
}

describe.if(isThere)("a database that is copied elsewhere", () => {
  test("comes back with all that was answered, after the machine and its disk are gone", async () => {
    const config = await writtenConfig();
    // As the units have it: it waits for a database that is not there yet.
    const copying = box.keep(startOwnProcess([LITESTREAM, "replicate", "-config", config]));
    const gateway = await serve(box.stateDir);
    const url = textOf(await gateway.line("listening"), "url");
    const shop = await registerShop(url);
    const device = await shop.owner.expect<{ id: string }>("POST", "/devices", {
      ...{ name: "P", driver: "vendorA.isl", transport: "bluetooth", locationId: "shop" },
      ...{ connectionParams: { address: "AA:BB:CC:DD:EE:FF" }, managedBy: "remote" },
    });
    await until("a copy", () => copying.output().includes("snapshot written") || undefined);
    for (let n = 0; n < COMMANDS; n += 1) await shop.till.submit(device.id, "get_status");
    expect(await gateway.stop()).toBe(0);
    // The gateway stops first: its last words are copied too. (0.3.13 may end with 1 after that.)
    await copying.stop();
    expect(copying.output()).toContain("litestream shut down");

    const copy = join(box.folder, "copy.db");
    const from = join(box.stateDir, "fiscald.db");
    const brought = await runToEnd([LITESTREAM, "restore", "-config", config, "-o", copy, from]);
    expect([brought.code, brought.err]).toEqual([0, ""]);
    const other = join(box.folder, "other");
    const restored = await runToEnd([...[box.program, "restore", copy, "--state-dir", other]]);
    expect(restored.out).toContain(`${COMMANDS} commands, 0 receipts`);
    expect(restored.code).toBe(1);

    const again = await serve(other);
    const client = new ApiClient(textOf(await again.line("listening"), "url"));
    const { accessToken } = await client.expect<{ accessToken: string }>("POST", "/auth/login", {
      ...{ email: shop.email, password: shop.password },
    });
    const found = await new ApiClient(client.url, accessToken).list();
    expect(found.filter(({ type }) => type === "get_status")).toHaveLength(COMMANDS);
  });

  test("is one of the state directory's own files, which no backup takes", async () => {
    const config = await writtenConfig();
    const copying = box.keep(startOwnProcess([LITESTREAM, "replicate", "-config", config]));
    const gateway = await serve(box.stateDir);
    await gateway.line("listening");
    const folder = join(box.stateDir, ".fiscald.db-litestream");
    await until("its folder", () => existsSync(folder) || undefined);
    await gateway.stop();
    const passphrase = join(box.folder, "passphrase");
    writeFileSync(passphrase, "a long passphrase\n");
    const { code, out } = await runToEnd([
      ...[box.program, "backup", "--state-dir", box.stateDir, "--to", box.folder],
      ...["--backup-passphrase-file", passphrase, "--backup-work-factor", "10"],
    ]);
    expect(code).toBe(0);
    const again = await serve(box.stateDir);
    await again.line("listening");
    expect(again.output()).not.toContain("it also holds");
    await again.stop();
    expect(out).toContain(".tar.gz.age");
    await copying.stop();
  });
});
