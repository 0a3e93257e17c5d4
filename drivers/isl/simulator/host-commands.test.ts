/** Commands that other hosts send and our drivers do not, each in the words of its dialect. */

import { afterEach, describe, expect, test } from "bun:test";
import { FORMS, type ModelName, openWithSale, printReceipt, Rig, USN } from "./testing/rig.ts";

let rig: Rig;
afterEach(() => rig.end());

/** Done, syntax error or unknown, or not permitted, by the first two status bytes. */
async function outcome(command: number, data = ""): Promise<string> {
  const { status } = await rig.host.ask(command, data);
  const [first = 0, second = 0] = status;
  if ((first & 0x02) !== 0) return "unknown";
  if ((first & 0x01) !== 0) return "syntax";
  if ((second & 0x02) !== 0) return "not permitted";
  return (first & 0x20) === 0 ? "done" : "failed";
}

async function pay(): Promise<void> {
  await rig.ask(...FORMS[rig.model].payment);
}

describe("44 feeds paper", () => {
  test.each([
    ["x", "99\t", "100\t"],
    ["ro-x", "1\t", "0\t"],
    ["p", "99", "100"],
    ["c", "99", "0"],
    ["dy", "1", "x"],
    ["ed", "99", "-1"],
    ["in", "20", "21"],
  ] as const)("on %s", async (model, allowed, tooMuch) => {
    rig = await Rig.start(model);
    const before = await rig.books();
    expect(await outcome(44, allowed)).toBe("done");
    expect(await outcome(44)).toBe("done");
    expect(await outcome(44, tooMuch)).toBe("syntax");
    expect((await rig.books()).documentNumber).toBe(before.documentNumber);
    await rig.fault({ kind: "paper_out" });
    expect(await outcome(44, allowed)).toBe("failed");
  });
});

describe("65 tells what the day has come to", () => {
  test.each([
    ["x", "0\t", "0\t1\t0.00\t12.50\t"],
    ["x", "\t", "0\t1\t0.00\t12.50\t"],
    ["x", "1\t", "0\t1\t0.00\t2.08\t"],
    ["x", "2\t", "0\t1\t0.00\t0.00\t"],
    ["p", "", "+00000000000,+00000001250,"],
    ["p", "1", "+00000000000,+00000000208,"],
    ["ed", "0", "+00000000000,+00000001250,"],
    ["c", "", "+00000000000,+00000001250,"],
    ["c", "2", "0001,+00000001250,+00000000000,0000,+00000000000,0000,"],
    ["c", "3", "+00000000000,+00000001250,+00000000000,0000,"],
    ["c", "4", "+00000001250,+00000000000,+00000000000,"],
    ["c", "5", "+00000000000,+00000000000,"],
    ["dy", "T", "0.00,12.50,0.00,"],
    ["dy", "", "0.00,10.42,0.00,"],
    ["in", "", "0.00,0.00,10.42,0.00,"],
  ] as const)("on %s with %j", async (model, data, answer) => {
    rig = await Rig.start(model);
    await printReceipt(rig);
    expect(await rig.ask(65, data)).toStartWith(answer);
  });

  test.each([
    ["x", "4\t"],
    ["p", "2"],
    ["ed", "T"],
    ["c", "8"],
    ["dy", "0"],
    ["in", "0"],
  ] as const)("refuses on %s what it has no sums for: %j", async (model, data) => {
    rig = await Rig.start(model);
    expect(await outcome(65, data)).toBe("syntax");
  });

  test("counts a storno apart, and nothing after a Z report", async () => {
    rig = await Rig.start("x");
    await printReceipt(rig);
    await rig.ask(43, `1\t0000\t1\t1\t1\t15-03-24 14:05:09\t02577430\t\t\t\t${USN}\t`);
    await rig.ask(...FORMS.x.sale);
    await rig.ask(53, "\t\t\t");
    await rig.ask(56);
    expect(await rig.ask(65, "2\t")).toStartWith("0\t1\t0.00\t12.50\t");
    expect(await rig.ask(65, "3\t")).toStartWith("0\t1\t0.00\t2.08\t");
    await rig.ask(69, "Z\t");
    expect(await rig.ask(65, "0\t")).toStartWith("0\t2\t0.00\t0.00\t");
  });
});

