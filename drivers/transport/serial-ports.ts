/** Finds the serial ports of this machine and what is plugged into them, without udev's help. */

import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { SerialPortInfo } from "#core/device/serial-port.ts";

/** The folders of the kernel; tests have their own. */
export interface KernelFolders {
  readonly sys: string;
  readonly dev: string;
}

const KERNEL: KernelFolders = { sys: "/sys", dev: "/dev" };
/** A machine with more ports than this is listed in part. */
const PORTS_MAX = 256;
/** From a port to its USB device there are three or four folders. */
const PARENTS_MAX = 8;

/** Lists the ports by path. */
export function listSerialPorts(folders: KernelFolders = KERNEL): SerialPortInfo[] {
  const names = lastingNames(folders);
  return entries(join(folders.sys, "class/tty"))
    .filter((name) => isPort(join(folders.sys, "class/tty", name), name))
    .sort((one, other) => one.localeCompare(other, "en", { numeric: true }))
    .slice(0, PORTS_MAX)
    .map((name) => ({
      path: join("/dev", name),
      byId: names.get(name) ?? null,
      ...usbOf(join(folders.sys, "class/tty", name, "device"), folders.sys),
    }));
}

/** Virtual consoles have no device behind them; 8250 ports without hardware have type 0. */
function isPort(folder: string, name: string): boolean {
  try {
    readlinkSync(join(folder, "device"));
  } catch {
    return false;
  }
  return !(name.startsWith("ttyS") && attribute(folder, "type") === "0");
}

function usbOf(device: string, sys: string): Omit<SerialPortInfo, "path" | "byId"> {
  const folder = usbFolder(device, sys);
  const read = (name: string) => (folder === undefined ? null : attribute(folder, name));
  return {
    vendorId: read("idVendor"),
    productId: read("idProduct"),
    serialNumber: read("serial"),
    manufacturer: read("manufacturer"),
    product: read("product"),
    location: folder === undefined ? null : basename(folder),
  };
}

/** The first folder above the port's device that names a USB vendor. */
function usbFolder(device: string, sys: string): string | undefined {
  let folder: string;
  let root: string;
  try {
    folder = realpathSync(device);
    root = realpathSync(sys);
  } catch {
    return undefined;
  }
  for (let climbed = 0; climbed < PARENTS_MAX && folder.startsWith(`${root}/`); climbed += 1) {
    if (attribute(folder, "idVendor") !== null) return folder;
    folder = dirname(folder);
  }
  return undefined;
}

function attribute(folder: string, name: string): string | null {
  try {
    const text = readFileSync(join(folder, name), "utf8").trim();
    return text === "" ? null : text;
  } catch {
    return null;
  }
}

/** Name of the port -> its path below /dev/serial/by-id. */
function lastingNames({ dev }: KernelFolders): Map<string, string> {
  const names = new Map<string, string>();
  for (const name of entries(join(dev, "serial/by-id"))) {
    try {
      const target = basename(readlinkSync(join(dev, "serial/by-id", name)));
      names.set(target, join("/dev/serial/by-id", name));
    } catch {
      // The cable was pulled between the two looks.
    }
  }
  return names;
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Without a single USB serial port there is no /dev/serial; without a kernel's /sys no port.
    return [];
  }
}
