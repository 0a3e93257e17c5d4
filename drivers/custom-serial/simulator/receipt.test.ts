import { afterEach, describe, expect, test } from "bun:test";
import { type ModelName, pay, Rig, sale } from "./testing/host.ts";

let rig: Rig;
afterEach(() => rig.end());

const COFFEE = sale("Coffee", 250);
const CLOSE = ["3011", "3013"] as const;
const MODELS = ["gen3", "gen2"] as const satisfies readonly ModelName[];

async function start(model: ModelName = "gen3"): Promise<void> {
  rig = await Rig.start(model);
}

/** The answers to commands, each behind its echo. */
async function answers(...commands: readonly string[]): Promise<string[]> {
  const given: string[] = [];
  for (const command of commands) given.push(await rig.ask(command));
  return given;
}

describe.each(MODELS)("a sale on %s", (model) => {
  test("is opened by its first line, paid, closed and ejected", async () => {
    await start(model);
    expect(
      await answers(
        sale("Coffee", 250, { quantity: 2_500 }),
        sale("Water", 100, { department: 2 }),
        "3003",
        pay("03", 400),
        pay("01", 1_000),
        "3011",
        "3013",
      ),
    ).toEqual(["", "", "", "+000000325", "-000000675", "", ""]);
    expect(rig.books().receipts).toMatchObject([
      {
        kind: "sale",
        dayNumber: 1,
        total: 725,
        change: 675,
        time: "2024-03-15T13:05:09",
        vat: [
          { group: 1, turnover: 625 },
          { group: 2, turnover: 100 },
        ],
        payments: [
          { method: "card", amount: 400 },
          { method: "cash", amount: 1_000 },
        ],
        items: [
          { name: "Coffee", price: 250, quantity: 2_500, total: 625 },
          { name: "Water", price: 100, quantity: 1_000, total: 100 },
        ],
      },
    ]);
    expect(rig.books()).toMatchObject({ openDocument: null, cash: 325 });
  });

  test("goes through the steps of 1012", async () => {
    await start(model);
    const steps: string[] = [];
    for (const command of [COFFEE, pay("01", 50), pay(), "3011", "3012103Bye", "3013"]) {
      await rig.do(command);
      steps.push(await rig.ask("1012"));
    }
    expect(steps).toEqual(["1", "2", "3", "5", "6", "7"]);
    await rig.do(COFFEE);
    expect(await rig.ask("1012")).toBe("1");
  });

  test("is told by 1003 while it is open", async () => {
    await start(model);
    await rig.do(COFFEE, sale("", 50, { type: "3" }), sale("", 20, { type: "2" }), pay("01", 100));
    expect(await rig.ask("1003")).toBe(
      "000000020000000050000000000000000000+000000220+00000012000001",
    );
    await rig.do(pay(), ...CLOSE);
    expect(await rig.ask("1003")).toBe(
      "000000000000000000000000000000000000+000000000+00000000000010",
    );
  });

  test("counts its numbers anew after each Z report", async () => {
    await start(model);
    for (const command of [COFFEE, pay(), ...CLOSE, COFFEE, pay(), ...CLOSE]) await rig.do(command);
    await rig.do("2002", COFFEE, pay(), ...CLOSE);
    expect(rig.books().receipts.map(({ dayNumber }) => dayNumber)).toEqual([1, 2, 1]);
    expect(await rig.ask("1104")).toBe("00010001");
    expect(await rig.ask("1107")).toBe("1503241305");
  });
});

