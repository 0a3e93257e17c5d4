import { afterEach, describe, expect, test } from "bun:test";
import { rejection } from "#src/platform/testing/rejection.ts";
import { encodeRequest } from "../frame.ts";
import { ManualTimers } from "./testing/manual-timers.ts";
import { FORMS, openWithSale, printReceipt, Rig } from "./testing/rig.ts";

let rig: Rig;
afterEach(() => rig.end());

const SALE = FORMS.x.sale;
const sales = async () => (await rig.books()).openDocument?.total ?? 0;

async function startWithOpenReceipt(): Promise<void> {
  rig = await Rig.start("x");
  await rig.ask(...FORMS.x.open);
}

async function startWithTimers(): Promise<ManualTimers> {
  const timers = new ManualTimers();
  rig = await Rig.start("x", { setTimer: timers.setTimer });
  await rig.ask(...FORMS.x.open);
  return timers;
}

describe("line faults", () => {
  test("drop_before cuts the line and executes nothing", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "drop_before" });
    rig.host.send(...SALE);
    await rig.host.closed();
    expect(await sales()).toBe(0);
  });

  test("drop_after executes, then cuts the line; the same frame then gets its answer", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "drop_after" });
    const seq = rig.host.send(...SALE);
    await rig.host.closed();
    expect(await sales()).toBe(1250);
    await rig.connect();
    rig.host.send(...SALE, seq);
    expect((await rig.host.reply()).text).toBe("0\t1\t");
    expect(await sales()).toBe(1250);
  });

  test("at strikes the frame it names and no other", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "drop_after", at: 3 });
    await rig.ask(...SALE);
    await rig.ask(...SALE);
    rig.host.send(...SALE);
    await rig.host.closed();
    expect(await sales()).toBe(3750);
    await rig.connect();
    expect(await rig.ask(76)).toStartWith("0\t1\t");
  });

  test.each([
    ["counted", 1_250],
    ["passed_over", 2_500],
  ])("at takes frames that are sent again as repeats says: %s", async (repeats, sold) => {
    await startWithOpenReceipt();
    const seq = rig.host.send(...SALE);
    await rig.host.reply();
    await rig.fault({ kind: "drop_after", at: 2, repeats });
    rig.host.send(...SALE, seq);
    if (repeats === "passed_over") {
      await rig.host.reply();
      await rig.ask(...SALE);
    }
    rig.host.send(...SALE);
    await rig.host.closed();
    expect(await sales()).toBe(sold + 1_250);
    expect(await rig.books()).toMatchObject({
      frames: 4 + (repeats === "counted" ? 0 : 1),
      repeats: 1,
    });
  });

  test("at counts the frames of one command alone where a fault names it", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "drop_before", at: 2, command: SALE[0] });
    await rig.ask(...SALE);
    await rig.ask(74);
    rig.host.send(...SALE);
    await rig.host.closed();
    expect(await sales()).toBe(1_250);
  });

  test("garble executes and damages the answer; the same frame gets it whole", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "garble" });
    const seq = rig.host.send(...SALE);
    expect(await rig.host.event()).toEqual({ kind: "garbled", reason: "checksum" });
    rig.host.send(...SALE, seq);
    expect((await rig.host.reply()).text).toBe("0\t1\t");
    expect(await sales()).toBe(1250);
  });

  test("silent neither executes nor answers as many frames as it counts", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "silent", count: 2 });
    const seq = rig.host.send(...SALE);
    rig.host.send(...SALE, seq);
    rig.host.send(...SALE, seq);
    expect((await rig.host.reply()).seq).toBe(seq);
    expect(rig.host.pending).toBe(0);
    expect(await sales()).toBe(1250);
    expect((await rig.books()).frames).toBe(4);
  });

  test("hold executes and keeps each answer until it is released", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "hold", count: 2 });
    // The second frame waits in the device until the first is answered.
    const sent = [rig.host.send(...SALE), rig.host.send(...SALE)];
    for (const [index, seq] of sent.entries()) {
      while ((await sales()) < 1250 * (index + 1)) await Bun.sleep(1);
      expect({ total: await sales(), answers: rig.host.pending }).toEqual({
        total: 1250 * (index + 1),
        answers: 0,
      });
      await rig.control("/release", { method: "POST" });
      expect((await rig.host.reply()).seq).toBe(seq);
    }
    expect(await rig.ask(...SALE)).toBe("0\t1\t");
  });

  test("hold keeps the answer to a frame that was sent again, and the books tell of it", async () => {
    await startWithOpenReceipt();
    const isHolding = async () => (await rig.books()).holding;
    expect(await isHolding()).toBe(false);
    await rig.fault({ kind: "hold", count: 2 });
    const seq = rig.host.send(...SALE);
    rig.host.send(...SALE, seq);
    for (const _ of ["first", "again"]) {
      while (!(await isHolding())) await Bun.sleep(1);
      expect(rig.host.pending).toBe(0);
      await rig.control("/release", { method: "POST" });
      expect((await rig.host.reply()).seq).toBe(seq);
    }
    expect([await isHolding(), await sales()]).toEqual([false, 1250]);
  });

  test("a held answer goes out when all faults are taken back", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "hold" });
    const seq = rig.host.send(...SALE);
    while ((await sales()) === 0) await Bun.sleep(1);
    await rig.clear();
    expect((await rig.host.reply()).seq).toBe(seq);
  });

  test("silent_after executes and does not answer", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "silent_after" });
    const seq = rig.host.send(...SALE);
    rig.host.send(...SALE, seq);
    expect((await rig.host.reply()).text).toBe("0\t1\t");
    expect(await sales()).toBe(1250);
  });

  test("delay executes at once and answers late, without a word in between", async () => {
    const timers = await startWithTimers();
    await rig.fault({ kind: "delay", ms: 800 });
    const seq = rig.host.send(...SALE);
    // The frame sent again waits in the device, and is answered after the first.
    rig.host.send(...SALE, seq);
    await timers.fire(800);
    expect((await rig.host.reply()).seq).toBe(seq);
    expect((await rig.host.reply()).seq).toBe(seq);
    expect(await sales()).toBe(1250);
  });

  test("delay can be busy, which the device says every 60 ms", async () => {
    const timers = await startWithTimers();
    await rig.fault({ kind: "delay", ms: 150, busy: true });
    rig.host.send(...SALE);
    await timers.fire(60);
    expect(await rig.host.event()).toEqual({ kind: "syn" });
    await timers.fire(60);
    expect(await rig.host.event()).toEqual({ kind: "syn" });
    await timers.fire(150);
    expect((await rig.host.reply()).text).toBe("0\t1\t");
  });

  test("clear takes back what has not struck yet", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "drop_before" });
    await rig.clear();
    expect(await rig.ask(...SALE)).toBe("0\t1\t");
  });
});

