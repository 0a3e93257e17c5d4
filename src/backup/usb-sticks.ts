/** USB sticks of this machine: what is plugged in, what it is called, and where it is mounted. */

import { readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { namesIn } from "../platform/names-in.ts";

/** Where the system tells of disks. */
export interface DiskSources {
  readonly mounts: string;
  readonly blocks: string;
  readonly labels: string;
}

const SYSTEM: DiskSources = {
  // Of all of /proc the service sees what is below processes alone.
  mounts: "/proc/self/mounts",
  blocks: "/sys/class/block",
  labels: "/dev/disk/by-label",
};

/** A part of a USB disk that can hold files. */
export interface UsbStick {
  /** Its label, else its device, as `SHOP` or `sdb1`. */
  readonly name: string;
  /** As `sdb1`. */
  readonly device: string;
  /** Null while it is not mounted: only root can mount it. */
  readonly mountPoint: string | null;
}

/**
 * Finds them, without asking them for anything: one that does not answer, or may not be looked into,
 * is found like any other. None where the system does not tell.
 */
export function findUsbSticks(sources: DiskSources = SYSTEM): UsbStick[] {
  const labels = labelsByDevice(sources.labels);
  const mounts = mountsByDevice(sources.mounts);
  const devices = namesIn(sources.blocks)
    .sort()
    .filter((device) => isOnUsb(join(sources.blocks, device)));
  return devices
    .filter((device) => mounts.has(device) || !isDivided(device, devices))
    .map((device) => ({
      name: labels.get(device) ?? device,
      device,
      mountPoint: mounts.get(device) ?? null,
    }));
}

/** The path of a disk in the system's tree leads through the bus that it is plugged into. */
function isOnUsb(block: string): boolean {
  try {
    return /\/usb\d/.test(realpathSync(block));
  } catch {
    return false;
  }
}

/** True for a whole disk of which there are parts. */
function isDivided(device: string, devices: readonly string[]): boolean {
  return devices.some((other) => other !== device && other.startsWith(device));
}

function mountsByDevice(file: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of textOf(file).split("\n")) {
    const [device = "", mountPoint = ""] = line.split(" ");
    if (!device.startsWith("/dev/")) continue;
    // Spaces and the like stand as octal numbers.
    const path = mountPoint.replace(/\\([0-7]{3})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 8)),
    );
    const name = basename(device);
    if (!found.has(name)) found.set(name, path);
  }
  return found;
}

function labelsByDevice(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of namesIn(folder).sort()) {
    const label = name.replace(/\\x([0-9a-f]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    try {
      found.set(basename(realpathSync(join(folder, name))), label);
    } catch {
      // It was just pulled out.
    }
  }
  return found;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