describe("lines", () => {
  test("of 3101 and 3001 have no quantity and the VAT of their department", async () => {
    await start();
    await rig.do("310110203Tea000000150", "3001103Bun000000120", pay(), ...CLOSE);
    expect(rig.books().receipts[0]?.items).toMatchObject([
      { name: "Tea", group: 2, total: 150 },
      { name: "Bun", group: 1, total: 120 },
    ]);
  });

  test("take the VAT id they name over that of the department", async () => {
    await start();
    await rig.do(sale("Book", 900, { department: 2, vatId: 4 }), pay(), ...CLOSE);
    expect(rig.books().receipts[0]?.vat).toMatchObject([{ group: 4, turnover: 900 }]);
  });

  test("can be changed by amount and by percent", async () => {
    await start();
    await rig.do(
      sale("A", 1_000),
      sale("", 100, { type: "3" }),
      sale("", 5_000, { type: "C" }),
      sale("B", 1_000),
      sale("", 1_000, { type: "B" }),
      pay(),
      ...CLOSE,
    );
    expect(rig.books().receipts[0]).toMatchObject({
      total: 1_550,
      items: [
        { adjustment: -550, total: 450 },
        { adjustment: 100, total: 1_100 },
      ],
    });
  });

  test("of one VAT id can be changed together", async () => {
    await start();
    await rig.do(
      sale("A", 1_000),
      sale("B", 500, { department: 2 }),
      "3003",
      sale("", 200, { type: "3", vatId: 2 }),
      sale("", 1_000, { type: "B", vatId: 1 }),
      pay(),
      ...CLOSE,
    );
    expect(rig.books().receipts[0]).toMatchObject({
      total: 1_400,
      subtotalAdjustment: -100,
      vat: [
        { group: 1, turnover: 1_100 },
        { group: 2, turnover: 300 },
      ],
    });
  });

  test("can be taken back, by amount and the last one whole", async () => {
    await start();
    await rig.do(
      sale("A", 1_000),
      sale("A", 300, { type: "4" }),
      sale("B", 400, { quantity: 2_000 }),
      sale("", 50, { type: "3" }),
      sale("", 0, { type: "5" }),
      pay(),
      ...CLOSE,
    );
    expect(rig.books().receipts[0]).toMatchObject({ total: 700 });
  });

  test("of text stand on the paper", async () => {
    await start();
    await rig.do(COFFEE, "3002108Table 12", pay(), "3011", "3012405Grazi", "3013");
    expect(rig.books().receipts[0]?.texts).toEqual(["Table 12"]);
    const paper = await rig.paper();
    expect(paper).toContain("Table 12");
    expect(paper).toContain("Grazi");
  });
});

/** Commands that are refused, and what must come before them. */
const REFUSED: readonly {
  readonly what: string;
  readonly first?: readonly string[];
  readonly command: string;
  readonly error: number;
  readonly model?: ModelName;
}[] = [
  { what: "an unknown command", command: "9999", error: 1 },
  { what: "a field that is missing", command: "3301", error: 24 },
  { what: "a field too many", command: `${COFFEE}0`, error: 24 },
  { what: "a description over 44 characters", command: sale("x".repeat(45), 1), error: 24 },
  { what: "letters for a number", command: "33011xxxxxxxxx00101A00000010000", error: 3 },
  { what: "an unknown type of line", command: sale("A", 1, { type: "7" }), error: 3 },
  { what: "an unknown department", command: sale("A", 1, { department: 21 }), error: 3 },
  { what: "an unknown VAT id", command: sale("A", 1, { vatId: 9 }), error: 3 },
  { what: "a VAT id without a rate", command: sale("A", 1, { vatId: 6 }), error: 3 },
  { what: "the word of the device", command: sale("Totale", 1), error: 7 },
  {
    what: "a percentage on an old device",
    first: [COFFEE],
    command: sale("", 1_000, { type: "C" }),
    error: 3,
    model: "gen2",
  },
  {
    what: "more than nine digits of money",
    first: [sale("A", 999_999_999)],
    command: sale("B", 1),
    error: 9,
  },
  { what: "a discount without a line", command: sale("", 1, { type: "3" }), error: 5 },
  {
    what: "a discount above the line",
    first: [COFFEE],
    command: sale("", 251, { type: "3" }),
    error: 23,
  },
  {
    what: "a void above what was sold",
    first: [COFFEE],
    command: sale("", 251, { type: "4" }),
    error: 23,
  },
  {
    what: "to void the same line twice",
    first: [COFFEE, sale("", 0, { type: "5" })],
    command: sale("", 0, { type: "5" }),
    error: 5,
  },
  { what: "a text without a receipt", command: "3002101A", error: 5 },
  { what: "a subtotal without a receipt", command: "3003", error: 5 },
  { what: "a payment without a receipt", command: pay(), error: 5 },
  { what: "an unknown tender", first: [COFFEE], command: pay("11"), error: 3 },
  { what: "meal tickets without a quantity", first: [COFFEE], command: pay("05"), error: 3 },
  { what: "change on a card", first: [COFFEE], command: pay("03", 251), error: 46 },
  { what: "a payment after all is paid", first: [COFFEE, pay()], command: pay(), error: 5 },
  { what: "a line after a payment", first: [COFFEE, pay("01", 1)], command: COFFEE, error: 5 },
  {
    what: "to cancel after a payment",
    first: [COFFEE, pay("01", 1)],
    command: sale("", 0, { type: "8" }),
    error: 5,
  },
  { what: "to cancel nothing", command: sale("", 0, { type: "8" }), error: 5 },
  { what: "to close nothing", command: "3011", error: 5 },
  { what: "to close what is not paid", first: [COFFEE], command: "3011", error: 25 },
  {
    what: "to close what is partly paid",
    first: [COFFEE, pay("01", 1)],
    command: "3011",
    error: 25,
  },
  { what: "a courtesy line before closing", first: [COFFEE], command: "3012101A", error: 5 },
  { what: "to eject before closing", first: [COFFEE], command: "3013", error: 5 },
  {
    what: "a new receipt before the last one is ejected",
    first: [COFFEE, pay(), "3011"],
    command: COFFEE,
    error: 62,
  },
  { what: "a Z report in a receipt", first: [COFFEE], command: "2002", error: 21 },
  {
    what: "a Z report before ejecting",
    first: [COFFEE, pay(), "3011"],
    command: "2002",
    error: 62,
  },
  { what: "a text document in a receipt", first: [COFFEE], command: "40011", error: 21 },
];