describe("a slow device", () => {
  test("takes its time for each command and says so", async () => {
    const timers = new ManualTimers();
    rig = await Rig.start("p", { delayMs: 130, setTimer: timers.setTimer });
    rig.host.send(62);
    await timers.fire(60);
    await timers.fire(60);
    await timers.fire(130);
    expect(await rig.host.event()).toEqual({ kind: "syn" });
    expect(await rig.host.event()).toEqual({ kind: "syn" });
    expect((await rig.host.reply()).text).toBe("15-03-24 14:05:09");
  });

  test("loses frames beyond its input buffer instead of hoarding them", async () => {
    const timers = new ManualTimers();
    rig = await Rig.start("x", { delayMs: 20, setTimer: timers.setTimer });
    const frames = Array.from({ length: 40 }, () =>
      encodeRequest("long", { seq: rig.host.nextSeq(), command: 62, data: new Uint8Array() }),
    );
    rig.host.sendBytes(Buffer.concat(frames));
    for (let answered = 0; answered < 9; answered += 1) {
      await timers.fire(20);
      await rig.host.reply();
    }
    rig.host.send(76);
    await timers.fire(20);
    expect((await rig.host.reply()).command).toBe(76);
    expect((await rig.books()).frames).toBe(10);
  });
});

describe("power loss", () => {
  test("before executing leaves the books as they were and forgets the number of the last frame", async () => {
    await startWithOpenReceipt();
    await rig.ask(...SALE);
    await rig.fault({ kind: "power_loss" });
    const seq = rig.host.send(...SALE);
    await rig.host.closed();
    expect(await sales()).toBe(1250);
    await rig.connect();
    // Nothing tells the repeated frame from a new one any more.
    rig.host.send(...SALE, seq);
    await rig.host.reply();
    expect(await sales()).toBe(2500);
  });

  test("after executing leaves the receipt open, and the repeated frame sells twice", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "power_loss", when: "after" });
    const seq = rig.host.send(...SALE);
    await rig.host.closed();
    expect(await sales()).toBe(1250);
    await rig.connect();
    expect((await rig.host.ask(74)).status[2]).toBe(0x88);
    rig.host.send(...SALE, seq);
    await rig.host.reply();
    expect(await sales()).toBe(2500);
  });

  test("cuts every line and takes nobody while it is off", async () => {
    const timers = await startWithTimers();
    const other = rig.host;
    await rig.connect();
    await rig.fault({ kind: "power_loss", when: "after", offMs: 5_000 });
    rig.host.send(...SALE, 0x50);
    await Promise.all([rig.host.closed(), other.closed()]);
    const turnedAway = await rig.connect();
    await turnedAway.closed();
    await timers.fire(5_000);
    await rig.connect();
    expect(await rig.ask(76)).toBe("0\t1\t1\t1\t12.50\t0.00\t");
  });

  test("keeps the lack of paper", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "paper_out" });
    await rig.fault({ kind: "power_loss" });
    rig.host.send(...SALE);
    await rig.host.closed();
    await rig.connect();
    expect(await rig.ask(...SALE)).toBe("-112006\t");
  });
});

