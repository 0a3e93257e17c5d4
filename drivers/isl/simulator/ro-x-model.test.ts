import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openWithSale, Rig } from "./testing/rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await Rig.start("ro-x");
});
afterEach(() => rig.end());

describe("the Romanian long-frame model", () => {
  test("identifies itself by its DB number, with and without the TAB", async () => {
    const answer =
      "0\tDB4500002769\t6000594228\tSC EXEMPLU SRL\tStr. Exemplu 1\tRO12345678\tMagazin\tBucuresti\t";
    expect(await rig.ask(123, "1")).toBe(answer);
    expect(await rig.ask(123, "1\t")).toBe(answer);
  });

  test("prints the customer's tax number on the receipt", async () => {
    expect(await rig.ask(48, "1\t0000\t1\tI\tRO12345678\t")).toBe("0\t1\t");
    await rig.ask(60);
    expect(await rig.ask(48, "1\t0000\t1\tI\tnobody\t")).toBe("-112105\t");
    expect(await rig.ask(48, "1\t0000\t1\t\t")).toBe("-112001\t");
    expect(await rig.paper()).toContain("RO12345678");
  });

  test("pays with two fields and books the tender", async () => {
    await openWithSale(rig);
    expect(await rig.ask(53, "3\t2.50\t")).toBe("0\tD\t10.00\t");
    expect(await rig.ask(53, "1\t10.00\t")).toBe("0\tR\t0.00\t");
    await rig.ask(54, "Multumim\t\t\t\t\t\t");
    expect(await rig.ask(56)).toBe("0\t1\t");
    expect((await rig.books()).receipts[0]?.payments).toMatchObject([
      { method: "meal-vouchers" },
      { method: "card" },
    ]);
  });

  test("has five rates to program, and no storno", async () => {
    expect(await rig.ask(50)).toBe("0\t1\t19.00\t9.00\t5.00\t0.00\t0.00\t15-03-24\t");
    expect(await rig.ask(83, "21.00\t11.00\t100.02\t100.02\t0.00\t")).toBe("0\t29\t");
    expect(await rig.ask(50)).toBe("0\t2\t21.00\t11.00\t100.02\t100.02\t0.00\t15-03-24\t");
    await openWithSale(rig);
    expect(await rig.ask(49, "A\t3\t1.00\t\t\t\t\t")).toBe("-111005\t");
    await rig.ask(60);
    expect(await rig.ask(43, "1\t0000\t1\t1\t1\t15-03-24 14:05:09\t02577430\t\t\t\t\t")).toBe(
      "-112000\t",
    );
  });
});