describe("79 prints the fiscal memory of a period", () => {
  test.each([
    ["p", ["150324,150324", "0324", "24"], ["1503", "320324,150324", "160324,150324", ""]],
    ["c", ["150324,150324", "0324", "24"], ["150324", "1324"]],
    ["ed", ["150324,150324", "0324", "24"], ["150324,"]],
    ["dy", ["150324,150324"], ["0324", "24", "150324"]],
    ["in", ["150324,150324"], ["0324", "24", "150324"]],
  ] as const)("on %s", async (model, allowed, refused) => {
    rig = await Rig.start(model);
    await printReceipt(rig);
    expect(await outcome(69, "0")).toBe("done");
    for (const data of allowed) {
      expect({ data, is: await outcome(79, data) }).toEqual({ data, is: "done" });
      expect((await rig.paper()).split("FISCAL MEMORY").at(-1)).toContain("12.50");
    }
    for (const data of refused) {
      expect({ data, is: await outcome(79, data) }).toEqual({ data, is: "syntax" });
    }
    expect(await outcome(79, "010123,311223")).toBe("done");
    expect((await rig.paper()).split("FISCAL MEMORY").at(-1)).not.toContain("12.50");
    await openWithSale(rig);
    expect(await outcome(79, "150324,150324")).toBe("not permitted");
  });

  test("is not known to X, which has another command for it", async () => {
    rig = await Rig.start("x");
    expect(await rig.ask(79, "150324,150324")).toBe("-112000\t");
  });
});

describe("88 tells what a department has sold", () => {
  const SALES: Readonly<Partial<Record<ModelName, string>>> = {
    x: "Tea\t2\t3.00\t2.000\t\t\t4\t",
    p: "Tea\t4\t3.00*2",
    c: "Tea\t4\t3.00*2",
    ed: "Tea\t4\t3.00*2",
  };

  test.each([
    ["x", "4\t", "0\t2\t0.00\t1\t6.00\t0\t0.00\t\t"],
    ["x", "5\t", "0\t2\t0.00\t0\t0.00\t0\t0.00\t\t"],
    ["p", "4", "PБ,1,6.00,1,6.00,\n"],
    ["p", "0", "P,1,12.50,1,12.50,\n"],
    ["c", "4", "PБ,1.000,6.00,1.000,6.00,\n"],
    ["c", "4,1", "PБ,0.000,0.00,0.000,0.00,\n"],
    ["c", "10", "P,1.000,12.50,1.000,12.50,\n"],
    ["ed", "4", "PБ,1,6.00,1,6.00,\n"],
  ] as const)("on %s for %j", async (model, data, answer) => {
    rig = await Rig.start(model);
    await openWithSale(rig);
    await rig.ask(49, SALES[model] ?? "");
    await rig.ask(53, model === "x" ? "\t\t\t" : "\t");
    await rig.ask(56);
    expect(await rig.ask(88, data)).toBe(answer);
  });

  test.each([
    ["x", "100\t"],
    ["x", "0\t"],
    ["p", "61"],
    ["c", "11"],
    ["c", "1,4"],
    ["ed", "101"],
  ] as const)("refuses on %s to tell of %j", async (model, data) => {
    rig = await Rig.start(model);
    expect(await outcome(88, data)).toBe("syntax");
  });

  test("prints them all on X when none is named, and is empty after a Z report", async () => {
    rig = await Rig.start("x");
    await rig.ask(...FORMS.x.open);
    await rig.ask(49, SALES.x ?? "");
    expect(await rig.ask(88, "\t")).toBe("-111047\t");
    await rig.ask(53, "\t\t\t");
    await rig.ask(56);
    expect(await rig.ask(88, "\t")).toBe("0\t");
    expect(await rig.paper()).toContain("Department 4");
    await rig.ask(69, "Z\t");
    expect(await rig.ask(88, "4\t")).toBe("0\t2\t0.00\t0\t0.00\t0\t0.00\t\t");
  });

  test.each(["dy", "in"] as const)("is not known to %s", async (model) => {
    rig = await Rig.start(model);
    expect(await outcome(88, "1")).toBe("unknown");
  });
});