describe("refusals", () => {
  test.each(REFUSED)("$what: error $error, without effect", async (row) => {
    await start(row.model);
    await rig.do(...(row.first ?? []));
    const before = rig.books();
    expect(await rig.ask(row.command)).toBe(`ERR${String(row.error).padStart(2, "0")}`);
    expect({ ...rig.books(), frames: 0, clock: 0 }).toEqual({ ...before, frames: 0, clock: 0 });
    expect(await rig.ask("1015")).toStartWith(`ERR${String(row.error).padStart(3, "0")}`);
  });

  test("of a sale that the registers of the day cannot hold last until the Z report", async () => {
    await start();
    for (let count = 0; count < 10; count += 1) {
      await rig.do(sale("A", 999_999_999), pay("03"), ...CLOSE);
    }
    const before = rig.books();
    expect(await rig.ask(sale("A", 10))).toBe("ERR09");
    expect({ ...rig.books(), frames: 0 }).toEqual({ ...before, frames: 0 });
    await rig.do(sale("A", 9));
    expect(await rig.ask(sale("A", 1))).toBe("ERR09");
    await rig.do(pay(), ...CLOSE, "2002", sale("A", 10));
  });

  test("above 99 are told by 1015", async () => {
    await start();
    expect(await rig.ask("1015")).toStartWith("ERR000");
    expect(await rig.ask("7106P000000001")).toBe("ERR99");
    expect(await rig.ask("1015")).toStartWith("ERR136");
  });

  test("of conditions name each in its own way", async () => {
    const rows = [
      { fault: { kind: "paper_out" }, error: "ERR16", bits: "01000" },
      { fault: { kind: "cover_open" }, error: "ERR37", bits: "10000" },
      { fault: { kind: "fiscal_memory_full" }, error: "ERR51", bits: "00010" },
      { fault: { kind: "day_over" }, error: "ERR54", bits: "00000" },
      { fault: { kind: "clock_lost" }, error: "ERR13", bits: "00000" },
      { fault: { kind: "clock", shiftMs: -86_400_000 }, error: "ERR14", bits: "00000" },
    ];
    await start();
    await rig.do(COFFEE, pay(), ...CLOSE);
    for (const { fault, error, bits } of rows) {
      await rig.fault(fault);
      expect(await answers(COFFEE, "1109", "1209")).toEqual([error, bits, `${bits}0`]);
      await rig.clear();
    }
    expect(await answers(COFFEE, "1109")).toEqual(["", "00000"]);
  });

  test("of an open cover have another number on the second generation", async () => {
    await start("gen2");
    await rig.fault({ kind: "cover_open" });
    expect(await answers(COFFEE, "1009", "1309")).toEqual(["ERR64", "10", "000"]);
  });
});

