import { afterEach, describe, expect, test } from "bun:test";
import { framed, pay, Rig, sale } from "./testing/host.ts";

let rig: Rig;
afterEach(() => rig.end());

const COFFEE = sale("Coffee", 250);

/** Commands up to a point of a document, and what the device says of itself there. */
const POINTS = [
  { after: [COFFEE], step: "1", open: "100" },
  { after: [COFFEE, pay("01", 100)], step: "2", open: "100" },
  { after: [COFFEE, pay()], step: "3", open: "100" },
  { after: [COFFEE, pay(), "3011"], step: "5", open: "100" },
  { after: [COFFEE, pay(), "3011", "3012101A"], step: "6", open: "100" },
  { after: [COFFEE, "3001800000000000"], step: "4", open: "100" },
  { after: [COFFEE, "3001800000000000", "3011"], step: "5", open: "100" },
  { after: ["40011", "4003101A"], step: "8", open: "010" },
  // That the last document has been ejected is in no memory.
  { after: [COFFEE, pay(), "3011", "3013"], step: "0", open: "000" },
] as const;

describe("a loss of power", () => {
  test.each(POINTS)("after $after keeps step $step", async ({ after, step, open }) => {
    rig = await Rig.start("gen3");
    await rig.do(...after);
    const { frames: _, ...before } = rig.books();
    await rig.restart();
    const { frames: __, ...behind } = rig.books();
    expect(behind).toEqual(before);
    expect([await rig.ask("1012"), await rig.ask("1016")]).toEqual([step, open]);
  });

  test("lets the document be finished", async () => {
    rig = await Rig.start("gen3");
    for (const command of [COFFEE, pay(), "3011", "3012101A", "3013"]) {
      await rig.do(command);
      await rig.restart();
    }
    expect(rig.books().receipts).toMatchObject([{ total: 250, dayNumber: 1 }]);
    expect(await rig.ask("1017")).toBe("1503241305000100000025010");
  });

  test("keeps memory, clock, cash, rates and header", async () => {
    rig = await Rig.start("gen3");
    await rig.do("20011603241400", "20011603241400", "7106D000001000", "2002");
    await rig.do("6302110" + "3BAR", "63031", "701321000900050004000000");
    await rig.restart();
    expect([await rig.ask("1001"), await rig.ask("7106R"), await rig.ask("1104")]).toEqual([
      "1603241400",
      "+000001000",
      "00010001",
    ]);
    expect([await rig.ask("10021"), await rig.ask("7012")]).toEqual([
      "1103BAR",
      "21000900050004000000",
    ]);
  });

  test("forgets the last error, unstored lines, half a logo and what was to be confirmed", async () => {
    rig = await Rig.start("gen3");
    expect(await rig.ask("9999")).toBe("ERR01");
    await rig.do("6302110" + "3BAR", "910001000062", "20011603241400");
    await rig.restart();
    expect(await rig.ask("1015")).toStartWith("ERR000");
    await rig.do("63031");
    expect(await rig.ask("10021")).toBe("1107NEGOZIO");
    expect(await rig.ask("9101010A")).toBe("ERR05");
    expect(await rig.ask("20011603241400")).toBe("1");
  });

  test.each(["before", "after"] as const)("%s carrying out closes or does not", async (when) => {
    rig = await Rig.start("gen3");
    await rig.do(COFFEE, pay());
    await rig.fault({ kind: "power_loss", when });
    rig.host.send(framed("77", "3011"));
    await rig.host.closed();
    await rig.reconnect();
    expect(rig.books().receipts).toHaveLength(when === "after" ? 1 : 0);
    expect(await rig.ask("1012")).toBe(when === "after" ? "5" : "3");
  });
});
