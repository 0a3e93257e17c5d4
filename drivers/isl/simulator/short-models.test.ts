import { afterEach, describe, expect, test } from "bun:test";
import { openWithSale, printReceipt, Rig, USN } from "./testing/rig.ts";

let rig: Rig;
afterEach(() => rig.end());

const IDLE = "80808080869a";

describe("model P", () => {
  test("answers a receipt as the manual says", async () => {
    rig = await Rig.start("p");
    expect(await rig.ask(48, `1,0000,1,${USN}`)).toBe("0000,0000");
    expect(await rig.ask(49, "Кафе\nголямо\tБ12.50*2.000#бр,-10.00")).toBe("");
    expect(await rig.ask(49, "Хляб\tА1.20;-0.20")).toBe("");
    expect(await rig.ask(49, "Хляб\tА-1.20;-0.20")).toBe("");
    expect(await rig.ask(54, "Благодарим")).toBe("");
    expect(await rig.ask(51, "10;-2.00")).toBe(
      "0000002050,0000000000,0000002050,0000000000,0000000000,0000000000,0000000000,0000000000,0000000000",
    );
  });

  test("states the subtotal, payments, change and counts", async () => {
    rig = await Rig.start("p");
    await openWithSale(rig);
    expect(await rig.ask(76, "T")).toBe("1,0001,+00001250,+00000000");
    expect(await rig.ask(103)).toBe("1,0,1250,0,0,0,0,0,0,0,0000000001");
    expect(await rig.ask(51, "11")).toStartWith("0000001250,0000000000,0000001250,");
    expect(await rig.ask(53, "\tD5.00")).toBe("D000000750");
    expect(await rig.ask(53, "\tP15.00")).toBe("R000000750");
    expect(await rig.ask(56)).toBe("0001,0001");
    expect(await rig.ask(113)).toBe("0000001");
    expect(await rig.ask(76, "T")).toBe("0,0001,+00001250,+00002000");
    expect((await rig.books()).receipts[0]?.payments).toMatchObject([
      { method: "card", amount: 500 },
      { method: "cash", amount: 1500 },
    ]);
  });

  test("pays the rest with a bare TAB and says D to an exact payment", async () => {
    rig = await Rig.start("p");
    await openWithSale(rig);
    expect(await rig.ask(53, "\t")).toBe("D000000000");
    expect(await rig.ask(56)).toBe("0001,0001");
  });

  test("refuses a payment with F and clean status bits", async () => {
    rig = await Rig.start("p");
    const early = await rig.host.ask(53, "\tP20.00");
    expect([early.text, early.statusHex]).toEqual(["F", IDLE]);
    await openWithSale(rig);
    expect(await rig.ask(53, "\tX20.00")).toBe("F");
  });

  test.each([
    ["no group", "Coffee\t12.50"],
    ["no TAB", "CoffeeБ12.50"],
    ["three decimals", "Coffee\tБ12.505"],
    ["four decimals of quantity", "Coffee\tБ12.50*1.0001"],
    ["two adjustments", "Coffee\tБ12.50,-1.00;-1.00"],
    ["a percentage beyond 99.99", "Coffee\tБ12.50,-100.00"],
    ["department 61", "Coffee\t61\t12.50"],
  ])("refuses a sale with %s as a fault of syntax or group", async (_, data) => {
    rig = await Rig.start("p");
    await rig.ask(48, `1,0000,1,${USN}`);
    const reply = await rig.host.ask(49, data);
    expect(reply.text).toBe("");
    expect(["a18088", "a08288"]).toContain(reply.statusHex.slice(0, 6));
    expect((await rig.books()).openDocument).toMatchObject({ total: 0 });
  });

  test("sells by department", async () => {
    rig = await Rig.start("p");
    await rig.ask(48, `1,0000,1,${USN}`);
    await rig.ask(49, "Dept\t2\t5.00*1");
    expect((await rig.books()).openDocument).toMatchObject({
      items: [{ department: 2, group: 2, total: 500 }],
    });
  });

  test.each([
    ["with its own sale number", `1,0000,1,${USN},R1,${USN},150324140509,02518315`],
    ["without", `1,0000,1,R1,${USN},150324140509,02518315`],
  ])("opens a storno %s and shows it in its status", async (_, data) => {
    rig = await Rig.start("p");
    await printReceipt(rig);
    const reply = await rig.host.ask(46, data);
    expect([reply.text, reply.statusHex]).toEqual(["0001,0000", "80908880869a"]);
    await rig.ask(49, "Coffee\tБ12.50");
    await rig.ask(53, "\t");
    expect(await rig.ask(56)).toBe("0002,0001");
    expect((await rig.books()).receipts[1]).toMatchObject({ kind: "storno", reason: "refund" });
  });

  test("rebuilds a storno from its journal when only the number is given", async () => {
    rig = await Rig.start("p");
    await printReceipt(rig);
    await rig.ask(46, "1,0000,1,E1");
    expect((await rig.books()).openDocument).toMatchObject({ total: 1250 });
    await rig.ask(60);
    expect((await rig.host.ask(46, "1,0000,1,E9")).statusHex).toBe("a0828080869a");
  });

  test("reads and sets VAT rates, header and operators", async () => {
    rig = await Rig.start("p");
    expect(await rig.ask(83)).toBe("0,2,BGN,11110000,0.00,20.00,20.00,9.00,0.00,0.00,0.00,0.00");
    await rig.ask(83, "0,2,BGN,11111000,0.00,20.00,20.00,9.00,5.00");
    expect(await rig.ask(97)).toBe("0.00,20.00,20.00,9.00,5.00,0.00,0.00,0.00");
    await rig.ask(43, "0Shop");
    expect(await rig.ask(43, "I0")).toBe("Shop");
    await rig.ask(43, "7Bye");
    expect(await rig.ask(43, "I7")).toBe("Bye");
    expect((await rig.host.ask(43, "8Bye")).statusHex).toBe("a1808080869a");
    await rig.ask(102, "1,0000,Иван");
    expect((await rig.books()).operators[0]).toMatchObject({ name: "Иван" });
    expect((await rig.host.ask(101, "1,0000,123")).statusHex).toBe("a1808080869a");
    await rig.ask(101, "1,0000,1234");
    expect((await rig.host.ask(48, "1,0000,1")).statusHex).toBe("a0828080869a");
    expect((await rig.host.ask(48, "1,1234,1")).statusHex).toBe("80808880869a");
  });

  test("reports with the sums of the day", async () => {
    rig = await Rig.start("p");
    expect(await rig.ask(64, "*0")).toBe("F");
    await printReceipt(rig);
    const sums = "00000001250,00000000000,00000001250";
    expect(await rig.ask(69, "2")).toStartWith(`0001,${sums}`);
    expect(await rig.ask(69, "0N")).toStartWith(`0001,${sums}`);
    expect(await rig.ask(64, "*0")).toBe("P,0001,0,1250,0,0,0,0,0,0,150324");
    expect(await rig.ask(68)).toBe("3649,3649");
    expect(await rig.ask(86, "T")).toBe("15-03-2024 14:05:09");
    expect(await rig.ask(110)).toBe("0,0,0,0,0,0,0,0,0001,0000002");
  });

  test("shows paper low and a lost clock in its status", async () => {
    rig = await Rig.start("p");
    await rig.fault({ kind: "paper_low" });
    expect((await rig.host.ask(62)).statusHex).toBe("80808280869a");
    await rig.fault({ kind: "clock_lost" });
    expect((await rig.host.ask(48, "1,0000,1")).statusHex).toBe("a4828280869a");
  });

  test("identifies itself with six fields", async () => {
    rig = await Rig.start("p");
    expect(await rig.ask(90, "*")).toBe(
      "FP-800,1.00BG 23NOV18 1000,FFFF,00000000,DT518315,02518315",
    );
    expect(await rig.ask(99)).toBe("123456789,ЕИК");
    const status = await rig.host.ask(74, "X");
    expect([...status.data]).toEqual([...status.status]);
  });
});

