import { expect, test } from "bun:test";
import { COMMAND_TYPES, effectOf } from "#core/command/catalogue.ts";
import { CHANGING_TYPES } from "./command-kinds.ts";

test("what the page leaves out as read is what the box holds for reading", () => {
  const changing = COMMAND_TYPES.filter((type) => effectOf(type) !== "none");
  expect(CHANGING_TYPES.toSorted()).toEqual(changing.toSorted());
});
