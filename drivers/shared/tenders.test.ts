import { describe, expect, test } from "bun:test";
import { balanceTenders, remainingTenders, tenderSign } from "./tenders.ts";

describe("the tenders that are left", () => {
  const TENDERS = [
    { method: "card", amountMinor: 400 },
    { method: "cash", amountMinor: 600 },
  ] as const;
  const left = (paidMinor: number, amountMinor = 1_000) =>
    remainingTenders(TENDERS, { paidMinor, amountMinor }).map(
      ({ method, amountMinor: minor }) => `${method} ${minor}`,
    );

  test("are those not yet covered", () => {
    expect(left(0)).toEqual(["card 400", "cash 600"]);
    expect(left(400)).toEqual(["cash 600"]);
    expect(left(1_000)).toEqual([]);
  });

  test("begin with the rest of one that is covered in part", () => {
    expect(left(100)).toEqual(["card 300", "cash 600"]);
    expect(left(700)).toEqual(["cash 300"]);
  });

  test("never pay more than the receipt, and pay in cash what they leave", () => {
    expect(left(400, 500)).toEqual(["cash 100"]);
    expect(left(400, 1_200)).toEqual(["cash 600", "cash 200"]);
    expect(remainingTenders([], { paidMinor: 1, amountMinor: 10 })).toEqual([
      { method: "cash", amountMinor: 9 },
    ]);
  });
});

describe("the tenders of a document", () => {
  const CARD = { method: "card", amountMinor: 400 } as const;
  const CASH = { method: "cash", amountMinor: 601 } as const;

  test("take the minor unit that rounding makes on the last one", () => {
    expect(balanceTenders([CARD, CASH], 1_000)).toEqual([CARD, { ...CASH, amountMinor: 600 }]);
    expect(balanceTenders([CARD, CASH], 1_002)).toEqual([CARD, { ...CASH, amountMinor: 602 }]);
    expect(balanceTenders([CARD, { ...CASH, amountMinor: 1 }], 400)).toEqual([CARD]);
  });

  test("are refused when they differ by more, or pay for nothing", () => {
    expect(() => balanceTenders([CARD, CASH], 1_003)).toThrow("differ");
    expect(() => balanceTenders([], 1)).toThrow("differ");
    expect(() => balanceTenders([{ ...CASH, amountMinor: 1 }], 0)).toThrow("total is zero");
  });

  test("are told the device by the sign it has for them", () => {
    expect(tenderSign(CARD, { card: "P" })).toBe("P");
    expect(() => tenderSign(CARD, { cash: "0" })).toThrow("this device takes cash, not card");
  });
});
