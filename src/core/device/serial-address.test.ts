import { describe, expect, test } from "bun:test";
import {
  formatSerialAddress,
  parseSerialAddress,
  type SerialAddress,
  serialAddressFault,
} from "./serial-address.ts";

describe("a serial address", () => {
  test("may be a path alone", () => {
    expect(parseSerialAddress("/dev/ttyUSB0")).toEqual({ path: "/dev/ttyUSB0" });
    expect(parseSerialAddress("COM3")).toEqual({ path: "COM3" });
  });

  test("may name every setting of the line", () => {
    const text =
      "/dev/serial/by-id/usb-1?baud=115200&parity=odd&dataBits=7&stopBits=2&flow=xonxoff";
    expect(parseSerialAddress(text)).toEqual({
      path: "/dev/serial/by-id/usb-1",
      baudRate: 115_200,
      parity: "odd",
      dataBits: 7,
      stopBits: 2,
      flow: "xonxoff",
    });
  });

  test.each([
    ["ttyUSB0", "path"],
    ["", "path"],
    ["/dev/tty 1", "path"],
    ["/dev/ttyS0?baud=299", "baud"],
    ["/dev/ttyS0?baud=fast", "baud"],
    ["/dev/ttyS0?parity=mark", "parity"],
    ["/dev/ttyS0?dataBits=9", "dataBits"],
    ["/dev/ttyS0?stopBits=1.5", "stopBits"],
    ["/dev/ttyS0?flow=fast", "flow"],
    ["/dev/ttyS0?handshake=none", "no setting but"],
  ])("such as %p is refused for its %s", (text, fault) => {
    expect(parseSerialAddress(text)).toEqual(expect.stringContaining(fault));
    expect(serialAddressFault(text)).toContain(fault);
  });

  test.each([
    ["/dev/ttyS0?baud=9600?parity=even", "Expected & between settings", 9_600],
    ["/dev/ttyS0?baud=9600&baud=19200", "Expected baud once", 19_200],
    ["/dev/ttyS0&parity=even", "Expected ? before the settings", undefined],
  ])("such as %p is none to write, and read where it is stored", (text, fault, baudRate) => {
    expect(serialAddressFault(text)).toContain(fault);
    expect(parseSerialAddress(text)).toMatchObject(baudRate === undefined ? {} : { baudRate });
  });

  test("that is right has no fault", () => {
    for (const text of [
      "/dev/ttyUSB0",
      "COM3",
      "/dev/ttyS0?",
      "/dev/ttyS0?baud=9600&&parity=even&",
    ])
      expect(serialAddressFault(text)).toBeUndefined();
  });

  test.each<[string, SerialAddress]>([
    ["/dev/ttyS0", { path: "/dev/ttyS0" }],
    [
      "/dev/ttyS0?baud=19200&parity=odd&dataBits=7&stopBits=2",
      {
        path: "/dev/ttyS0",
        baudRate: 19_200,
        parity: "odd",
        dataBits: 7,
        stopBits: 2,
      },
    ],
  ])("is written as %s and read as the same", (text, address) => {
    expect(formatSerialAddress(address)).toBe(text);
    expect(parseSerialAddress(text)).toEqual(address);
  });
});
