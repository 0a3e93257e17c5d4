/** Nobody is led out of the portal by an address. */

import { expect, test } from "bun:test";
import { ownPath } from "./own-path.ts";

const ORIGIN = "http://box.example:8080";

test.each([
  ["/", "/"],
  ["/setup/printer", "/setup/printer"],
  ["/receipts?q=7%2C50#row", "/receipts?q=7%2C50#row"],
  ["/a/../reports", "/reports"],
  ["/%2F/evil.example", "/%2F/evil.example"],
])("%p leads to %p", (from, to) => {
  expect(ownPath(from, ORIGIN)).toBe(to);
});

test.each([
  ...["//evil.example", "/\t/evil.example", "/\n/evil.example", "/\r\n/evil.example"],
  ...["/\\evil.example", "\\\\evil.example", "/\\/evil.example", "/.//evil.example", "/..//evil"],
  ...["https://evil.example/", "javascript:alert(1)", "evil", "", "//", "//[", "/\t\t/box:x"],
])("%p leads to the first page", (from) => {
  expect(ownPath(from, ORIGIN)).toBe("/");
});

test("leads to the first page where nothing is said", () => {
  expect(ownPath(null, ORIGIN)).toBe("/");
});