/** A sale (1), cash (2), a cancelled sale (3), a text (4), an X report (5), a Z report (6). */
async function printDay(): Promise<void> {
  const isLong = rig.model === "x";
  await printReceipt(rig);
  rig.now += 60_000;
  await rig.ask(70, isLong ? "0\t5.00\t" : "5.00");
  await openWithSale(rig);
  await rig.ask(60);
  await rig.ask(38);
  await rig.ask(39);
  await rig.ask(69, isLong ? "X\t" : "2");
  await rig.ask(69, isLong ? "Z\t" : "0");
}

describe("the journal of X", () => {
  test.each([
    ["all", "\t\t\t", "15-03-24 14:05:09\t15-03-24 14:06:09\t1\t6"],
    ["receipts", "\t\t1\t", "15-03-24 14:05:09\t15-03-24 14:05:09\t1\t1"],
    ["Z reports, by their own numbers", "\t\t2\t", "15-03-24 14:06:09\t15-03-24 14:06:09\t1\t1"],
    ["texts", "\t\t4\t", "15-03-24 14:06:09\t15-03-24 14:06:09\t4\t4"],
    ["cash", "\t\t5\t", "15-03-24 14:06:09\t15-03-24 14:06:09\t2\t2"],
    ["cancelled receipts", "\t\t8\t", "15-03-24 14:06:09\t15-03-24 14:06:09\t3\t3"],
    ["X reports", "\t\t9\t", "15-03-24 14:06:09\t15-03-24 14:06:09\t5\t5"],
    ["receipts of all kinds", "\t\t10\t", "15-03-24 14:05:09\t15-03-24 14:05:09\t1\t1"],
    [
      "a minute",
      "15-03-24 14:06:00\t15-03-24 14:06:59\t0\t",
      "15-03-24 14:06:00\t15-03-24 14:06:59\t2\t6",
    ],
  ])("is searched for %s", async (_, data, answer) => {
    rig = await Rig.start("x");
    await printDay();
    expect(await rig.ask(124, data)).toBe(`0\t${answer}\t`);
  });

  test.each([
    ["what there is none of", "\t\t6\t", "-100004\t"],
    ["another day", "16-03-24 00:00:00\t\t0\t", "-100004\t"],
    ["no moment", "31-02-24 00:00:00\t\t0\t", "-112101\t"],
    ["a kind that is none", "\t\t11\t", "-112103\t"],
    ["two fields", "\t\t", "-112001\t"],
  ])("is not found: %s", async (_, data, answer) => {
    rig = await Rig.start("x");
    await printDay();
    expect(await rig.ask(124, data)).toBe(answer);
  });

  test("names each document by its kind and its Z report, and prints it again and again", async () => {
    rig = await Rig.start("x");
    await printDay();
    await printReceipt(rig);
    const types = [];
    for (let number = 1; number <= 7; number += 1) {
      const [, , , , type, z] = (await rig.ask(125, `0\t${number}\t0\t`)).split("\t");
      types.push(`${type}:${z}`);
    }
    expect(types).toEqual(["1:1", "5:1", "8:1", "4:1", "9:1", "2:1", "1:2"]);
    expect(await rig.ask(125, "0\t1\t6\t")).toBe("-100004\t");
    expect(await rig.ask(125, "2\t1\t0\t")).toBe("-112101\t");
    expect(await rig.ask(125, "3\t1\t0\t")).toBe("0\t");
    expect(await rig.ask(125, "3\t1\t0\t")).toBe("0\t");
    expect((await rig.paper()).split("Coffee")).toHaveLength(6);
    expect((await rig.books()).receipts).toHaveLength(2);
    await rig.ask(...FORMS.x.open);
    expect(await rig.ask(125, "3\t1\t0\t")).toBe("-111047\t");
  });
});

