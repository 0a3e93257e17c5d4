import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openWithSale, printReceipt, Rig, USN } from "./testing/rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await Rig.start("x");
});
afterEach(() => rig.end());

const OPEN = `1\t0000\t${USN}\t1\t\t`;
const ORIGINAL = "15-03-24 14:05:09";
const storno = (number: number, memory = "02577430", reason = 1) =>
  `1\t0000\t1\t${reason}\t${number}\t${ORIGINAL}\t${memory}\t\t\t\t${USN}\t`;

describe("opening on X", () => {
  test("gives the document number, with the unique sale number or without", async () => {
    expect(await rig.ask(48, OPEN)).toBe("0\t1\t");
    await rig.ask(60);
    expect(await rig.ask(48, "1\t0000\t1\t\t")).toBe("0\t2\t");
  });

  test.each([
    ["a wrong password", "1\t1234\t1\t\t", "-102002\t"],
    ["an operator beyond 30", "31\t0000\t1\t\t", "-112101\t"],
    ["letters in the password", "1\tabcd\t1\t\t", "-112102\t"],
    ["a malformed unique sale number", "1\t0000\tDT577430-1-1\t1\t\t", "-112103\t"],
    ["till 0", "1\t0000\t0\t\t", "-112103\t"],
    ["an invoice mark that is none", "1\t0000\t1\tX\t", "-112104\t"],
    ["a missing field", "1\t0000\t1\t", "-112001\t"],
    ["a missing last TAB", "1\t0000\t1\t\tI", "-112001\t"],
  ])("refuses %s", async (_, data, answer) => {
    expect(await rig.ask(48, data)).toBe(answer);
    expect((await rig.books()).documentNumber).toBe(0);
  });

  test("tells which document is open already", async () => {
    await rig.ask(48, OPEN);
    expect(await rig.ask(48, OPEN)).toBe("-111047\t");
    await rig.ask(60);
    await rig.ask(38);
    expect(await rig.ask(48, OPEN)).toBe("-111046\t");
    await rig.ask(39);
    await printReceipt(rig);
    await rig.ask(43, storno(3));
    expect(await rig.ask(48, OPEN)).toBe("-111067\t");
  });

  test("refuses a clock behind the last fiscal record", async () => {
    await printReceipt(rig);
    rig.now -= 60_000;
    expect(await rig.ask(48, OPEN)).toBe("-111077\t");
  });

  test("says in DFR_needed that the day must be closed, before it refuses", async () => {
    await printReceipt(rig);
    expect(await rig.ask(255, "DFR_needed\t\t\t")).toBe("0\t0\t");
    rig.now += 25 * 3_600_000;
    expect(await rig.ask(255, "DFR_needed\t\t\t")).toBe("0\t1\t");
    expect(await rig.ask(48, OPEN)).toBe("-111024\t");
  });
});

