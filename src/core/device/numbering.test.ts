/** Numbers as printers write them. */

import { expect, test } from "bun:test";
import { numberOf } from "./numbering.ts";

test("only digits are a number that can be compared", () => {
  expect(["0012", "12-45", "", null, 12].map(numberOf)).toEqual([
    12,
    ...[undefined, undefined, undefined, undefined],
  ]);
});