describe("the journal of C", () => {
  test.each([
    ["all of a day", "D,0,150324,150324", "P,1,6"],
    ["a minute of it", "D,0,150324140600,150324140659", "P,2,6"],
    ["receipts and Z reports", "D,1,150324,150324", "P,1,6"],
    ["cash", "D,3,150324,150324", "P,2,2"],
    ["what is not fiscal", "D,5,150324,150324", "P,2,5"],
    ["a Z report's day", "Z,0,1,1", "P,1,6"],
    ["stornos", "D,7,150324,150324", "F"],
    ["the next day", "Z,0,2,2", "F"],
  ])("is searched for %s", async (_, data, answer) => {
    rig = await Rig.start("c");
    await printDay();
    const reply = await rig.host.ask(124, data);
    expect([reply.text, reply.statusHex.slice(0, 4)]).toEqual([answer, "8080"]);
  });

  test.each([
    "D,0,150324",
    "Z,0,0,1",
    "D,9,150324,150324",
    "D,0,15032414,150324",
    "Q,0,1,1",
    "I,1",
  ])("refuses %s", async (data) => {
    rig = await Rig.start("c");
    expect(await outcome(124, data)).toBe("syntax");
  });

  test("tells of itself, reads line by line and prints copies", async () => {
    rig = await Rig.start("c");
    const empty = (await rig.ask(124, "I")).split(",");
    expect([empty.length, empty.slice(7, 11)]).toEqual([13, ["0", "0", "0", "0"]]);
    await printDay();
    const about = (await rig.ask(124, "I")).split(",");
    expect([about[0], about[3], about.slice(7, 11)]).toEqual([
      "P",
      "DT636533",
      ["1", "1", "1", "6"],
    ]);
    expect(await rig.ask(125, "1")).toBe("F");
    expect(await rig.ask(125, "0,1,0")).toBe("P,1,15-03-24 14:05:09,1,1");
    const lines: string[] = [];
    for (let line = await rig.ask(125, "1"); line !== "F"; line = await rig.ask(125, "1")) {
      lines.push(line);
    }
    expect(lines.join("\n")).toContain("Coffee");
    expect(await rig.ask(125, "5")).toBe("F");
    expect(await rig.ask(125, "0,2,0")).toBe("P,2,15-03-24 14:06:09,3,1");
    expect(await rig.ask(125, "0,3,0")).toBe("F");
    expect(await rig.ask(125, "0,1,2,9")).toBe("P,6,15-03-24 14:06:09,2,1");
    expect(await rig.ask(125, "3,1,0")).toBe("P,1,15-03-24 14:05:09,1,1");
    expect((await rig.paper()).split("Coffee")).toHaveLength(4);
    expect(await outcome(125, "6,1,0")).toBe("syntax");
    expect(await outcome(125, "0,1,9")).toBe("syntax");
  });

  test.each(["p", "dy", "ed", "in", "ro-legacy"] as const)("is not known to %s", async (model) => {
    rig = await Rig.start(model);
    expect([await outcome(124, "I"), await outcome(125, "1")]).toEqual(["unknown", "unknown"]);
  });
});

describe("cash in the drawer", () => {
  test.each([
    ["p", "P,000005000,000006000,000001000"],
    ["c", "P,000005000,000006000,000001000"],
    ["ed", "P,50.00,60.00,10.00"],
    ["dy", "P,50.00,60.00,10.00"],
    ["in", "P,50.00,60.00,10.00"],
  ] as const)("is told by %s in its own units", async (model, answer) => {
    rig = await Rig.start(model);
    await rig.ask(70, "60.00");
    await rig.ask(70, "-10.00");
    expect(await rig.ask(70, "0.00")).toBe(answer);
    const refused = answer
      .replace("P", "F")
      .replace(/\d/g, "0")
      .replace(/0+(?=\.)/g, "0");
    expect(await rig.ask(70, "-60.00")).toBe(refused);
  });
});