describe("lines on X", () => {
  beforeEach(async () => {
    await rig.ask(48, OPEN);
  });

  test("rounds a line half up and takes its discount from the rounded line", async () => {
    await rig.ask(49, "A\t2\t0.33\t1.500\t\t\t\t");
    await rig.ask(49, "B\t2\t10.05\t1.000\t2\t50.00\t0\t");
    await rig.ask(49, "C\t1\t8.00\t2.000\t1\t5.00\t0\t");
    await rig.ask(49, "D\t1\t8.00\t\t4\t0.50\t3\t");
    const { openDocument } = await rig.books();
    expect(openDocument).toMatchObject({
      // 0.495 is 0.50; half of 10.05 is 5.03, so 5.02 is left; 16.00 + 0.80; 8.00 - 0.50.
      items: [{ total: 50 }, { total: 502 }, { total: 1680 }, { total: 750 }],
      total: 2982,
      vat: [
        { group: 1, turnover: 2430 },
        { group: 2, turnover: 552 },
      ],
    });
  });

  test("takes an equal line back once, and no other", async () => {
    await rig.ask(49, "A\t1\t3.30\t2.500\t0\t\t0\t");
    expect(await rig.ask(49, "A\t1\t-3.30\t1.000\t0\t\t0\t")).toBe("-111023\t");
    expect(await rig.ask(49, "A\t1\t-3.30\t2.500\t0\t\t0\t")).toBe("0\t1\t");
    expect(await rig.ask(49, "A\t1\t-3.30\t2.500\t0\t\t0\t")).toBe("-111023\t");
    expect(await rig.ask(53, "0\t0.00\t\t")).toBe("-111065\t");
  });

  test.each([
    ["an empty name", "\t2\t1.00\t\t\t\t\t", "-112101\t"],
    ["VAT group 9", "A\t9\t1.00\t\t\t\t\t", "-112102\t"],
    ["a VAT group that is off", "A\t8\t1.00\t\t\t\t\t", "-111005\t"],
    ["three decimals in a price", "A\t2\t1.005\t\t\t\t\t", "-112103\t"],
    ["a comma in a price", "A\t2\t1,00\t\t\t\t\t", "-112103\t"],
    ["four decimals in a quantity", "A\t2\t1.00\t1.0005\t\t\t\t", "-112104\t"],
    ["a discount type without a value", "A\t2\t1.00\t\t2\t\t\t", "-112106\t"],
    ["a value without a discount type", "A\t2\t1.00\t\t\t5.00\t\t", "-112106\t"],
    ["a discount type that is none", "A\t2\t1.00\t\t7\t5.00\t\t", "-112105\t"],
    ["a discount beyond the line", "A\t2\t1.00\t\t4\t5.00\t\t", "-111021\t"],
    ["a department beyond 99", "A\t2\t1.00\t\t\t\t100\t", "-112107\t"],
    ["too few fields", "A\t2\t", "-112001\t"],
  ])("refuses %s", async (_, data, answer) => {
    expect(await rig.ask(49, data)).toBe(answer);
    expect((await rig.books()).openDocument).toMatchObject({ total: 0 });
  });

  test("spreads a discount on the subtotal over the VAT groups to the cent", async () => {
    await rig.ask(49, "A\t1\t10.00\t\t\t\t\t");
    await rig.ask(49, "B\t2\t20.00\t\t\t\t\t");
    expect(await rig.ask(51, "1\t0\t4\t1.00\t")).toBe(
      "0\t1\t29.00\t9.67\t19.33\t0.00\t0.00\t0.00\t0.00\t0.00\t0.00\t",
    );
    expect(await rig.ask(51, "1\t0\t2\t10.00\t")).toStartWith("0\t1\t26.10\t");
    expect(await rig.ask(51, "0\t0\t\t\t")).toStartWith("0\t1\t26.10\t");
    expect(await rig.ask(51, "1\t0\t4\t26.11\t")).toBe("-111021\t");
  });

  test("takes no more lines than a receipt holds", async () => {
    for (let line = 0; line < 500; line += 1) await rig.ask(49, "A\t2\t0.01\t\t\t\t\t");
    expect(await rig.ask(49, "A\t2\t0.01\t\t\t\t\t")).toBe("-111019\t");
  });
});

describe("payment on X", () => {
  test("wants a sale first, then counts down to the change", async () => {
    await rig.ask(48, OPEN);
    expect(await rig.ask(53, "0\t5.00\t\t")).toBe("-111020\t");
    expect(await rig.ask(56)).toBe("-111020\t");
    await rig.ask(49, "A\t2\t12.50\t\t\t\t\t");
    expect(await rig.ask(56)).toBe("-111050\t");
    expect(await rig.ask(53, "1\t5.00\t\t")).toBe("0\tD\t7.50\t");
    expect(await rig.ask(56)).toBe("-111003\t");
    expect(await rig.ask(60)).toBe("-111018\t");
    expect(await rig.ask(53, "9\t5.00\t\t")).toBe("-112101\t");
    expect(await rig.ask(53, "0\t10.00\t\t")).toBe("0\tR\t2.50\t");
    expect(await rig.ask(53, "0\t1.00\t\t")).toBe("-111003\t");
    expect(await rig.ask(56)).toBe("0\t1\t");
    expect(await rig.books()).toMatchObject({
      cash: 750,
      receipts: [
        {
          payments: [
            { method: "card", amount: 500 },
            { method: "cash", amount: 1000 },
          ],
        },
      ],
    });
  });

  test.each(["\t\t\t", "0\t0.00\t\t", "0\t\t\t"])("pays the rest with %j", async (data) => {
    await openWithSale(rig);
    expect(await rig.ask(53, data)).toBe("0\tR\t0.00\t");
  });

  test("gives change on a card in cash, as far as there is cash", async () => {
    await openWithSale(rig);
    expect(await rig.ask(53, "1\t20.00\t\t")).toBe("-111017\t");
    await rig.ask(60);
    await rig.ask(70, "0\t10.00\t");
    await openWithSale(rig);
    expect(await rig.ask(53, "1\t20.00\t\t")).toBe("0\tR\t7.50\t");
    await rig.ask(56);
    expect((await rig.books()).cash).toBe(250);
  });
});

