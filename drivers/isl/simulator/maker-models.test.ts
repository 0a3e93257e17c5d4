import { afterEach, describe, expect, test } from "bun:test";
import { encodeRequest } from "../frame.ts";
import { FORMS, openWithSale, printReceipt, Rig, USN } from "./testing/rig.ts";

let rig: Rig;
afterEach(() => rig.end());

const IDLE = { dy: "8080808080f8", ed: "88808080869a", in: "8080808080b8" } as const;
const CANCEL = { dy: 130, ed: 60, in: 130 } as const;

describe.each(["dy", "ed", "in"] as const)("model %s", (model) => {
  test("books a receipt to the cent", async () => {
    rig = await Rig.start(model);
    expect((await rig.host.ask(74, "X")).statusHex).toBe(IDLE[model]);
    await printReceipt(rig);
    expect((await rig.books()).receipts).toMatchObject([
      { number: 1, kind: "sale", total: 1250, change: 750, usn: USN, items: [{ name: "Coffee" }] },
    ]);
    expect((await rig.host.ask(74, "X")).statusHex).toBe(IDLE[model]);
  });

  test("gives a cancelled receipt a number, in which nothing was paid", async () => {
    rig = await Rig.start(model);
    await openWithSale(rig);
    await rig.ask(CANCEL[model]);
    const books = await rig.books();
    expect(books.cancelled).toMatchObject([{ number: 1 }]);
    expect(books.receipts).toEqual([]);
    expect((await rig.ask(76, "T")).split(",")[3]).toMatch(/^\+?0+(\.00)?$/);
    expect((await rig.host.ask(CANCEL[model])).status[1]).toBe(0x82);
  });

  test("refuses to cancel after a payment, and to sell", async () => {
    rig = await Rig.start(model);
    await openWithSale(rig);
    await rig.ask(53, "\tP5.00");
    expect((await rig.host.ask(CANCEL[model])).statusHex.slice(2, 6)).toBe("8288");
    expect((await rig.host.ask(...FORMS[model].sale)).statusHex.slice(2, 6)).toBe("8288");
    expect((await rig.books()).openDocument).toMatchObject({ total: 1250, paid: 500 });
  });

  test("answers the identical frame again without executing it", async () => {
    rig = await Rig.start(model);
    await rig.ask(...FORMS[model].open);
    const seq = rig.host.send(...FORMS[model].sale);
    const first = await rig.host.reply();
    rig.host.send(...FORMS[model].sale, seq);
    expect(await rig.host.reply()).toEqual(first);
    expect((await rig.books()).openDocument).toMatchObject({ total: 1250 });
  });

  test("says NAK to a wrong checksum and executes nothing", async () => {
    rig = await Rig.start(model);
    const frame = encodeRequest("short", { seq: 0x30, command: 60, data: new Uint8Array() });
    frame[frame.length - 2] = (frame[frame.length - 2] ?? 0) ^ 1;
    rig.host.sendBytes(frame);
    expect(await rig.host.event()).toEqual({ kind: "nak" });
  });

  test("demands a Z report after 24 hours", async () => {
    rig = await Rig.start(model);
    await printReceipt(rig);
    rig.now += 24 * 3_600_000 + 1_000;
    const { statusHex } = await rig.host.ask(...FORMS[model].open);
    expect(statusHex.slice(0, 8)).toBe({ dy: "a08080d2", ed: "a8828080", in: "a0808082" }[model]);
    await rig.ask(69, "0");
    await printReceipt(rig);
    expect((await rig.books()).zReports).toMatchObject([{ zNumber: 1, total: 1250 }]);
  });

  test("tells the number of the last Z report, first without any", async () => {
    rig = await Rig.start(model);
    const ask = {
      dy: () => rig.ask(64, "T"),
      ed: () => rig.ask(110),
      in: () => rig.ask(64),
    }[model];
    const inPlace = { dy: 0, ed: 8, in: 0 }[model];
    expect((await ask()).split(",")[inPlace]).toBe("0000");
    await printReceipt(rig);
    await rig.ask(69, "0");
    expect((await ask()).split(",")[inPlace]).toBe("0001");
  });

  test("refuses a sale number and a storno reason of another form", async () => {
    rig = await Rig.start(model);
    const [command, data] = FORMS[model].open;
    const reply = await rig.host.ask(command, data.replace(USN, "DT577430-0001"));
    expect((reply.status[0] ?? 0) & 1).toBe(1);
    expect((await rig.books()).openDocument).toBeNull();
  });
});

