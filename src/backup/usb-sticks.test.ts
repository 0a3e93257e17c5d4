import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
    {
      ...{ name: "MY SHOP", device: "sdb1", mountPoint: join(folder, "my shop") },
      freeBytes: expect.any(Number),
    },
    { name: "sdc", device: "sdc", mountPoint: null, freeBytes: null },
  ]);
});

test("finds none where the system does not tell of disks", () => {
  const nothing = join(folder, "nothing");
  expect(findUsbSticks({ mounts: nothing, blocks: nothing, labels: nothing })).toEqual([]);
});