describe("the current transaction on X", () => {
  test("tells an open receipt, a finished one and a cancelled one apart", async () => {
    expect(await rig.ask(76)).toBe("0\t0\t0\t0\t0.00\t0.00\t");
    await openWithSale(rig);
    expect(await rig.ask(76)).toBe("0\t1\t1\t1\t12.50\t0.00\t");
    expect(await rig.ask(103)).toStartWith("0\t0.00\t12.50\t0.00\t");
    await rig.ask(53, "0\t5.00\t\t");
    expect(await rig.ask(76)).toBe("0\t1\t1\t1\t12.50\t5.00\t");
    await rig.ask(53, "0\t7.50\t\t");
    await rig.ask(56);
    expect(await rig.ask(76)).toBe("0\t0\t1\t1\t12.50\t12.50\t");
    await openWithSale(rig);
    await rig.ask(60);
    expect(await rig.ask(76)).toBe("0\t0\t2\t1\t12.50\t0.00\t");
  });

  test("tells which kind of storno is open", async () => {
    await printReceipt(rig);
    for (const [reason, state] of [
      [0, 2],
      [1, 3],
      [2, 4],
    ] as const) {
      await rig.ask(43, storno(1, "02577430", reason));
      expect(await rig.ask(76)).toStartWith(`0\t${state}\t`);
      expect(await rig.ask(103)).toEndWith("\t1\t");
      await rig.ask(60);
    }
  });
});

describe("storno on X", () => {
  test("takes a receipt back and the cash with it", async () => {
    await printReceipt(rig);
    expect(await rig.ask(43, storno(1))).toBe("0\t2\t");
    await rig.ask(49, "Coffee\t2\t12.50\t\t\t\t\t");
    expect(await rig.ask(53, "\t\t\t")).toBe("0\tR\t0.00\t");
    expect(await rig.ask(56)).toBe("0\t2\t");
    const books = await rig.books();
    expect(books.cash).toBe(0);
    expect(books.receipts[1]).toMatchObject({
      kind: "storno",
      reason: "refund",
      total: 1250,
      original: { number: 1, fiscalMemory: "02577430" },
    });
    const sums = await rig.ask(69, "Z\t");
    expect(sums.split("\t").slice(1, 4)).toEqual(["1", "0.00", "12.50"]);
    expect(sums.split("\t").slice(10, 12)).toEqual(["0.00", "12.50"]);
    expect(await rig.paper()).toContain("STORNO");
  });

  test("refuses an unknown original of its own memory, and takes one of another device", async () => {
    expect(await rig.ask(43, storno(77))).toBe("-100004\t");
    await printReceipt(rig);
    await rig.ask(43, storno(1));
    await rig.ask(60);
    // A document of its own that is not a sale.
    expect(await rig.ask(43, storno(2))).toBe("-100004\t");
    expect(await rig.ask(43, storno(77, "54015013"))).toBe("0\t3\t");
  });

  test.each([
    ["a fiscal memory number of seven digits", storno(1, "2577430"), "-112107\t"],
    ["a reason that is none", storno(1, "02577430", 5), "-112104\t"],
    ["an original from tomorrow", storno(1).replace("15-03-24", "16-03-24"), "-100004\t"],
    ["a date that is none", storno(1).replace("15-03-24", "15-13-24"), "-112106\t"],
  ])("refuses %s", async (_, data, answer) => {
    await printReceipt(rig);
    expect(await rig.ask(43, data)).toBe(answer);
  });

  test("pays back neither more than the storno nor more than the cash", async () => {
    await printReceipt(rig);
    await rig.ask(70, "1\t10.00\t");
    await rig.ask(43, storno(1));
    await rig.ask(49, "Coffee\t2\t12.50\t\t\t\t\t");
    expect(await rig.ask(53, "0\t20.00\t\t")).toBe("-111061\t");
    expect(await rig.ask(53, "0\t12.50\t\t")).toBe("-111017\t");
    expect(await rig.ask(53, "1\t12.50\t\t")).toBe("0\tR\t0.00\t");
  });
});

