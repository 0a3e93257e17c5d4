import { expect, test } from "bun:test";
import { readOrder } from "./orders.ts";

test.each([
  ["", "not a JSON object"],
  ["[]", 'no message of type ""'],
  ["7", "not a JSON object"],
  ['{"type":"constructor"}', 'no message of type "constructor"'],
  ['{"type":"later.version"}', 'no message of type "later.version"'],
  [
    '{"type":"mark.stored","commandId":"c","mark":"torn"}',
    "mark.stored with something else at mark",
  ],
])("%p is no message: %s", (text, fault) => {
  expect(readOrder(text)).toEqual({ fault });
});

test("a message of the gateway is read, with what a newer version adds", () => {
  const text = '{"type":"result.stored","commandId":"c","new":1}';
  expect(readOrder(text)).toMatchObject({ type: "result.stored", commandId: "c" });
});
