import { expect, test } from "bun:test";
import { rejection } from "./rejection.ts";

test("what a promise is rejected with is returned as it is", async () => {
  const refused = new TypeError("refused");
  expect(await rejection(Promise.reject(refused))).toBe(refused);
});

test.each([
  ["is fulfilled", () => Promise.resolve({ stored: 3 }), /^Fulfilled .*stored: 3/s],
  ["is rejected with no error", () => Promise.reject("full"), /no error: "full"/],
])("a promise that %s is a fault, which says with what", async (_is, promise, fault) => {
  expect((await rejection(rejection(promise()))).message).toMatch(fault);
});