describe("invoices on X", () => {
  test("want the buyer between payment and close", async () => {
    const buyer = "Seller\tReceiver\tBuyer\tStreet 1\t\t0\t123456789\tBG123456789\t";
    await rig.ask(48, `1\t0000\t${USN}\t1\tI\t`);
    await rig.ask(49, "A\t2\t1.00\t\t\t\t\t");
    expect(await rig.ask(57, buyer)).toBe("-111003\t");
    await rig.ask(53, "\t\t\t");
    expect(await rig.ask(56)).toBe("-111048\t");
    expect(await rig.ask(57, buyer)).toBe("0\t");
    expect(await rig.ask(56)).toBe("0\t1\t");
    expect(await rig.books()).toMatchObject({ receipts: [{ invoice: 1 }] });
  });
});

describe("programming on X", () => {
  test("changes VAT rates only while the day is closed", async () => {
    const rates = "0.00\t20.00\t20.00\t9.00\t100.00\t100.00\t100.00\t5.00\t2\t";
    await printReceipt(rig);
    expect(await rig.ask(83, rates)).toBe("-104000\t");
    await rig.ask(69, "Z\t");
    expect(await rig.ask(83, rates)).toBe("0\t29\t");
    expect(await rig.ask(50)).toBe(
      "0\t2\t0.00\t20.00\t20.00\t9.00\t100.00\t100.00\t100.00\t5.00\t15-03-24\t",
    );
    await rig.ask(48, OPEN);
    expect(await rig.ask(49, "A\t8\t1.00\t\t\t\t\t")).toBe("0\t3\t");
    expect(await rig.ask(49, "A\t7\t1.00\t\t\t\t\t")).toBe("-111005\t");
  });

  test("keeps header, footer and operators", async () => {
    expect(await rig.ask(255, "Header\t0\tShop\t")).toBe("0\t");
    expect(await rig.ask(255, "Header\t0\t\t")).toBe("0\tShop\t");
    expect(await rig.ask(255, "Footer\t9\tBye\t")).toBe("0\t");
    expect(await rig.ask(255, "Header\t10\tX\t")).toBe("-112102\t");
    expect(await rig.ask(255, "OperName\t3\tМария\t")).toBe("0\t");
    expect(await rig.ask(255, "OperName\t3\t\t")).toBe("0\tМария\t");
    expect(await rig.ask(255, "NoSuchThing\t\t\t")).toBe("-112101\t");
    expect(await rig.books()).toMatchObject({ header: { 0: "Shop" }, footer: { 9: "Bye" } });
    await printReceipt(rig);
    expect(await rig.paper()).toContain("Shop");
  });

  test("changes a password with the old one only, and never shows it", async () => {
    expect(await rig.ask(101, "2\t1111\t4321\t")).toBe("-102002\t");
    expect(await rig.ask(101, "2\t0000\t4321\t")).toBe("0\t");
    expect(await rig.ask(255, "OperPasw\t2\t\t")).toBe("-104001\t");
    expect(await rig.ask(255, "OperPasw\t2\t9999\t")).toBe("-104001\t");
    expect(await rig.ask(48, "2\t0000\t1\t\t")).toBe("-102002\t");
    expect(await rig.ask(48, "2\t4321\t1\t\t")).toBe("0\t1\t");
    expect(JSON.stringify(await rig.books())).not.toContain("4321");
  });

  test("takes a logo in pieces", async () => {
    const part = `${Buffer.from("BM0123456789").toString("base64")}\t`;
    expect(await rig.ask(202, part)).toBe("-111003\t");
    expect(await rig.ask(202, "START\t")).toBe("0\t");
    expect(await rig.ask(202, "no base64!\t")).toBe("-112101\t");
    expect(await rig.ask(202, part)).toBe("0\t");
    expect(await rig.ask(202, "STOP\t")).toMatch(/^0\t\d+$/);
    expect(await rig.ask(202, "RESTART\t")).toBe("0\t");
  });

  test("marks summer time where it was set with it", async () => {
    await rig.ask(61, "01-07-24 10:20:00 DST\t");
    expect(await rig.ask(62)).toBe("0\t01-07-24 10:20:00 DST\t");
  });
});

