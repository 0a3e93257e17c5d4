/** Commands of the simulated devices that hosts other than our driver send. */

import { afterEach, describe, expect, test } from "bun:test";
import { vectorOf } from "../testdata/vectors.ts";
import { encodeText } from "./code-page.ts";
import { name36, openWithSale, printReceipt, ZfpRig } from "./testing/raw-host.ts";

let rig: ZfpRig;
afterEach(() => rig.end());

const DEPARTMENT = { first: 0x81, third: 0x83, twentieth: 0x94, none: 0x80 } as const;

/** An article `name36;department;rest`, the department being one raw byte. */
function byDepartment(department: number, rest: string, name = "A"): Uint8Array {
  return Uint8Array.from([
    ...encodeText(`${name36(name)};`),
    department,
    ...encodeText(`;${rest}`),
  ]);
}

/** A sale of 31h with what stands behind the VAT letter. */
function sale(rest: string, letter = "Б"): string {
  return `${name36("Coffee")};${letter};${rest}`;
}

describe("golden frames are answered byte for byte", () => {
  test.each([
    "vendor_v_disp_clear",
    "js_disp1",
    "cpp_c_disp1",
    "js_disp12",
    "js_feed",
    "js_nbl_7f",
    "vendor_v_feed",
    "cpp_c_nack_retry",
    "js_diag",
    "js_z_by_op",
    "js_reginfo",
    "js_fdnum",
  ])("%s", async (name) => {
    rig = await ZfpRig.start();
    const { request, reply } = vectorOf(name);
    if (!reply) throw new Error("the vector has no answer");
    expect(await rig.exchange(request)).toBe(Buffer.from(reply).toString("hex"));
  });

  test.each([
    ["js_sale34_dep3", 1_065],
    ["js_sale34_dep1_discv", 18_000],
    ["js_sale_dep_bang1_disc", 608],
    ["js_sale_disc_v", 6_990],
    ["js_sale_sur_v", 1_050],
  ])("%s within a receipt", async (name, total) => {
    rig = await ZfpRig.start();
    await rig.ask(0x30, "1;0000;1;1;0");
    const { request, reply } = vectorOf(name);
    expect(await rig.exchange(request)).toBe(Buffer.from(reply ?? []).toString("hex"));
    expect(rig.books().openDocument).toMatchObject({ total });
  });
});

describe("single bytes", () => {
  test("05 is answered by itself, and the byte against echoes by nothing", async () => {
    rig = await ZfpRig.start();
    rig.send(0x03, 0x04, 0x03, 0x05, 0x09);
    expect(await rig.hear(3)).toBe("040540");
  });

  test("05 is not answered while a command runs, the ping is", async () => {
    rig = await ZfpRig.start();
    await rig.fault({ kind: "hold" });
    const { request, reply } = vectorOf("js_feed");
    rig.send(...request);
    rig.send(0x05, 0x1d, 0x49, 0x09);
    expect(await rig.hear(1)).toBe("41");
    await rig.clear();
    expect(await rig.hearLine()).toBe(Buffer.from(reply ?? []).toString("latin1"));
  });

  test.each([
    ["v1", "I32;00000;19;20;8;07;12;10;00;500;0000\n"],
    ["v2", "I32;00000;19;20;8;07;05;10;00;500;0000\n"],
  ] as const)("GS I tells what %s is built for; other letters nothing", async (model, line) => {
    rig = await ZfpRig.start(model);
    rig.send(0x1d, 0x4d, 0x1d, 0x49);
    expect(await rig.hearLine()).toBe(line);
    rig.send(0x1d, 0x09);
    expect(await rig.hear(1)).toBe("40");
    const { request, reply } = vectorOf("js_feed");
    rig.send(0x1d, ...request);
    expect(await rig.hearLine()).toBe(Buffer.from(reply ?? []).toString("latin1"));
  });
});

