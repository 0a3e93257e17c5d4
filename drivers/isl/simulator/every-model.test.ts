import { afterEach, describe, expect, test } from "bun:test";
import { encodeRequest } from "../frame.ts";
import { FORMS, MODELS, openWithSale, printReceipt, Rig, USN } from "./testing/rig.ts";

let rig: Rig;
afterEach(() => rig.end());

const IDLE = { long: "80808080869a8080", short: "80808080869a" } as const;
const RECEIPT_OPEN = { long: "80808880869a8080", short: "80808880869a" } as const;
const isLong = (model: string) => model === "x" || model === "ro-x";

describe.each([...MODELS])("model %s", (model) => {
  const generation = isLong(model) ? "long" : "short";

  test("books a receipt to the cent and shows it open until it is closed", async () => {
    rig = await Rig.start(model);
    const { open, sale, payment } = FORMS[model];
    expect((await rig.host.ask(74)).statusHex).toBe(IDLE[generation]);
    expect((await rig.host.ask(...open)).statusHex).toBe(RECEIPT_OPEN[generation]);
    await rig.ask(...sale);
    expect((await rig.books()).openDocument).toMatchObject({ number: 1, total: 1250, paid: 0 });
    await rig.ask(...payment);
    expect((await rig.host.ask(56)).statusHex).toBe(IDLE[generation]);
    const books = await rig.books();
    expect(books.openDocument).toBeNull();
    expect(books.cash).toBe(1250);
    expect(books.receipts).toMatchObject([
      {
        number: 1,
        kind: "sale",
        total: 1250,
        change: 750,
        usn: model === "ro-x" || model === "ro-legacy" ? null : USN,
        time: "2024-03-15T14:05:09",
        payments: [{ method: "cash", amount: 2000 }],
        items: [{ name: "Coffee", total: 1250 }],
      },
    ]);
  });

  test("gives a cancelled receipt a number and keeps it out of the fiscal receipts", async () => {
    rig = await Rig.start(model);
    await openWithSale(rig);
    expect((await rig.host.ask(60)).statusHex).toBe(IDLE[generation]);
    await printReceipt(rig);
    const books = await rig.books();
    expect(books.cancelled).toMatchObject([{ number: 1, total: 1250 }]);
    expect(books.receipts.map(({ number }) => number)).toEqual([2]);
    expect(await rig.paper()).toContain("CANCELLED");
  });

  test("refuses to cancel, sell or open after a payment has begun", async () => {
    rig = await Rig.start(model);
    await openWithSale(rig);
    await rig.ask(53, isLong(model) ? "0\t5.00\t" : "\tP5.00");
    const { open, sale } = FORMS[model];
    for (const [command, data] of [[60, ""] as const, sale, open]) {
      const reply = await rig.host.ask(command, data);
      // Byte 1 "not permitted", and a receipt that is still open.
      expect(reply.statusHex.slice(2, 6)).toBe("8288");
    }
    expect((await rig.books()).openDocument).toMatchObject({ total: 1250, paid: 500 });
  });

  test("refuses sales, payments and closing without a receipt", async () => {
    rig = await Rig.start(model);
    const { sale } = FORMS[model];
    for (const [command, data] of [
      sale,
      [56, ""],
      [60, ""],
      [54, isLong(model) ? "a\t" : "a"],
    ] as const) {
      expect((await rig.host.ask(command, data)).statusHex.slice(2, 4)).toBe("82");
    }
    expect((await rig.books()).documentNumber).toBe(0);
  });

  test("refuses an unknown and a disabled VAT group", async () => {
    rig = await Rig.start(model);
    await rig.ask(...FORMS[model].open);
    if (!isLong(model)) {
      expect((await rig.host.ask(49, "A\tX1.00")).statusHex.slice(2, 4)).toBe("82");
    } else {
      expect(await rig.ask(49, "A\t9\t1.00\t\t\t\t\t")).toBe("-112102\t");
    }
    expect((await rig.books()).openDocument).toMatchObject({ total: 0 });
  });

  test("refuses a wrong password and an operator that does not exist", async () => {
    rig = await Rig.start(model);
    const [command, data] = FORMS[model].open;
    const separator = isLong(model) ? "\t" : ",";
    const [, , ...rest] = data.split(separator);
    const wrong = await rig.host.ask(command, ["1", "9999", ...rest].join(separator));
    expect(wrong.status[0]).toBe(0xa0);
    const unknown = await rig.host.ask(command, ["31", "0000", ...rest].join(separator));
    expect(unknown.status[0]).not.toBe(0x80);
    expect((await rig.books()).documentNumber).toBe(0);
  });

  test("answers a frame with the same sequence number again without executing it", async () => {
    rig = await Rig.start(model);
    await rig.ask(...FORMS[model].open);
    const seq = rig.host.send(...FORMS[model].sale);
    const first = await rig.host.reply();
    rig.host.send(...FORMS[model].sale, seq);
    expect(await rig.host.reply()).toEqual(first);
    // Another command under the same number gets the stale answer too, with the old command echo.
    rig.host.send(56, "", seq);
    expect(await rig.host.reply()).toEqual(first);
    expect((await rig.books()).openDocument).toMatchObject({ total: 1250 });
  });

  test("remembers the last sequence number across connections", async () => {
    rig = await Rig.start(model);
    await rig.ask(...FORMS[model].open);
    const seq = rig.host.send(...FORMS[model].sale);
    await rig.host.reply();
    rig.host.close();
    await rig.connect();
    rig.host.send(...FORMS[model].sale, seq);
    await rig.host.reply();
    expect((await rig.books()).openDocument).toMatchObject({ total: 1250 });
  });

  test("says NAK to a wrong checksum and executes nothing", async () => {
    rig = await Rig.start(model);
    const frame = encodeRequest(generation, { seq: 0x30, command: 60, data: new Uint8Array() });
    frame[frame.length - 2] = (frame[frame.length - 2] ?? 0) ^ 1;
    rig.host.sendBytes(frame);
    expect(await rig.host.event()).toEqual({ kind: "nak" });
  });

  test("takes a frame that comes in pieces, and two frames in one piece", async () => {
    rig = await Rig.start(model);
    const frames = [0x30, 0x31].map((seq) =>
      encodeRequest(generation, { seq, command: 62, data: new Uint8Array() }),
    );
    const [first = new Uint8Array(), second = new Uint8Array()] = frames;
    rig.host.sendBytes(first.subarray(0, 5));
    rig.host.sendBytes(Uint8Array.from([...first.subarray(5), ...second]));
    expect((await rig.host.reply()).seq).toBe(0x30);
    expect((await rig.host.reply()).seq).toBe(0x31);
  });

  test("refuses an unknown command", async () => {
    rig = await Rig.start(model);
    const reply = await rig.host.ask(200, "");
    expect(reply.status[0]).toBe(0xa2);
    expect(reply.text).toBe(isLong(model) ? "-112000\t" : "");
  });

  test("closes the day with a Z report, once it may", async () => {
    rig = await Rig.start(model);
    const z = isLong(model) ? "Z\t" : "0";
    const x = isLong(model) ? "X\t" : "2";
    await openWithSale(rig);
    expect((await rig.host.ask(69, z)).statusHex.slice(2, 4)).toBe("82");
    await rig.ask(60);
    await printReceipt(rig);
    await rig.ask(69, x);
    expect((await rig.books()).zNumber).toBe(0);
    await rig.ask(69, z);
    const books = await rig.books();
    expect(books.zReports).toMatchObject([{ zNumber: 1, total: 1250 }]);
    // Cancelled, receipt, X and Z each took a number.
    expect(books.documentNumber).toBe(4);
    expect(books.cash).toBe(1250);
  });

  test("demands a Z report after 24 hours, and goes on after it", async () => {
    rig = await Rig.start(model);
    await printReceipt(rig);
    rig.now += 24 * 3_600_000 + 1_000;
    const refusedReply = await rig.host.ask(...FORMS[model].open);
    expect(refusedReply.statusHex.slice(2, 6)).toMatch(/^82/);
    if (isLong(model)) expect(refusedReply.text).toBe("-111024\t");
    await rig.ask(69, isLong(model) ? "Z\t" : "0");
    await printReceipt(rig);
    expect((await rig.books()).receipts).toHaveLength(2);
  });

  test("books cash in and out, and refuses more than there is", async () => {
    rig = await Rig.start(model);
    const cash = (sign: number, text: string) =>
      isLong(model) ? `${sign < 0 ? 1 : 0}\t${text}\t` : `${sign < 0 ? "-" : ""}${text}`;
    await rig.ask(70, cash(1, "200.00"));
    const answer = await rig.ask(70, cash(-1, "50.00"));
    expect(answer).toBe(
      isLong(model) ? "0\t150.00\t200.00\t50.00\t" : "P,000015000,000020000,000005000",
    );
    const denied = await rig.ask(70, cash(-1, "150.01"));
    expect(denied).toBe(isLong(model) ? "-111017\t" : "F,000000000,000000000,000000000");
    const numberBefore = (await rig.books()).documentNumber;
    expect(await rig.ask(70, cash(1, "0.00"))).toBe(answer);
    expect((await rig.books()).documentNumber).toBe(numberBefore);
  });

  test("tells and sets its clock, never before the last record", async () => {
    rig = await Rig.start(model);
    const prefix = isLong(model) ? "0\t" : "";
    const suffix = isLong(model) ? "\t" : "";
    expect(await rig.ask(62)).toBe(`${prefix}15-03-24 14:05:09${suffix}`);
    await printReceipt(rig);
    expect((await rig.host.ask(61, `15-03-24 14:05:08${suffix}`)).status[0]).toBe(0xa0);
    expect((await rig.host.ask(61, `31-02-24 10:00:00${suffix}`)).status[0]).toBe(0xa1);
    await rig.ask(61, `16-03-24 10:20:00${suffix}`);
    rig.now += 60_000;
    expect(await rig.ask(62)).toBe(`${prefix}16-03-24 10:21:00${suffix}`);
  });

  test("prints a service text, which is no receipt", async () => {
    rig = await Rig.start(model);
    expect((await rig.host.ask(38)).status[2]).toBe(0xa0);
    await rig.ask(42, isLong(model) ? "Hello\t0\t0\t0\t0\t0\t" : "Hello");
    expect((await rig.host.ask(...FORMS[model].open)).status[1]).toBe(0x82);
    await rig.ask(39);
    const books = await rig.books();
    expect(books.receipts).toEqual([]);
    expect(books.documentNumber).toBe(1);
    expect(await rig.paper()).toContain("Hello");
  });

  test("prints one duplicate of the last receipt", async () => {
    rig = await Rig.start(model);
    const data = isLong(model) ? "" : "1";
    expect((await rig.host.ask(109, data)).status[1]).toBe(0x82);
    await printReceipt(rig);
    expect((await rig.host.ask(109, data)).status[0]).toBe(0x80);
    expect((await rig.host.ask(109, data)).status[1]).toBe(0x82);
    await printReceipt(rig);
    expect((await rig.host.ask(109, data)).status[0]).toBe(0x80);
  });

  test("keeps everything over a stop of the process, the open receipt included", async () => {
    rig = await Rig.start(model);
    await printReceipt(rig);
    await openWithSale(rig);
    const { frames: _, ...before } = await rig.books();
    await rig.switchOff();
    await rig.switchOn();
    const { frames, ...after } = await rig.books();
    expect(after).toEqual(before);
    expect(frames).toBe(0);
    await rig.ask(...FORMS[model].payment);
    await rig.ask(56);
    expect((await rig.books()).receipts).toHaveLength(2);
  });
});
