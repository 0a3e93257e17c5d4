/** That whatever the audit log may say has a sentence for who reads it. */

import { expect, test } from "bun:test";
import { AUDIT_ACTIONS } from "#core/audit.ts";
import bg from "../words/bg.json";
import en from "../words/en.json";
import ro from "../words/ro.json";

const PLACE = "history.action.";

test.each(Object.entries({ en, ro, bg }))("every deed has its sentence in %s", (_, words) => {
  const told = Object.keys(words).filter((key) => key.startsWith(PLACE));
  expect(told.map((key) => key.slice(PLACE.length))).toEqual([...AUDIT_ACTIONS]);
});
