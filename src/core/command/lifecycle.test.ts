import { describe, expect, test } from "bun:test";
import { failure } from "./lifecycle.ts";

describe("the result of a command that did not get through", () => {
  test.each(["print_receipt", "print_reversal_receipt", "z_report", "cash_in"] as const)(
    "says for %s whether it was printed, as far as its marks tell",
    (type) => {
      const untouched = failure({ type, mark: null }, "E102", "gone");
      expect(untouched.data).toEqual({ outcome: "not_printed" });
      const begun = failure({ type, mark: "baseline" }, "E102", "gone");
      expect(begun.data).toEqual({ outcome: "unknown" });
    },
  );

  test("says nothing of paper for a command that only reads", () => {
    const result = failure({ type: "get_status", mark: null }, "E500", "late");
    expect(result).toEqual({ success: false, errorCode: "E500", errorMessage: "late" });
  });
});
