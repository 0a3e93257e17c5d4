import { expect, test } from "bun:test";
import { gapTexts } from "./repair.ts";

const ANYWHERE = { after: 0, before: null };

test.each([
  [[{ after: 2, before: 6 }], ["up to 3 after row 2"]],
  [[{ after: 2, before: 3 }], ["nothing after row 2"]],
  [[{ after: -1, before: 4 }], ["up to 3 before row 4"]],
  [[{ after: 5, before: null }], ["all after row 5, nobody knows how many"]],
  [[{ after: -1, before: null }, ANYWHERE], ["nobody knows how many"]],
  [
    [{ after: -1, before: 4 }, ANYWHERE],
    ["up to 3 before row 4", "perhaps more"],
  ],
])("what may be lost of a table in %j is told without contradiction", (gaps, words) => {
  expect(gapTexts(gaps, 3)).toEqual(words);
});

test("a table of which nothing could be read is lost whole", () => {
  expect(gapTexts([{ after: -1, before: null }], 0)).toEqual(["all, nobody knows how many"]);
});
