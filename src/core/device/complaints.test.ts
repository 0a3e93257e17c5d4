import { expect, test } from "bun:test";
import { untoldStatus, waitsForHand } from "./complaints.ts";
import { FINE_STATUS } from "./testing/fine-status.ts";

const SENSELESS = { code: "E902", message: "The device's answer has no status" };

test.each([
  ["paper", { paper: "out" }],
  ["a shut cover", { cover: "open" }],
] as const)("a device that lacks %s is waited for while it says so", (_title, lack) => {
  // An app that knows its printer by a library has no bytes to tell.
  for (const rawHex of ["80", ""]) {
    const told = { ...FINE_STATUS, ...lack, rawHex, errors: [{ code: "E306", message: "" }] };
    expect([waitsForHand(FINE_STATUS), waitsForHand(told)]).toEqual([false, true]);
    expect(waitsForHand(untoldStatus(told, SENSELESS))).toBe(false);
  }
});