describe("model dy", () => {
  test("takes another command under the same number for a new one", async () => {
    rig = await Rig.start("dy");
    const seq = rig.host.send(...FORMS.dy.open);
    await rig.host.reply();
    rig.host.send(...FORMS.dy.sale, seq);
    expect((await rig.host.reply()).command).toBe(49);
    expect((await rig.books()).openDocument).toMatchObject({ total: 1250 });
  });

  test("marks amounts with a dollar sign and writes them with a point", async () => {
    rig = await Rig.start("dy");
    await rig.ask(...FORMS.dy.open);
    await rig.ask(49, "Хляб\tБ10.00*2.000$0.75");
    expect((await rig.host.ask(49, "Хляб\tБ10.00;0.75")).statusHex.slice(0, 2)).toBe("a1");
    expect(await rig.ask(51, "10$-2.00")).toStartWith("18.75,0.00,18.75,0.00,");
    expect(await rig.ask(76, "T")).toBe("1,1,18.75,0.00,18.75");
    expect(await rig.ask(53, "\tC8.75")).toBe("D10.00");
    expect(await rig.ask(53, "\tP20.00")).toBe("R10.00");
    expect(await rig.ask(56)).toBe("0001,0001");
    expect(await rig.ask(113)).toBe("000001");
  });

  test("sells by department without a text", async () => {
    rig = await Rig.start("dy");
    await rig.ask(...FORMS.dy.open);
    expect((await rig.host.ask(138, "2@5.00*2$-1.00")).status[0]).toBe(0x80);
    expect((await rig.books()).openDocument).toMatchObject({ total: 900 });
    expect((await rig.host.ask(138, "51@5.00")).status[0]).toBe(0xa1);
  });

  test("pays a storno back in cash only", async () => {
    rig = await Rig.start("dy");
    await printReceipt(rig);
    await rig.ask(48, `1,1,${USN}\tR1,1,15-03-24 14:05:09\t36543869`);
    await rig.ask(...FORMS.dy.sale);
    expect(await rig.ask(53, "\tC12.50")).toBe("F");
    expect(await rig.ask(53, "\tP12.50")).toBe("D0.00");
    await rig.ask(56);
    expect((await rig.books()).receipts[1]).toMatchObject({
      kind: "storno",
      reason: "operator-error",
      total: 1250,
    });
    expect(await rig.ask(69, "2")).toBe(
      "0001,0.00,12.50,0.00,0.00,0.00,0.00,0.00,0.00,0.00,12.50,0.00,0.00,0.00,0.00,0.00,0.00",
    );
  });
});

describe("model ed", () => {
  test("opens in any name, and a storno by its letters", async () => {
    rig = await Rig.start("ed");
    await printReceipt(rig);
    expect((await rig.host.ask(144, "")).status[0]).toBe(0xa9);
    const storno = (reason: string) =>
      rig.host.ask(144, `Ivan,${USN},S,44311662,${reason},1,2024-03-15T14:05:09`);
    expect((await storno("X")).status[0]).toBe(0xa9);
    expect((await storno("T")).text).toBe("0001,0000");
    expect((await rig.host.ask(48, "1,1,1")).status[0]).toBe(0xaa);
  });

  test("tells when the last receipt was issued", async () => {
    rig = await Rig.start("ed");
    expect((await rig.host.ask(86, "T")).text).toBe("");
    await printReceipt(rig);
    expect(await rig.ask(86, "T")).toBe("15-03-2024 14:05:09");
  });
});

describe("model in", () => {
  test("names the sale number when it closes or cancels a receipt", async () => {
    rig = await Rig.start("in");
    await openWithSale(rig);
    await rig.ask(...FORMS.in.payment);
    expect(await rig.ask(56)).toBe(`0001,0001,${USN}`);
    await openWithSale(rig);
    expect(await rig.ask(130)).toBe(USN);
  });

  test("wants the letter of a storno's reason twice", async () => {
    rig = await Rig.start("in");
    await printReceipt(rig);
    const storno = (reason: string) =>
      rig.host.ask(48, `1,${USN},1,${reason},15-03-24 14:05:09,54015013`);
    expect((await storno("R0")).status[0]).toBe(0xa1);
    expect((await storno("RS0")).status[0]).toBe(0xa1);
    expect((await storno("VV0")).text).toBe("0001,0000");
  });

  test("switches VAT groups off with a rate of -1.00, after a Z report only", async () => {
    rig = await Rig.start("in");
    expect(await rig.ask(97)).toBe("0.00,20.00,20.00,9.00,-1.00,-1.00,-1.00,-1.00");
    await printReceipt(rig);
    const rates = "0.00,20.00,15.00,-1.00,-1.00,-1.00,-1.00,-1.00";
    expect(await rig.ask(96, rates)).toBe("F");
    await rig.ask(69, "0");
    expect(await rig.ask(96, rates)).toBe("P");
    expect(await rig.ask(97)).toBe(rates);
  });
});
