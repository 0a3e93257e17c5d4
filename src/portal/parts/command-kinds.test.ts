import { expect, test } from "bun:test";
import { COMMAND_TYPES, effectOf, waitsForPerson } from "#core/command/catalogue.ts";
import { CHANGING_TYPES, isPaper } from "./command-kinds.ts";

test("what the page leaves out as read is what the box holds for reading", () => {
  const changing = COMMAND_TYPES.filter((type) => effectOf(type) !== "none");
  expect(CHANGING_TYPES.toSorted()).toEqual(changing.toSorted());
});

test("what waits for a person is a paper, but for the end of an open one and what nobody knows", () => {
  const waiting = COMMAND_TYPES.filter(waitsForPerson);
  const others = waiting.filter((type) => !isPaper(type));
  expect(others).toEqual(["void_open_receipt", "raw_command"]);
  expect(COMMAND_TYPES.filter(isPaper).every(waitsForPerson)).toBe(true);
});