describe("a pulled cable", () => {
  test("after executing loses the answer but not the number of the last frame", async () => {
    const timers = await startWithTimers();
    await rig.fault({ kind: "unplug", when: "after", ms: 5_000, at: 1 });
    const seq = rig.host.send(...SALE);
    await rig.host.closed();
    const turnedAway = await rig.connect();
    await turnedAway.closed();
    await timers.fire(5_000);
    await rig.connect();
    rig.host.send(...SALE, seq);
    await rig.host.reply();
    expect(await sales()).toBe(1250);
  });

  test("before executing loses the frame", async () => {
    const timers = await startWithTimers();
    await rig.fault({ kind: "unplug", ms: 70, at: 1 });
    rig.host.send(...SALE);
    await rig.host.closed();
    await timers.fire(70);
    await rig.connect();
    expect(await sales()).toBe(0);
  });

  test("needs no frame to be pulled at, and stays out when the power comes back", async () => {
    const timers = await startWithTimers();
    await rig.fault({ kind: "power_loss", offMs: 100 });
    rig.host.send(...SALE);
    await rig.host.closed();
    await rig.fault({ kind: "unplug", ms: 5_000 });
    await timers.fire(100);
    const turnedAway = await rig.connect();
    await turnedAway.closed();
    await timers.fire(5_000);
    await rig.connect();
    expect((await rig.host.ask(74)).status).toHaveLength(8);
  });
});

describe("paper that runs out in the middle of a document", () => {
  test("refused: the line is not registered until there is paper", async () => {
    await startWithOpenReceipt();
    await rig.ask(...SALE);
    await rig.fault({ kind: "paper_out", at: 1 });
    const reply = await rig.host.ask(...SALE);
    expect([reply.text, reply.statusHex]).toEqual(["-112006\t", "a0808980869a8080"]);
    expect(await sales()).toBe(1250);
    await rig.clear();
    expect(await rig.ask(...SALE)).toBe("0\t1\t");
    expect(await sales()).toBe(2500);
  });

  test("registered: the line counts, its answer shows the missing paper, printing waits", async () => {
    await startWithOpenReceipt();
    await rig.fault({ kind: "paper_out", mode: "registered", at: 1 });
    const reply = await rig.host.ask(...SALE);
    expect([reply.text, reply.statusHex]).toEqual(["0\t1\t", "a0808980869a8080"]);
    expect(await sales()).toBe(1250);
    expect(await rig.paper()).toContain("printing waits");
    expect(await rig.ask(...SALE)).toBe("-112006\t");
    await rig.clear();
    expect(await rig.ask(76)).toBe("0\t1\t1\t1\t12.50\t0.00\t");
  });

  test("reads go on, and a receipt can still be cancelled", async () => {
    await startWithOpenReceipt();
    await rig.ask(...SALE);
    await rig.fault({ kind: "paper_out" });
    expect(await rig.ask(76)).toBe("0\t1\t1\t1\t12.50\t0.00\t");
    expect(await rig.ask(53, "\t\t\t")).toBe("-112006\t");
    expect(await rig.ask(60)).toBe("0\t");
    expect(await rig.ask(69, "Z\t")).toBe("-112006\t");
    expect((await rig.books()).cancelled).toHaveLength(1);
  });
});