describe("reads on X", () => {
  test("identify the device in both forms", async () => {
    const long = "0\tFP-700X\t1.00BG\t25OCT18\t1230\tFFFF\t00000000\tDT577430\t02577430\t";
    expect(await rig.ask(90, "1\t")).toBe(long);
    expect(await rig.ask(90, "\t")).toBe(long);
    expect(await rig.ask(90, "1")).toBe(
      "FP-700X,1.00BG 25OCT18 1230,FFFF,00000000,DT577430,02577430",
    );
    expect(await rig.ask(99)).toBe("0\t123456789\t");
    expect(await rig.ask(123, "1\t")).toStartWith("0\tDT577430\t02577430\t");
    expect(await rig.ask(100, "-111024\t")).toBe("0\t-111024\tDAY OVER\t");
  });

  test("follow receipts and Z reports", async () => {
    expect(await rig.ask(64, "0\t")).toBe("-100004\t");
    expect(await rig.ask(68)).toBe("0\t3650\t");
    await printReceipt(rig);
    expect(await rig.ask(123, "3\t")).toBe("0\t1\t15-03-24 14:05:09\t0\t\t");
    expect(await rig.ask(255, "UNP\t\t\t")).toBe(`0\t${USN}\t`);
    expect(await rig.ask(255, "nZreport\t\t\t")).toBe("0\t1\t");
    expect(await rig.ask(110, "0\t")).toStartWith("0\t12.50\t0.00\t");
    expect(await rig.ask(110, "2\t")).toBe("0\t1\t12.50\t");
    await rig.ask(69, "Z\t");
    expect(await rig.ask(123, "3\t")).toBe("0\t0\t\t1\t15-03-24 14:05:09\t");
    expect(await rig.ask(64, "0\t")).toStartWith("0\t1\t0.00\t12.50\t");
    expect(await rig.ask(68)).toBe("0\t3649\t");
    expect(await rig.ask(86)).toBe("0\t15-03-24 14:05:09\t");
    expect(await rig.ask(110, "2\t")).toBe("0\t0\t0.00\t");
  });

  test("read a document back from the journal line by line", async () => {
    await printReceipt(rig);
    expect(await rig.ask(125, "0\t2\t0\t")).toBe("-100004\t");
    expect(await rig.ask(125, "0\t1\t0\t")).toBe("0\t1\t1\t15-03-24 14:05:09\t1\t1\t");
    const lines: string[] = [];
    for (let line = await rig.ask(125, "1\t\t\t"); line.startsWith("0\t"); ) {
      lines.push(line);
      line = await rig.ask(125, "1\t\t\t");
    }
    expect(lines.join("\n")).toContain("Coffee");
    expect(await rig.ask(125, "1\t\t\t")).toBe("-100003\t");
  });

  test("give the status bytes and the state of the printing", async () => {
    const reply = await rig.host.ask(74);
    expect([...reply.data.subarray(2, 10)]).toEqual([...reply.status]);
    await openWithSale(rig);
    expect(await rig.ask(74, "0\t")).toStartWith("0\t0\t1\t1\t");
    await rig.ask(60);
    await rig.ask(38);
    expect(await rig.ask(74, "0\t")).toStartWith("0\t0\t5\t2\t");
  });
});
