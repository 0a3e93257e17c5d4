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

  test.each(["printer", "10.0.0.7", "fe80::1%eth0", "::1", "::ffff:10.0.0.7", "2001:DB8::7"])(
    "of tcp have the host %s",
    (host) => {
      const params = { host, port: 9100 };
      expect(readConnectionParams("tcp", params, "params")).toEqual({ params });
    },
  );

  test.each(["10.0.0.7:9100", "printer:9100", "a b", "*", "[::1]", "../x", "::1%"])(
    "of tcp have no host %s",
    (host) => {
      expect(readConnectionParams("tcp", { host, port: 9100 }, "params")).toEqual({
        issues: [{ path: "params.host", message: expect.stringContaining("without its port") }],
      });
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
