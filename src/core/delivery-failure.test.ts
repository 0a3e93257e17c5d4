import { describe, expect, test } from "bun:test";
import { DELIVERY_FAILURES, failureBeginning, failureOf } from "./delivery-failure.ts";

describe("why a delivery failed", () => {
  test.each(DELIVERY_FAILURES.flatMap((one) => (one === "other" ? [] : [one])))(
    "is known from its words: %s",
    (failure) => {
      expect(failureOf(`${failureBeginning(failure)}: some detail`)).toBe(failure);
    },
  );

  test("is something else, or nothing", () => {
    expect(failureOf("The cat ate it")).toBe("other");
    expect(failureOf(null)).toBeNull();
  });
});
