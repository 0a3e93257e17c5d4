import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listSerialPorts } from "./serial-ports.ts";

const ADAPTER = "devices/pci0000:00/0000:00:14.0/usb1/1-1";
const BY_ID = "usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0";

let root: string;
let folders: { sys: string; dev: string };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fiscald-ports-"));
  folders = { sys: join(root, "sys"), dev: join(root, "dev") };
  mkdirSync(join(folders.sys, "class/tty"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

/** Lays out a folder of the kernel with its attributes. */
function lay(folder: string, attributes: Readonly<Record<string, string>> = {}): string {
  const path = join(folders.sys, folder);
  mkdirSync(path, { recursive: true });
  for (const [name, value] of Object.entries(attributes)) {
    writeFileSync(join(path, name), `${value}\n`);
  }
  return path;
}

function port(name: string, device: string | undefined, type?: string): void {
  const folder = lay(`class/tty/${name}`, type === undefined ? {} : { type });
  if (device !== undefined) symlinkSync(lay(device), join(folder, "device"));
}

function usbPort(): void {
  lay(ADAPTER, {
    idVendor: "0403",
    idProduct: "6001",
    serial: "A50285BI",
    manufacturer: "FTDI",
    product: "FT232R USB UART",
  });
  port("ttyUSB0", `${ADAPTER}/1-1:1.0/ttyUSB0`);
}

const NOTHING = {
  byId: null,
  vendorId: null,
  productId: null,
  serialNumber: null,
  manufacturer: null,
  product: null,
  location: null,
};

describe("the list of serial ports", () => {
  test("tells what is plugged into a USB port, and its lasting name", () => {
    usbPort();
    mkdirSync(join(folders.dev, "serial/by-id"), { recursive: true });
    symlinkSync("../../ttyUSB0", join(folders.dev, "serial/by-id", BY_ID));
    expect(listSerialPorts(folders)).toEqual([
      {
        path: "/dev/ttyUSB0",
        byId: `/dev/serial/by-id/${BY_ID}`,
        vendorId: "0403",
        productId: "6001",
        serialNumber: "A50285BI",
        manufacturer: "FTDI",
        product: "FT232R USB UART",
        location: "1-1",
      },
    ]);
  });

  test("knows the port of a machine without udev by its path", () => {
    usbPort();
    expect(listSerialPorts(folders)).toMatchObject([{ path: "/dev/ttyUSB0", byId: null }]);
  });

  test("has the built-in ports that are there, and no virtual consoles", () => {
    port("tty1", undefined);
    port("ttyS0", "devices/platform/serial8250/tty/ttyS0", "4");
    port("ttyS1", "devices/platform/serial8250/tty/ttyS1", "0");
    expect(listSerialPorts(folders)).toEqual([{ path: "/dev/ttyS0", ...NOTHING }]);
  });

  test("leaves unsaid what an adapter does not tell", () => {
    lay(ADAPTER, { idVendor: "1a86", idProduct: "7523", serial: "" });
    port("ttyUSB0", `${ADAPTER}/1-1:1.0/ttyUSB0`);
    expect(listSerialPorts(folders)).toEqual([
      {
        ...NOTHING,
        path: "/dev/ttyUSB0",
        vendorId: "1a86",
        productId: "7523",
        location: "1-1",
      },
    ]);
  });

  test("is in the order that people count in", () => {
    for (const number of [10, 2, 1]) {
      port(`ttyUSB${number}`, `${ADAPTER}/1-1:1.${number}/ttyUSB${number}`);
    }
    expect(listSerialPorts(folders).map(({ path }) => path)).toEqual([
      "/dev/ttyUSB1",
      "/dev/ttyUSB2",
      "/dev/ttyUSB10",
    ]);
  });

  test("is empty where there is nothing to read", () => {
    rmSync(folders.sys, { recursive: true });
    expect(listSerialPorts(folders)).toEqual([]);
  });

  test("can be read on this machine", () => {
    for (const { path } of listSerialPorts()) expect(path).toStartWith("/dev/");
  });
});