describe("paper that runs out in a receipt", () => {
  test("refuses what follows; with paper the receipt goes on", async () => {
    await start();
    await rig.do(COFFEE);
    await rig.fault({ kind: "paper_out" });
    expect(await answers(pay(), "1309", "1012")).toEqual(["ERR16", "100", "1"]);
    await rig.clear();
    await rig.do(pay(), ...CLOSE);
    expect(rig.books().receipts).toHaveLength(1);
  });

  test("while a command prints leaves that one carried out", async () => {
    await start();
    await rig.do(COFFEE, pay());
    await rig.fault({ kind: "paper_out", mode: "registered", at: 1 });
    expect(await answers("3011", "1009", COFFEE)).toEqual(["", "01", "ERR62"]);
    expect(rig.books().receipts).toHaveLength(1);
  });

  test("does not keep a receipt from being cancelled", async () => {
    await start();
    await rig.do(COFFEE);
    await rig.fault({ kind: "paper_out" });
    await rig.do(sale("", 0, { type: "8" }));
    expect(rig.books()).toMatchObject({ openDocument: null, receipts: [], cancelled: [{}] });
  });
});

describe("cancelling", () => {
  test("by 3301 and 3101 ejects as well", async () => {
    await start();
    await rig.do(COFFEE, sale("", 0, { type: "8" }));
    expect(await answers("1016", "1012")).toEqual(["000", "7"]);
    await rig.do(COFFEE, "310180101x000000000");
    expect(await rig.ask("1016")).toBe("000");
    expect(rig.books().cancelled).toHaveLength(2);
  });

  test("by 3001 is done only when the receipt is closed and ejected", async () => {
    await start();
    await rig.do(COFFEE, "3001800000000000");
    expect(await answers(COFFEE, pay(), "3003")).toEqual(["ERR05", "ERR05", "ERR05"]);
    await rig.do("3011");
    expect(await answers(COFFEE, "1012")).toEqual(["ERR62", "5"]);
    await rig.do("3013", COFFEE);
    expect(rig.books()).toMatchObject({ receipts: [], cancelled: [{ total: 250 }] });
  });
});

describe("what differs between the generations", () => {
  test("is whether a closed receipt counts as open until it is ejected", async () => {
    for (const [model, open] of [
      ["gen3", "100"],
      ["gen2", "000"],
    ] as const) {
      await start(model);
      await rig.do(COFFEE, pay(), "3011");
      expect(await answers("1016", "1012")).toEqual([open, "5"]);
      await rig.do("3013");
      expect(await rig.ask("1016")).toBe("000");
      if (model === "gen3") await rig.end();
    }
  });

  test("is whether a cancelled receipt uses up a number", async () => {
    for (const [model, number] of [
      ["gen3", 2],
      ["gen2", 1],
    ] as const) {
      await start(model);
      await rig.do(COFFEE, sale("", 0, { type: "8" }), COFFEE, pay(), ...CLOSE);
      expect(rig.books().receipts[0]?.dayNumber).toBe(number);
      expect(await rig.ask("1115")).toBe("000100000001000000250");
      if (model === "gen3") await rig.end();
    }
  });

  test("is what the second lacks", async () => {
    await start("gen2");
    expect(await answers("1017", "1020", "1021", "7106R", "7106R000000000")).toEqual(
      Array.from({ length: 5 }, () => "ERR01"),
    );
  });
});

describe("1017 tells the last document", () => {
  test("whether it is a sale, cancelled, or no fiscal one", async () => {
    await start();
    expect(await rig.ask("1017")).toBe("0".repeat(25));
    await rig.do(COFFEE, pay(), "3011");
    expect(await rig.ask("1017")).toBe("1503241305000100000025010");
    await rig.do("3013", COFFEE, sale("", 0, { type: "8" }));
    expect(await rig.ask("1017")).toBe("1503241305000200000025011");
    await rig.do(COFFEE, pay(), "3011", "3012103Bye");
    expect(await rig.ask("1017")).toBe("1503241305000300000025010");
    await rig.do("3013");
    expect(await rig.ask("1017")).toBe("1503241305000300000025010");
    await rig.do("40011", "4003101A", "4004");
    expect(await rig.ask("1017")).toBe("1503241305000300000000000");
    await rig.do("2002");
    expect(await rig.ask("1017")).toBe("1503241305000000000000000");
  });
});
