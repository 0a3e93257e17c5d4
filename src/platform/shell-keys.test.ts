import { expect, test } from "bun:test";
import { withoutKeysOf } from "./shell-keys.ts";

const KEY = "k3y-of-the-zone";

test.each([
  [`curl -H "Authorization: Bearer ${KEY}" https://dns.example/v1`, `bad ${KEY}`, "bad [secret]"],
  [`curl https://${KEY}@dns.example:8443/v1`, `${KEY} at dns.example`, "[secret] at dns.example"],
  [`curl https://${KEY}:@dns.example/v1`, `for ${KEY}`, "for [secret]"],
  [`curl "https://dns.example/?key=${KEY}&b=1"`, `no ${KEY}`, "no [secret]"],
  [`hook --key=${KEY}`, `no ${KEY}`, "no [secret]"],
  ['/etc/fiscald/dns-hook "$1"', "/etc/fiscald/dns-hook: not found", undefined],
])("%s: its key is in no message, and its files and hosts are", (command, text, shown) => {
  expect(withoutKeysOf(command, text)).toBe(shown ?? text);
});
