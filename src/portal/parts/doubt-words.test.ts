/** What is said of a printer that could not tell. */

import { expect, test } from "bun:test";
import en from "../words/en.json";
import { phrase } from "../words/phrase.ts";
import type { Translate } from "../words/words.tsx";
import { doubtText } from "./doubt-words.ts";

const t: Translate = (word, fill) => phrase({ entries: en, locale: "en-GB" }, word, fill);

test("the numbers of documents stand as on paper", () => {
  const params = { number: 12_346, own: 12_345 };
  expect(doubtText({ code: "other_number", params }, t)).toBe(
    "The printer has reached document 12346; this one would be number 12345. Something else was printed meanwhile, so it cannot tell.",
  );
});
