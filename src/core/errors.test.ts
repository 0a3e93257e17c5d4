import { expect, test } from "bun:test";
import { FiscalError, isPauseFault } from "./errors.ts";

test("only paper and cover are for a person at the device to put right", () => {
  const faults = (["E306", "E307", "E300"] as const).map((code) => new FiscalError(code, code));
  expect(faults.map(isPauseFault)).toEqual([true, true, false]);
});