describe("what the device tells of itself", () => {
  test("61h: tax number in 13 characters, its kind, the registration", async () => {
    rig = await ZfpRig.start();
    expect(await rig.ask(0x61)).toBe("123456789    ;0;123456;01-02-2019 10:20");
    expect(await rig.ask(0x61, "0")).toBe("04");
  });

  test("64h: twelve names and a rate", async () => {
    rig = await ZfpRig.start();
    const fields = (await rig.ask(0x64)).split(";");
    expect(fields).toHaveLength(13);
    expect(fields.slice(0, 12).every((name) => name.length === 10)).toBe(true);
    expect([fields[0], fields[7], fields[12]]).toEqual(["В БРОЙ    ", "КАРТА     ", "1.95583"]);
  });

  test("64h of V2: five names, a rate and what each tender is", async () => {
    rig = await ZfpRig.start("v2");
    const fields = (await rig.ask(0x64)).split(";");
    expect(fields.slice(5)).toEqual(["1.95583", "я", "7", "1", "2", "я"]);
  });

  test("63h, 65h and 74h: decimals, switches, free records", async () => {
    rig = await ZfpRig.start();
    expect(await rig.ask(0x63)).toBe("2");
    expect(await rig.ask(0x65)).toBe("0001;0;0;0;0;0;0;0;0;0");
    expect(await rig.ask(0x74)).toBe("1825");
    await rig.ask(0x7c, "Z");
    expect(await rig.ask(0x74)).toBe("1824");
  });

  test("73h: the last Z report, the receipts, and what was printed last", async () => {
    rig = await ZfpRig.start();
    expect(await rig.ask(0x73)).toBe("00-00-0000;0000;0000;000000;00-00-0000 00:00;01;0");
    await printReceipt(rig);
    expect(await rig.ask(0x73)).toBe("00-00-0000;0000;0000;000001;15-03-2024 14:05;01;0");
    await rig.ask(0x7c, "Z");
    await rig.ask(0x2e, "1;0000;0;0");
    await rig.ask(0x2f);
    expect(await rig.ask(0x73)).toBe("15-03-2024;0001;0000;000001;15-03-2024 14:05;01;2");
    await rig.ask(0x30, "1;0000;1;1;@;1;000001;15-03-24 14:05:09;50163145");
    await rig.ask(0x31, sale("1.00"));
    await rig.ask(0x36);
    expect(await rig.ask(0x73)).toEndWith(";01;4");
  });
});

describe("a sale", () => {
  test.each([
    ["both adjustments at zero", "12.50*2.000,0.0:0.0", 2_500],
    ["an amount behind a percentage of zero", "12.50*2.000,0.0:-5.00", 2_000],
    ["a percentage before an amount of zero", "12.50*2.000,-10.00:0.0", 2_250],
    ["fixed widths and a blank before the sign", "0000012.50*000002.000, -5.00%", 2_375],
    ["a surcharge after two blanks", "0000012.50*000002.000,  5.00%", 2_625],
  ])("takes %s", async (_, rest, total) => {
    rig = await ZfpRig.start();
    await rig.ask(0x30, "01;0000;1;1;0");
    expect(await rig.ask(0x31, sale(rest))).toBe("00");
    expect(rig.books().openDocument).toMatchObject({ total });
  });

  test.each([
    ["two adjustments", "12.50,-5.00:-1.00"],
    ["a percentage of eight characters", "12.50,-100.00%"],
    ["a sign twice", "12.50,--5.00"],
    ["blanks only", "12.50, "],
    ["three decimals", "12.505"],
    ["eleven characters", "00000012.50"],
    ["the amount first", "12.50:0.0,0.0"],
  ])("is refused with %s", async (_, rest) => {
    rig = await ZfpRig.start();
    await rig.ask(0x30, "1;0000;1;1;0");
    expect(await rig.ask(0x31, sale(rest))).toBe("04");
    expect(rig.books().openDocument).toMatchObject({ total: 0, items: [] });
  });

  test("takes its group from the department only where one is named", async () => {
    rig = await ZfpRig.start();
    await rig.ask(0x30, "1;0000;1;1;0");
    expect(await rig.ask(0x31, sale("1.00", " "))).toBe("04");
    const named = Uint8Array.from([...Buffer.from(sale("1.00!", " ")), DEPARTMENT.third]);
    expect(await rig.ask(0x31, named)).toBe("00");
    expect(await rig.ask(0x31, Uint8Array.from([...named.slice(0, -1), 0x94]))).toBe("04");
    expect(await rig.ask(0x31, sale("1.00", "*"))).toBe("04");
    expect(rig.books().openDocument).toMatchObject({ items: [{ department: 3, group: 2 }] });
  });

  test("by department is counted there, in its group or the one that is named", async () => {
    rig = await ZfpRig.start();
    await rig.ask(0x30, "1;0000;1;1;0");
    expect(await rig.ask(0x34, byDepartment(DEPARTMENT.first, "2.00*3"))).toBe("00");
    expect(await rig.ask(0x34, byDepartment(DEPARTMENT.third, "1.00!А", "B"))).toBe("00");
    expect(await rig.ask(0x34, byDepartment(DEPARTMENT.first, "-2.00*3"))).toBe("00");
    expect(rig.books().openDocument).toMatchObject({
      total: 100,
      items: [
        { department: 1, group: 2, total: 600 },
        { department: 3, group: 1, total: 100 },
        { department: 1, group: 2, total: -600 },
      ],
    });
  });

  test.each([
    ["department 20", byDepartment(DEPARTMENT.twentieth, "1.00"), "04"],
    ["no department", byDepartment(DEPARTMENT.none, "1.00"), "04"],
    ["a forbidden group", byDepartment(DEPARTMENT.first, "1.00!*"), "04"],
    ["a correction with a discount", byDepartment(DEPARTMENT.first, "-1.00,-5.00"), "04"],
    ["a correction of what was not sold", byDepartment(DEPARTMENT.first, "-1.00"), "07"],
  ])("by department is refused with %s", async (_, data, digits) => {
    rig = await ZfpRig.start();
    expect(await rig.ask(0x34, data)).toBe(digits === "07" ? "02" : digits);
    await rig.ask(0x30, "1;0000;1;1;0");
    expect(await rig.ask(0x34, data)).toBe(digits);
    expect(rig.books().openDocument).toMatchObject({ items: [] });
  });

  test("has a subtotal whose discount may have a blank before it", async () => {
    rig = await ZfpRig.start();
    await openWithSale(rig);
    expect(await rig.ask(0x33, "1;1, -5.00%")).toBe("11.87");
    expect(await rig.ask(0x33, "0;0,0.00:0.00")).toBe("04");
    expect(await rig.ask(0x33, "0;0")).toBe("11.87");
  });
});

