import { afterEach, describe, expect, test } from "bun:test";
import { type ModelName, pay, Rig, sale } from "./testing/host.ts";

let rig: Rig;
afterEach(() => rig.end());

const RECEIPT = [
  sale("Coffee", 250, { quantity: 2_000 }),
  sale("", 100, { type: "3" }),
  pay("03", 150),
  pay("01", 500),
  "3011",
  "3013",
] as const;
const TODAY = "150324";
const OF_FIRST = `00010001${TODAY}`;
const UNKNOWN = `00010009${TODAY}`;

async function start(model: ModelName = "gen3"): Promise<void> {
  rig = await Rig.start(model);
  await rig.do(...RECEIPT);
}

describe("a return", () => {
  test("is checked, opened, filled with lines, paid back and closed", async () => {
    await start();
    expect(await rig.ask(`7101R${OF_FIRST}9`)).toBe("1");
    expect(await rig.ask("1016")).toBe("000");
    expect(await rig.ask(`7101R${OF_FIRST}8`)).toBe("1");
    expect([await rig.ask("1016"), await rig.ask("1021")]).toEqual(["100", "18"]);
    await rig.do(sale("Coffee", 200), pay(), "3011", "3013");
    expect(rig.books().receipts[1]).toMatchObject({
      kind: "storno",
      dayNumber: 2,
      total: 200,
      reason: "refund",
      original: { number: 1, fiscalMemory: "7200012345" },
    });
    expect(rig.books().cash).toBe(50);
    expect(await rig.ask("1017")).toBe("1503241305000200000020030");
  });

  test("gives no more cash than there is, and no change", async () => {
    await start();
    await rig.do(`7101R${OF_FIRST}8`, sale("Coffee", 400));
    expect(await rig.ask(pay("01", 401))).toBe("ERR46");
    expect(await rig.ask(pay("01", 400))).toBe("ERR99");
    expect(await rig.ask("1015")).toStartWith("ERR136");
    expect(await rig.ask(pay("03", 400))).toBe("-000000000");
  });

  test.each([
    ["another number", UNKNOWN],
    ["another day", "00010001140324"],
    ["another Z report", `00020001${TODAY}`],
    ["another device", `${OF_FIRST}9`],
  ])("of %s is not found", async (what, named) => {
    await start();
    const isOther = what === "another device";
    expect(await rig.ask(`7101R${named}${isOther ? "107200099999" : "9"}`)).toBe("0");
  });

  test("of an unknown receipt may be open all the same, and is given up by 71010", async () => {
    await start();
    expect(await rig.ask(`7101R${UNKNOWN}8`)).toBe("0");
    expect(await rig.ask("1016")).toBe("100");
    await rig.do("71010");
    expect(await rig.ask("1016")).toBe("000");
    await rig.end();
    await start("gen2");
    expect(await rig.ask(`7101R${UNKNOWN}8`)).toBe("0");
    expect(await rig.ask("1016")).toBe("000");
  });

  test("is not given up once it has lines, nor is a sale", async () => {
    await start();
    await rig.do(`7101R${OF_FIRST}8`, sale("Coffee", 200));
    expect(await rig.ask("71010")).toBe("ERR05");
    await rig.do(sale("", 0, { type: "8" }), sale("Tea", 100));
    expect(await rig.ask("71010")).toBe("ERR05");
  });

  test("of a return is not allowed", async () => {
    await start();
    await rig.do(`7101R${OF_FIRST}8`, sale("Coffee", 200), pay(), "3011", "3013");
    expect(await rig.ask(`7101R00010002${TODAY}8`)).toBe("2");
    expect(await rig.ask("1016")).toBe("000");
  });

  test("takes fields of the right width only, and an existing day", async () => {
    await start();
    for (const [command, error] of [
      [`7101R${OF_FIRST}`, "ERR24"],
      [`7101R${OF_FIRST}7`, "ERR03"],
      [`7101R${OF_FIRST}908short678`, "ERR24"],
      [`7101R${OF_FIRST}910720001234504toos`, "ERR24"],
      ["7101R000100013102249", "ERR12"],
      [`7101X${OF_FIRST}9`, "ERR03"],
    ] as const) {
      expect(await rig.ask(command)).toBe(error);
    }
    expect(await rig.ask(`7101R${OF_FIRST}910720001234508LOTTERY1`)).toBe("1");
  });

  test("finds a receipt of an earlier day by its Z report", async () => {
    await start();
    await rig.do("2002", ...RECEIPT, ...RECEIPT);
    expect(await rig.ask(`7101R00020002${TODAY}9`)).toBe("1");
    await rig.do(`7101R${OF_FIRST}8`, sale("Coffee", 100), pay(), "3011");
    expect(rig.books().receipts.at(-1)?.original?.number).toBe(1);
  });
});

describe("an annulment", () => {
  test("is printed as a whole once it was checked", async () => {
    await start();
    expect(await rig.ask(`7101A${OF_FIRST}1`)).toBe("ERR05");
    expect(await rig.ask(`7101A${OF_FIRST}8`)).toBe("1");
    expect(await rig.ask(`7101A${OF_FIRST}1`)).toBe("1");
    expect(rig.books()).toMatchObject({ openDocument: null, cash: 0 });
    expect(rig.books().receipts[1]).toMatchObject({
      kind: "storno",
      total: 400,
      reason: "operator-error",
      payments: [
        { method: "card", amount: 150 },
        { method: "cash", amount: 250 },
      ],
    });
    expect([await rig.ask("1016"), await rig.ask("1012")]).toEqual(["000", "7"]);
  });

  test("is made once, and excludes returns", async () => {
    await start();
    await rig.do(`7101A${OF_FIRST}8`, `7101A${OF_FIRST}1`);
    expect(await rig.ask(`7101A${OF_FIRST}8`)).toBe("2");
    expect(await rig.ask(`7101A${OF_FIRST}1`)).toBe("ERR05");
    expect(await rig.ask(`7101R${OF_FIRST}8`)).toBe("2");
  });
});

describe("a return without an original", () => {
  test("names what it is without", async () => {
    await start();
    await rig.do(`7114R02ND${TODAY}`, sale("Coffee", 200), pay(), "3011", "3013");
    expect(rig.books().receipts[1]).toMatchObject({
      kind: "storno",
      total: 200,
      original: { number: 0, fiscalMemory: "ND" },
    });
    expect(await rig.ask(`7114R02XX${TODAY}`)).toBe("ERR03");
  });

  test("is given up by 71140", async () => {
    await start();
    await rig.do(`7114R03POS${TODAY}`, "71140");
    expect(await rig.ask("1016")).toBe("000");
  });
});
