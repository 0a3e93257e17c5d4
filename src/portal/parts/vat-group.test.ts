/** VAT groups are called what they are called on the paper of the printer. */

import { expect, test } from "bun:test";
import words from "../words/en.json" with { type: "json" };
import type { Translate } from "../words/words.tsx";
import { vatGroupsOf } from "./vat-group.ts";

const t = ((word: keyof typeof words, values: Record<string, string> = {}) =>
  words[word].replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? "")) as Translate;
const BULGARIAN = { driver: "vendorA.isl", serialNumber: "DT570009" } as const;
const ROMANIAN = { driver: "vendorA.isl", serialNumber: "DB2200011111" } as const;
const LATIN = { driver: "custom.serial", serialNumber: "99MEX000001" } as const;
const UNREACHED = { driver: "vendorA.isl", serialNumber: null } as const;

test.each([
  ["of a printer with Cyrillic letters", [BULGARIAN], "Group Г"],
  ["of a Romanian one", [ROMANIAN], "Group D"],
  ["of one with Latin letters alone", [LATIN], "Group D"],
  ["of printers that call it otherwise", [BULGARIAN, ROMANIAN], "Group D"],
  ["of one that told, beside one that has not", [UNREACHED, BULGARIAN], "Group Г"],
  ["of none", [], "Group D"],
] as const)("the fourth group %s", (_, printers, name) => {
  const groups = vatGroupsOf(printers, t);
  expect([groups.nameOf("VAT4"), groups.nameOf("exempt"), groups.letterOf("VAT9")]).toEqual([
    ...[name, "Without VAT", "9"],
  ]);
});
