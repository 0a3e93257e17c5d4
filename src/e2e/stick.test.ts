/** Backups that a person has made on a stick beside the usual place. */

import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makerOf } from "../backup/maker.ts";
import { Box } from "./harness/box.ts";
import { registerShop, startGateway } from "./harness/gateway.ts";
import { asRoot, hasPrograms } from "./harness/other-runtime.ts";
import { MOUNTING, withMounts } from "./harness/own-mounts.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";

const WHAT = "a person's own stick";
const whom = hasPrograms(WHAT, MOUNTING) ? asRoot(WHAT) : [];

interface Backups {
  readonly startedAt: string | null;
  readonly last: object | null;
  readonly sticks: readonly { readonly backups: readonly object[] }[];
}

describe.each(whom)("as %s", () => {
  test("what a person has made on a stick of his own removes nothing there", async () => {
    const box = new Box();
    try {
      const migrated = await runToEnd([await executable(), "migrate", "--state-dir", box.stateDir]);
      expect(migrated.code).toBe(0);
      const maker = makerOf(box.stateDir);
      const disk = join(box.folder, "usb2", "sdz1");
      for (const name of ["usb2/sdz1", "block", "earlier", "stick"]) {
        mkdirSync(join(box.folder, name), { recursive: true });
      }
      symlinkSync(disk, join(box.folder, "block", "sdz1"));
      const days = Array.from({ length: 8 }, (_, day) => `2026010${day + 1}T010000Z-by-hand`);
      for (const day of days) {
        writeFileSync(join(box.folder, "earlier", `fiscald-${maker}-${day}.tar.gz.age`), "");
      }
      const passphrase = join(box.folder, "passphrase");
      writeFileSync(passphrase, "a passphrase for tests\n");
      const program = await withMounts(box.folder, [
        'mount --bind "$0/block" /sys/class/block',
        'mount -t tmpfs /dev/sdz1 "$0/stick"',
        'cp -r "$0/earlier" "$0/stick/fiscald"',
      ]);
      const args = ["--backup-passphrase-file", passphrase, "--backup-work-factor", "10"];
      const gateway = box.keep(
        await startGateway(box.stateDir, { program, args: [...args, "--backup-keep", "1"] }),
      );
      const { owner } = await registerShop(gateway.url);
      const look = () => owner.expect<Backups>("GET", "/backups");
      expect((await look()).sticks).toMatchObject([{ name: "sdz1", mounted: true }]);
      const begun = await owner.call("POST", "/backups", { body: { to: "usb:sdz1" } });
      expect(begun.status).toBe(202);
      await until("the backup", async () => {
        const { startedAt, last } = await look();
        return startedAt === null && last !== null;
      });
      const [stick] = (await look()).sticks;
      expect(stick?.backups).toHaveLength(days.length + 1);
    } finally {
      await box.clear();
    }
  });
});