describe("an invoice", () => {
  const BUYERS = {
    p: ["123456789", "#1234567890\tSeller", "12345678901234\ta\tb\tc\tBG12345678\tStreet"],
    ed: ["123456789", "#1234567890\tSeller", "1234567890\ta\tb\tc\tBG12345678\tStreet 1\nFloor 2"],
    dy: ["123456789", "123456789\tBG123456789\tSeller\tReceiver\tClient\tStreet\tFloor"],
    c: ["123456789\t0", "1234567890\t1\tSeller", "123456789\t0\ta\tb\tc\tBG1234567\tStreet"],
  } as const;
  const OPENINGS = {
    p: `1,0000,1,I,${USN}`,
    ed: `Оператор: 1,${USN},I`,
    dy: `1,1,${USN}\tI`,
    c: `1,1,${USN},1,I`,
  } as const;

  test.each(["p", "ed", "dy", "c"] as const)(
    "on %s wants its buyer, shortly or at length",
    async (model) => {
      rig = await Rig.start(model);
      for (const buyer of BUYERS[model]) {
        await rig.ask(FORMS[model].open[0], OPENINGS[model]);
        await rig.ask(...FORMS[model].sale);
        const early = await rig.host.ask(57, buyer);
        expect([early.text === "P", early.text]).toEqual([false, model === "c" ? "F" : ""]);
        await pay();
        expect(await outcome(56)).toBe("not permitted");
        expect(await rig.ask(57, buyer)).toBe(model === "c" ? "P" : "");
        expect(await outcome(56)).toBe("done");
      }
      const invoices = (await rig.books()).receipts.map((receipt) => receipt.kind);
      expect(invoices).toHaveLength(BUYERS[model].length);
    },
  );

  test.each([
    ["p", "12345678"],
    ["p", "123456789012345"],
    ["ed", "12345678901"],
    ["ed", "123456789\ta\tb\tc\td\te\tf"],
    ["dy", "#123456789"],
    ["c", "123456789"],
    ["c", "123456789\t4"],
  ] as const)("on %s is not for %j", async (model, buyer) => {
    rig = await Rig.start(model);
    await rig.ask(FORMS[model].open[0], OPENINGS[model]);
    await rig.ask(...FORMS[model].sale);
    await pay();
    expect(await outcome(57, buyer)).toBe("syntax");
    expect(await outcome(56)).toBe("not permitted");
  });

  test.each([`${USN},I`, `${USN},,I`])("opens on ED with the name and %s", async (rest) => {
    rig = await Rig.start("ed");
    expect(await rig.ask(144, `Иван,${rest}`)).toBe("0000,0000");
    expect(await rig.ask(103)).toEndWith(",1,0000000001");
  });

  test.each([`${USN},I,`, `${USN},,,I`, `${USN},,X`, `${USN},,I,`])(
    "does not open on ED with %s",
    async (rest) => {
      rig = await Rig.start("ed");
      expect(await outcome(144, `Иван,${rest}`)).toBe("syntax");
    },
  );
});

describe("the opening of a text on ED", () => {
  test("tells why it is refused", async () => {
    rig = await Rig.start("ed");
    expect(await rig.ask(38)).toBe("0000,0");
    expect(await rig.ask(38)).toBe("0000,3");
    await rig.ask(39);
    await openWithSale(rig);
    expect(await rig.ask(38)).toBe("0001,2");
  });
});

describe("how X prints one piece", () => {
  test("is a setting that hosts read and write", async () => {
    rig = await Rig.start("x");
    const name = "HideSingleItemInfoOnSells";
    expect(await rig.ask(255, `${name}\t\t\t`)).toBe("0\t0\t");
    expect(await rig.ask(255, `${name}\t\t1\t`)).toBe("0\t");
    expect(await rig.ask(255, `${name}\t\t\t`)).toBe("0\t1\t");
    expect(await rig.ask(255, `${name}\t\t2\t`)).toBe("-112103\t");
  });
});
