import { describe, expect, test } from "bun:test";
import { isOwnHost, reachableHosts } from "./reachable.ts";

const ADDRESSES = ["127.0.0.1", "::1", "fe80::1", "169.254.3.3", "fd00::7", "192.168.1.20"];

describe("what others reach", () => {
  test.each([
    ["0.0.0.0", ["192.168.1.20"]],
    ["[::]", ["192.168.1.20", "[fd00::7]"]],
    ["127.0.0.1", ["127.0.0.1"]],
    ["10.0.0.2", ["10.0.0.2"]],
  ])("listening on %s is %j", (host, hosts) => {
    expect(reachableHosts(host, ADDRESSES)).toEqual(hosts);
  });

  test("is nothing in no network, nor what is the machine's own", () => {
    expect(reachableHosts("0.0.0.0", ["127.0.0.1"])).toEqual([]);
    const own = ["127.0.0.1", "localhost", "[::1]", "192.168.1.20", "fiscald.local"].map(isOwnHost);
    expect(own).toEqual([true, true, true, false, false]);
  });
});
