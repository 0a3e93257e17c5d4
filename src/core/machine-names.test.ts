import { expect, test } from "bun:test";
import { namesLoopback, namesMachine } from "./machine-names.ts";

const machine = {
  hostname: "ShopBox",
  addresses: ["127.0.0.1", "192.168.1.10", "fe80::1%eth0", "2001:db8::a"],
};

test.each([
  ...["localhost", "localhost:8080", "LOCALHOST", "pos.localhost", "127.0.0.1:8080", "127.9.9.9"],
  ...["[::1]", "[::1]:8080", "shopbox", "ShopBox:8080", "shopbox.local", "192.168.1.10:8080"],
  ...["[fe80::1]", "[2001:DB8:0::a]:8080", "3232235786", "2130706433"],
])("%p is the machine", (host) => {
  expect(namesMachine(host, machine)).toBe(true);
});

test.each([
  ...["", "evil.example", "evil.example:8080", "localhost.evil.example", "shopbox.evil.example"],
  ...["192.168.1.11", "[2001:db8::b]", "127.0.0.1.evil.example", "a@localhost", "localhost/x"],
  ...[
    "localhost localhost",
    "localhost,localhost",
    "local host",
    "[::1",
    "::1",
    "localhost:x",
    "a:1:2",
  ],
])("%p is another", (host) => {
  expect(namesMachine(host, machine)).toBe(false);
});

test("only loopback leads to the machine itself everywhere", () => {
  const hosts = ["localhost:1", "127.0.0.1", "[::1]:1", "shopbox", "192.168.1.10", "evil.example"];
  expect(hosts.map(namesLoopback)).toEqual([true, true, true, false, false, false]);
});