describe("model C", () => {
  test("takes the sale number before the till, and the operator's number as password", async () => {
    rig = await Rig.start("c");
    expect(await rig.ask(48, `2,2,${USN},1`)).toBe("0000,0000");
    await rig.ask(60);
    expect(await rig.ask(48, "1,1,1,I")).toBe("0001,0000");
    await rig.ask(60);
    const wrong = await rig.host.ask(48, "1,2,1");
    expect([wrong.text, wrong.statusHex]).toEqual(["F", "a0828080869a"]);
    expect(await rig.ask(48, `1,1,${USN}`)).toBe("");
  });

  test("knows no unit of measure and has payment letters of its own", async () => {
    rig = await Rig.start("c");
    await openWithSale(rig);
    expect((await rig.host.ask(49, "A\tБ1.00*2#бр")).statusHex).toBe("a1808880869a");
    expect(await rig.ask(53, "\tC5.00")).toBe("D000000750");
    await rig.ask(53, "\t");
    await rig.ask(56);
    expect((await rig.books()).receipts[0]?.payments).toMatchObject([
      { method: "card" },
      { method: "cash" },
    ]);
  });

  test.each(["150324140509", "1503241405"])("opens a storno with the moment %s", async (moment) => {
    rig = await Rig.start("c");
    await printReceipt(rig);
    expect(await rig.ask(46, `1,1,${USN},1,1,1,${moment},02636533`)).toBe("0001,0000");
    expect(await rig.ask(103)).toBe("P,1,0,0,0,0,0,0,0,0,0,0000000001,2");
  });

  test("refuses a storno of an unknown receipt of its own with F", async () => {
    rig = await Rig.start("c");
    const reply = await rig.host.ask(46, `1,1,${USN},1,1,26,150324140509,02636533`);
    expect([reply.text, reply.status[1]]).toEqual(["F", 0x82]);
    expect(await rig.ask(46, `1,1,${USN},1,1,26,150324140509,54015013`)).toBe("0000,0000");
  });

  test("reads an open cover as missing paper", async () => {
    rig = await Rig.start("c");
    await rig.fault({ kind: "cover_open" });
    expect((await rig.host.ask(48, "1,1,1")).statusHex).toBe("a0808180869a");
  });
});

describe("the old Romanian model", () => {
  test("sells in Latin groups and pays with a plus or no data", async () => {
    rig = await Rig.start("ro-legacy");
    expect(await rig.ask(48, "1,0000,1")).toBe("0000,0000");
    await rig.ask(49, "text\tA55.22*1.000");
    expect(await rig.ask(51, "11;-2.00")).toStartWith("0000005322,0000005322,");
    expect(await rig.ask(53, "\tP+50.00")).toBe("D000000322");
    expect(await rig.ask(53)).toBe("D000000000");
    expect(await rig.ask(56)).toBe("0001,0001");
    expect(await rig.ask(99)).toBe("RO1234567");
    expect(await rig.ask(97)).toBe("19.00,9.00,5.00,0.00,0.00,0.00,0.00,0.00");
  });

  test("has no storno command and no sale numbers", async () => {
    rig = await Rig.start("ro-legacy");
    expect((await rig.host.ask(46, "1,0000,1,E1")).statusHex).toBe("a2808080869a");
    expect((await rig.host.ask(48, `1,0000,1,${USN}`)).statusHex).toBe("a1808080869a");
  });
});
