import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { asRoot } from "../e2e/harness/other-runtime.ts";
import { executable } from "../e2e/harness/program.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { findUsbSticks } from "./usb-sticks.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-usb-"));
  for (const name of ["block", "label", "dev"]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A disk or a part of one, as the system shows it. @param bus what it is plugged into */
function disk(name: string, bus: string, label?: string): void {
  const place = join(folder, "devices", bus, name);
  mkdirSync(place, { recursive: true });
  symlinkSync(place, join(folder, "block", name));
  writeFileSync(join(folder, "dev", name), "");
  if (label !== undefined) symlinkSync(join(folder, "dev", name), join(folder, "label", label));
}

function find(mounts: string) {
  writeFileSync(join(folder, "mounts"), mounts);
  return findUsbSticks({
    mounts: join(folder, "mounts"),
    blocks: join(folder, "block"),
    labels: join(folder, "label"),
  });
}

test("finds sticks by their bus, names them by their label, and sees where they are mounted", () => {
  mkdirSync(join(folder, "my shop"));
  disk("sda", "pci0/ata1");
  disk("sda1", "pci0/ata1/sda", "SYSTEM");
  disk("sdb", "pci0/usb2/2-1/block");
  disk("sdb1", "pci0/usb2/2-1/block/sdb", "MY\\x20SHOP");
  disk("sdc", "pci0/usb3/3-1/block");
  const found = find(
    `/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 ${folder}/my\\040shop vfat rw 0 0\nproc /proc proc rw 0 0\n`,
  );
  expect(found).toEqual([
    { name: "MY SHOP", device: "sdb1", mountPoint: join(folder, "my shop") },
    { name: "sdc", device: "sdc", mountPoint: null },
  ]);
});

test("finds none where the system does not tell of disks", () => {
  const nothing = join(folder, "nothing");
  expect(findUsbSticks({ mounts: nothing, blocks: nothing, labels: nothing })).toEqual([]);
});

test("a stick that takes no file of that size, as FAT none of 4 GB, is told what does", async () => {
  const program = await executable();
  const [stateDir, stick] = [join(folder, "state"), join(folder, "stick")];
  expect((await runToEnd([program, "migrate", "--state-dir", stateDir])).code).toBe(0);
  mkdirSync(stick);
  mkdirSync(join(stateDir, "drivers"));
  // It cannot be packed; more than the limit, which shells count in blocks of 512 or 1024 bytes.
  writeFileSync(join(stateDir, "drivers", "own.json"), randomBytes(20 * 1_048_576));
  const limited = "trap '' XFSZ; ulimit -f 8192; exec \"$@\"";
  const words = ["backup", "--to", stick, "--state-dir", stateDir, "--passphrase-stdin"];
  const { code, out, err } = await runToEnd(
    ["sh", "-c", limited, "sh", program, ...words, "--backup-work-factor", "10"],
    { stdin: "a passphrase for tests\n" },
  );
  expect([code, out, readdirSync(stick)]).toEqual([3, "", []]);
  expect(err).toContain(`no backup was made: ${stick} takes no file of that size`);
  expect(err).toContain("exFAT");
});

const UNIT = readFileSync(join(import.meta.dir, "../../systemd/fiscald.service"), "utf8");

describe.each(asRoot("backups to a stick from the service"))("what the service sees as %s", () => {
  test("is enough to find a stick that is mounted, and to make a backup on it", async () => {
    expect(UNIT).toContain("ProcSubset=pid\n");
    const program = await executable();
    const [stateDir, stick] = [join(folder, "state"), join(folder, "stick")];
    mkdirSync(stick);
    disk("sdz1", "pci0/usb2/2-1/block/sdz");
    expect((await runToEnd([program, "migrate", "--state-dir", stateDir])).code).toBe(0);
    writeFileSync(join(folder, "passphrase"), "a passphrase for tests\n");
    // Of the system's tree its disks alone, of proc what the unit shows; the stick is in memory.
    const script = [
      ...['mount --bind "$0/block" /sys/class/block', 'mount -t tmpfs /dev/sdz1 "$0/stick"'],
      ...["mount -t proc -o subset=pid proc /proc", '"$@"', 'ls "$0/stick/fiscald"'],
    ].join(" && ");
    const { out, err, code } = await runToEnd([
      ...["unshare", "--mount", "sh", "-c", script, folder],
      ...[program, "backup", "--to", "usb", "--state-dir", stateDir],
      ...["--backup-passphrase-file", join(folder, "passphrase"), "--backup-work-factor", "10"],
    ]);
    expect([code, err]).toEqual([0, expect.stringContaining("verified")]);
    const [made = "", there] = out.trim().split("\n");
    expect([made, there]).toEqual([join(stick, "fiscald", basename(made)), basename(made)]);
    expect(readdirSync(stick)).toEqual([]);
  });

  test("tells how to mount a stick without owners, or makes its folder there, where it may not write", async () => {
    const program = await executable();
    const [stateDir, stick] = [join(folder, "state"), join(folder, "stick")];
    mkdirSync(stick);
    disk("sdz1", "pci0/usb2/2-1/block/sdz");
    expect((await runToEnd([program, "migrate", "--state-dir", stateDir])).code).toBe(0);
    writeFileSync(join(folder, "passphrase"), "a passphrase for tests\n");
    const script = [
      ...['chmod -R a+rX "$0"', 'chown -R 65534 "$0/state" "$0/state-starts" "$0/passphrase"'],
      ...['mount --bind "$0/block" /sys/class/block'],
      'mount -t tmpfs -o mode=755 /dev/sdz1 "$0/stick"',
      'as_keeper() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }',
      'told=$(as_keeper "$@" 2>&1) && exit 9',
      'printf "%s\\n" "$told"',
      // Where there is no sudo, root's password is asked for, which root is not.
      `$(printf %s "$told" | sed "s/.*; else //; s/^sudo //; s/^su -c '\\(.*\\)'$/\\1/")`,
      'as_keeper "$@"',
    ].join("\n");
    const { out, err, code } = await runToEnd([
      ...["unshare", "--mount", "sh", "-euc", script, folder],
      ...[program, "backup", "--to", "usb", "--state-dir", stateDir],
      ...["--backup-passphrase-file", join(folder, "passphrase"), "--backup-work-factor", "10"],
    ]);
    expect(out).toMatch(
      /stick\/fiscald cannot be written to: .*mount it with the option uid=\w+; else /,
    );
    expect([code, err]).toEqual([0, expect.stringContaining("verified")]);
  });

  test("may have one that a desktop mounted for its own user beside it", async () => {
    const program = await executable();
    const stateDir = join(folder, "state");
    for (const name of ["stick", "desktop", "desktop/PHOTOS"]) mkdirSync(join(folder, name));
    for (const device of ["sdy", "sdz"]) disk(`${device}1`, `pci0/usb2/2-1/block/${device}`);
    expect((await runToEnd([program, "migrate", "--state-dir", stateDir])).code).toBe(0);
    writeFileSync(join(folder, "passphrase"), "a passphrase for tests\n");
    const asNobody = "setpriv --reuid=65534 --regid=65534 --clear-groups";
    const script = [
      ...['chmod -R a+rX "$0"', 'chmod 700 "$0/desktop"'],
      ...['mount --bind "$0/block" /sys/class/block', 'mount -t tmpfs /dev/sdz1 "$0/stick"'],
      ...['mount -t tmpfs /dev/sdy1 "$0/desktop/PHOTOS"', 'chown -R 65534 "$0/state" "$0/stick"'],
      `${asNobody} "$@"`,
      ...[`${asNobody} "$1" backup --list --to usb:sdz1 --state-dir "$0/state"`],
    ].join(" && ");
    const { out, err, code } = await runToEnd([
      ...["unshare", "--mount", "sh", "-c", script, folder],
      ...[program, "backup", "--to", "usb:sdz1", "--state-dir", stateDir],
      ...["--backup-passphrase-file", join(folder, "passphrase"), "--backup-work-factor", "10"],
    ]);
    expect([code, err]).toEqual([0, expect.stringContaining("verified")]);
    expect(out).toMatch(/usb:sdy1 {2}at \S+\/PHOTOS, which \S+ cannot use: EACCES/);
    expect(out).toMatch(/usb:sdz1 {2}at \S+\/stick, \d+ MB free/);
  });
});
