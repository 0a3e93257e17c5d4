/** That the search finds what is meant by a few letters. */

import { expect, test } from "bun:test";
import { ranked } from "./search-rank.ts";

const all = [
  "Reports",
  "Counter",
  "Print the Z report · Counter",
  "Antet și subsol · Casă",
  "Каса",
];
const found = (asked: string) =>
  ranked(
    all.map((text) => ({ text })),
    asked,
  ).map(({ text }) => text);

test.each([
  ["rep", ["Reports", "Print the Z report · Counter"]],
  ["counter", ["Counter", "Print the Z report · Counter"]],
  ["counter z", ["Print the Z report · Counter"]],
  ["CASA", ["Antet și subsol · Casă"]],
  ["si subs", ["Antet și subsol · Casă"]],
  ["КАСА", ["Каса"]],
  ["nothing", []],
])("%p finds %p", (asked, expected) => {
  expect(found(asked)).toEqual(expected);
});