describe("conditions", () => {
  test("an open cover refuses printing and shows in every answer", async () => {
    rig = await Rig.start("x");
    await rig.fault({ kind: "cover_open" });
    const reply = await rig.host.ask(...FORMS.x.open);
    expect([reply.text, reply.statusHex]).toEqual(["-112007\t", "e0808080869a8080"]);
    expect((await rig.host.ask(62)).statusHex).toBe("c0808080869a8080");
    await rig.clear();
    expect(await rig.ask(...FORMS.x.open)).toBe("0\t1\t");
  });

  test("a full fiscal memory refuses receipts and reports", async () => {
    rig = await Rig.start("x");
    await rig.fault({ kind: "fiscal_memory_near_full" });
    expect((await rig.host.ask(62)).statusHex).toBe("808080808e9a8080");
    await rig.fault({ kind: "fiscal_memory_full" });
    const reply = await rig.host.ask(...FORMS.x.open);
    expect([reply.text, reply.statusHex]).toEqual(["-100114\t", "a0828080be9a8080"]);
    expect(await rig.ask(69, "Z\t")).toBe("-100114\t");
  });

  test("a day that is over is closed by a Z report", async () => {
    rig = await Rig.start("x");
    await rig.fault({ kind: "day_over" });
    expect(await rig.ask(...FORMS.x.open)).toBe("-111024\t");
    await rig.ask(69, "Z\t");
    expect(await rig.ask(...FORMS.x.open)).toBe("0\t2\t");
  });

  test("a shifted clock dates receipts wrongly until it is set", async () => {
    rig = await Rig.start("x");
    await rig.fault({ kind: "clock", shiftMs: 3_600_000 });
    expect(await rig.ask(62)).toBe("0\t15-03-24 15:05:09\t");
    await printReceipt(rig);
    await rig.clear();
    expect(await rig.ask(...FORMS.x.open)).toBe("-111077\t");
    await rig.ask(61, "15-03-24 16:00:00\t");
    expect(await rig.ask(...FORMS.x.open)).toBe("0\t2\t");
  });

  test("a clock that lost the time refuses receipts until it is set", async () => {
    rig = await Rig.start("x");
    await rig.fault({ kind: "clock_lost" });
    const reply = await rig.host.ask(...FORMS.x.open);
    expect([reply.text, reply.status[0]]).toEqual(["-112004\t", 0xa4]);
    await rig.ask(61, "15-03-24 14:05:09\t");
    await openWithSale(rig);
    expect(await sales()).toBe(1250);
  });
});

describe("the control port", () => {
  test.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["an unknown kind", '{"kind":"fire"}'],
    ["no kind", "{}"],
    ["frame 0", '{"kind":"garble","at":0}'],
    ["half a frame", '{"kind":"garble","at":1.5}'],
    ["a delay without its length", '{"kind":"delay"}'],
    ["a delay that is text", '{"kind":"delay","ms":"5"}'],
    ["a power loss at no time", '{"kind":"power_loss","when":"now"}'],
    ["a field of another fault", '{"kind":"garble","ms":5}'],
  ])("refuses %s with 400 and a message", async (_, body) => {
    rig = await Rig.start("x");
    const response = await rig.control("/fault", { method: "POST", body });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });

  test.each([
    ["GET", "/nowhere"],
    ["POST", "/books"],
    ["GET", "/fault"],
    ["GET", "/books?after=x"],
  ])("refuses %s %s", async (method, path) => {
    rig = await Rig.start("x");
    expect((await rig.control(path, { method })).status).toBe(400);
  });

  test("holds a limited number of faults", async () => {
    rig = await Rig.start("x");
    for (let count = 0; count < 100; count += 1) await rig.fault({ kind: "garble", at: 1_000 });
    expect((await rejection(rig.fault({ kind: "garble", at: 1_000 }))).message).toContain(
      "waiting already",
    );
  });

  test("shows only the receipts after a number when asked to", async () => {
    rig = await Rig.start("x");
    await printReceipt(rig);
    await printReceipt(rig);
    const response = await rig.control("/books?after=1");
    expect(await response.json()).toMatchObject({ receipts: [{ number: 2 }], receiptCount: 2 });
  });

  test("turns a fifth host away", async () => {
    rig = await Rig.start("x");
    for (let count = 0; count < 3; count += 1) await rig.connect();
    expect(await rig.ask(62)).toStartWith("0\t");
    const fifth = await rig.connect();
    await fifth.closed();
  });
});
