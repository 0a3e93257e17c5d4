import { expect, test } from "bun:test";
import { type AddressKind, addressKind } from "./address-kind.ts";

/** This machine's. */
const OWN = ["127.0.0.1", "203.0.113.9", "2001:db8::9", "fe80::9%eth0"];

test.each<[AddressKind, readonly string[]]>([
  ["own", ["127.0.0.1", "127.255.0.9", "0.0.0.0", "0.1.2.3", "::1", "::", "0:0:0:0:0:0:0:1"]],
  ["own", ["203.0.113.9", "2001:db8::9", "2001:DB8:0::0:9", "::ffff:203.0.113.9", "fe80::9"]],
  ["own", ["::ffff:127.0.0.1", "::FFFF:7f00:1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"]],
  [
    "own",
    ["::ffff:0:127.0.0.1", "::ffff:0:7f00:1", "64:ff9b:1::127.0.0.1", "64:ff9b:1::cb00:7109"],
  ],
  ["private", ["::ffff:0:10.0.0.1", "64:ff9b:1::c0a8:101"]],
  ["public", ["::ffff:0:8.8.8.8", "64:ff9b:1::808:808"]],
  ["link-local", ["169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "febf::1"]],
  ["private", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1"]],
  ["private", ["fd00::1", "fec0::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::1"]],
  ["none", ["224.0.0.1", "255.255.255.255", "240.0.0.1", "ff02::1"]],
  ["public", ["203.0.113.8", "172.32.0.1", "100.128.0.1", "8.8.8.8", "::ffff:8.8.8.8"]],
  ["public", ["2606:4700::1", "64:ff9b::808:808", "2002:808:808::1"]],
])("%s are %p", (kind, addresses) => {
  expect(addresses.map((address) => [address, addressKind(address, OWN)])).toEqual(
    addresses.map((address) => [address, kind]),
  );
});
