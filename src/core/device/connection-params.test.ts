import { describe, expect, test } from "bun:test";
import { readConnectionParams } from "./connection-params.ts";
import type { TransportKind } from "./device.ts";

const ADDRESSES = [
  ["tcp", { host: "printer", port: 9100 }],
  ["serial", { address: "/dev/ttyUSB0?baud=9600" }],
  ["bluetooth", { address: "AA:BB:CC:DD:EE:FF" }],
] as const satisfies readonly (readonly [TransportKind, object])[];

describe("connection parameters", () => {
  test.each([...ADDRESSES])(
    "of %s may name a profile, and keep nothing else",
    (transport, address) => {
      const profile = "custom-rt-gen2";
      expect(readConnectionParams(transport, { ...address, profile, colour: "red" }, "")).toEqual({
        params: { ...address, profile },
      });
      expect(readConnectionParams(transport, address, "")).toEqual({ params: address });
    },
  );

  test("of a serial port name each setting once", () => {
    for (const address of ["/dev/a?baud=9600?parity=even", "/dev/a?baud=9600&baud=9600"])
      expect(readConnectionParams("serial", { address }, "params")).toEqual({
        issues: [{ path: "params.address", message: expect.any(String) }],
      });
  });

  test("are refused with a profile that cannot be one", () => {
    for (const profile of ["", "Über", "../../etc/passwd", 5]) {
      expect(readConnectionParams("tcp", { host: "printer", port: 1, profile }, "params")).toEqual({
        issues: [{ path: "params.profile", message: expect.any(String) }],
      });
    }
  });
});