describe("service commands", () => {
  test("feed wants paper and no data", async () => {
    rig = await ZfpRig.start();
    expect(await rig.ask(0x2b, "1")).toBe("04");
    await rig.fault({ kind: "paper_out" });
    expect(await rig.ask(0x2b)).toBe("10");
    expect(await rig.ask(0x24)).toBe("00");
  });

  test("the display takes whole lines", async () => {
    rig = await ZfpRig.start();
    expect(await rig.ask(0x25, "short")).toBe("04");
    expect(await rig.ask(0x27, "x".repeat(20))).toBe("04");
    expect(await rig.ask(0x28)).toBe("00");
    expect(await rig.ask(0x24, " ")).toBe("04");
  });

  test("7Dh reports what operators have sold, and clears all of them at once", async () => {
    rig = await ZfpRig.start();
    await printReceipt(rig);
    await rig.ask(0x30, "2;0000;1;1;0");
    await rig.ask(0x31, sale("1.00"));
    expect(await rig.ask(0x7d, "X;0")).toBe("42");
    await rig.ask(0x36);
    expect(await rig.ask(0x7d, "X;02")).toBe("00");
    const one = (await rig.paper()).split("OPERATORS")[1] ?? "";
    expect(one).toContain("1.00");
    expect(one).not.toContain("12.50");
    expect(await rig.ask(0x7d, "Z;1")).toBe("04");
    expect(await rig.ask(0x7d, "X;21")).toBe("04");
    expect(await rig.ask(0x7d, "Y;0")).toBe("04");
    expect(await rig.ask(0x7d, "Z;00")).toBe("00");
    expect((await rig.paper()).split("OPERATORS")[2]).toContain("12.50");
    expect(await rig.ask(0x7d, "X;0")).toBe("00");
    expect((await rig.paper()).split("OPERATORS")[3]).not.toContain("Sales");
    expect(rig.books()).toMatchObject({ zNumber: 0, documentNumber: 5 });
  });

  test("a header is on the receipt after it, which takes the number of one that was annulled", async () => {
    rig = await ZfpRig.start("v2");
    await printReceipt(rig);
    await openWithSale(rig);
    expect(await rig.ask(0x39)).toBe("00");
    expect(await rig.ask(0x49, "1;OPEN ON SUNDAYS")).toBe("00");
    expect(await rig.ask(0x49, "8;COME AGAIN")).toBe("00");
    const before = await rig.paper();
    expect(before).not.toMatch(/OPEN ON SUNDAYS|COME AGAIN/);
    await printReceipt(rig);
    const numbers = rig.books().receipts.map(({ number }) => number);
    expect(rig.books().cancelled).toHaveLength(1);
    expect(numbers).toEqual([1, 2]);
    const paper = await rig.paper();
    // What was printed before stays as it was.
    expect(paper.startsWith(before.trimEnd())).toBe(true);
    expect(paper.slice(before.trimEnd().length)).toMatch(/OPEN ON SUNDAYS.+COME AGAIN/s);
  });
});
