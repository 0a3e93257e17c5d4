/** What is told of a receipt that is cancelled on devices that tell less of the last one they issued. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Line } from "#core/driver.ts";
import { DocumentInDoubt } from "#core/errors.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { sampleSale, sampleSaleOfOne } from "../testing/sample-documents.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import {
  encodeAck,
  encodeData,
  NACK,
  ReplyDecoder,
  type ReplyEvent,
  RequestDecoder,
  type RequestFrame,
} from "./frame.ts";

const RECEIPT = 0x72;
const LAST_NUMBER = 0x71;
const CANCEL = 0x39;
const SALE_LINE = 0x31;
const FINE = 0x30;
const UNKNOWN_COMMAND = 0x31;
const SYNTAX_ERROR = 0x34;
/** What is left open is seen by the next frame. */
const PERSON = { kind: "other_hands", deed: "open", amountMinor: 500 };

const SALE = sampleSale({ vatGroups: ["VAT2", "VAT2"], hasDiscount: false });

let device: SimulatedDevice;
afterEach(() => device.stop());

/** Takes the place of an answer; undefined for one that stays. */
type Change = (asked: RequestFrame, cancelled: number) => number | undefined;

/** What an answer with data says instead. */
type Telling = (asked: RequestFrame, data: string, cancelled: number) => string;

/** Counts those that it has cancelled. */
const countsAll: Telling = ({ command }, data, cancelled) =>
  command === LAST_NUMBER ? String(Number(data) + cancelled).padStart(6, "0") : data;

/** An older device: it does not tell of the last receipt, and counts those that it has cancelled. */
function older(line: Line): Line {
  return answering(line, (asked) => (isAbout(asked, "B") ? UNKNOWN_COMMAND : undefined), countsAll);
}

/** A device that counts a receipt once it is closed: in an open one it tells the number before. */
const countsClosed: Telling = (asked, data) => {
  const fields = data.split(";");
  const isOpen = isAbout(asked, "") && fields[0] === "1";
  return isOpen ? fields.with(19, String(Number(fields[19]) - 1).padStart(6, "0")).join(";") : data;
};

function isAbout({ command, data }: RequestFrame, text: string): boolean {
  return command === RECEIPT && Buffer.from(data).toString("latin1") === text;
}

/** Refuses what `change` has an error for. */
function answering(line: Line, change: Change, tell: Telling = (_, data) => data): Line {
  const requests = new RequestDecoder();
  const replies = new ReplyDecoder();
  let asked: RequestFrame | undefined;
  let cancelled = 0;
  const answerOf = (reply: ReplyEvent): Uint8Array | undefined => {
    if (reply.kind === "nack") return Uint8Array.of(NACK);
    if (reply.kind === "ping") return Uint8Array.of(reply.state);
    if ((reply.kind !== "ack" && reply.kind !== "data") || !asked) return undefined;
    const isDone = reply.kind === "ack" && reply.deviceError === FINE;
    if (asked.command === CANCEL && isDone) cancelled += 1;
    const commandError = change(asked, cancelled);
    if (commandError !== undefined) {
      return encodeAck({ nbl: reply.nbl, deviceError: FINE, commandError });
    }
    if (reply.kind === "ack") return encodeAck(reply);
    const told = tell(asked, Buffer.from(reply.data).toString("latin1"), cancelled);
    return encodeData({ ...reply, data: Buffer.from(told, "latin1") });
  };
  return {
    write(bytes) {
      for (const event of requests.push(bytes)) if (event.kind === "request") asked = event;
      line.write(bytes);
    },
    close: () => line.close(),
    listen: (listener) =>
      line.listen({
        closed: (error) => listener.closed(error),
        data(chunk) {
          for (const reply of replies.push(chunk)) {
            const answer = answerOf(reply);
            if (answer) listener.data(answer);
          }
        },
      }),
  };
}

async function startOver(over: (line: Line) => Line): Promise<void> {
  const kind = { driver: "vendorE.zfp", model: "v2", timezone: "Europe/Sofia" } as const;
  device = await SimulatedDevice.start({ ...kind, over });
}

/** A person rings something up, and it is voided. */
async function voided() {
  await device.fault(PERSON);
  await device.run({ type: "get_status" });
  const { outcome, error } = await device.run({ type: "void_open_receipt" });
  return { outcome, code: error?.code, isOpen: device.books().openDocument !== null };
}

test("one without a payment was cancelled, though the device's count has moved", async () => {
  await startOver(older);
  expect(await voided()).toEqual({ outcome: "printed", code: undefined, isOpen: false });
});

test.each([
  ["its own, where the device counts it as it opens", undefined, "2"],
  ["none, where the device still tells that of the one before", countsClosed, null],
] as const)("one is told with a number: %s", async (_, tell, receiptNumber) => {
  await startOver((line) => answering(line, () => undefined, tell));
  expect((await device.run(SALE)).success?.fiscalId).toBe("1");
  await device.fault(PERSON);
  await device.run({ type: "get_status" });
  const { success } = await device.run({ type: "void_open_receipt" });
  expect(success?.data).toEqual({ receiptNumber });
});

/** Behind the looks before a sale and its opening. */
const FIRST_LINE = 8;

/** More than connecting and voiding take. */
const FRAMES_MAX = 20;

test("one that somebody pays meanwhile is told as cancelled only where nothing was sold", async () => {
  const told = new Set<string>();
  for (let at = 1; at <= FRAMES_MAX; at += 1) {
    if (at > 1) await device.stop();
    await startOver(older);
    await device.fault(PERSON);
    await device.run({ type: "get_status" });
    await device.fault({ ...PERSON, deed: "pay", amountMinor: 50, when: "before", at });
    const { outcome } = await device.run({ type: "void_open_receipt" });
    told.add(`${outcome}, ${device.books().receipts.length} sold`);
  }
  expect([...told].sort()).toEqual([
    "not_printed, 0 sold",
    "not_printed, 1 sold",
    "printed, 0 sold",
  ]);
});

test("a document that breaks off before its payment was not printed", async () => {
  await startOver(older);
  const { frames } = device.books();
  (await device.connect()).close();
  const connecting = device.books().frames - frames;
  await device.fault({ kind: "drop_after", at: connecting + FIRST_LINE });
  const { outcome, recovered } = await device.run(SALE);
  expect({ outcome, recovered, receipts: device.books().receipts.length }).toEqual({
    ...{ outcome: "not_printed", recovered: true, receipts: 0 },
  });
});

test("one is cancelled though the device refuses to say so behind it", async () => {
  const refusesLooks: Change = (asked, cancelled) => {
    const isLook = asked.command === LAST_NUMBER || isAbout(asked, "B");
    return isLook && cancelled > 0 ? SYNTAX_ERROR : undefined;
  };
  await startOver((line) => answering(line, refusesLooks));
  expect(await voided()).toEqual({ outcome: "printed", code: undefined, isOpen: false });
});

test("a document of which a line is refused was not printed", async () => {
  let lines = 0;
  const refusesSecond: Change = (asked) => {
    if (isAbout(asked, "B")) return UNKNOWN_COMMAND;
    if (asked.command === SALE_LINE) lines += 1;
    return asked.command === SALE_LINE && lines > 1 ? SYNTAX_ERROR : undefined;
  };
  await startOver((line) => answering(line, refusesSecond, countsAll));
  const { outcome, recovered, error } = await device.run(SALE);
  expect({ outcome, recovered }).toEqual({ outcome: "not_printed", recovered: false });
  expect(error?.message).toContain("The device refused the command");
  expect(device.books()).toMatchObject({ receipts: [], openDocument: null });
});

/** More than connecting and a sale take. */
const SALE_FRAMES_MAX = 24;

/** It does not tell of the last receipt either. */
const olderThatCountsClosed = (line: Line) =>
  answering(line, (asked) => (isAbout(asked, "B") ? UNKNOWN_COMMAND : undefined), countsClosed);

test.each([
  ["of the last receipt", (line: Line) => answering(line, () => undefined, countsClosed)],
  ["its count alone", olderThatCountsClosed],
])(
  "one that is printed is not told by the next, which shows its number, on a device that tells %s",
  async (_, over) => {
    const told = new Set<string>();
    for (let at = 1; at <= SALE_FRAMES_MAX; at += 1) {
      if (at > 1) await device.stop();
      await startOver(over);
      const progress = await lostAt(at, SALE);
      if (!progress) continue;
      // Whoever opens his own finishes ours before, where that is paid.
      await device.fault({ ...PERSON, when: "before" });
      const { outcome } = await device.resume({ ...SALE, progress });
      const ours = device.books().receipts.filter(({ items }) => items.length === SALE.items);
      told.add(`${outcome}, ${ours.length} printed`);
    }
    expect([...told].sort()).toEqual([
      "not_printed, 0 printed",
      "printed, 1 printed",
      "unknown, 1 printed",
    ]);
  },
);

/** More than connecting and finding out what became of a sale take. */
const RESUME_FRAMES_MAX = 24;

test("nor is it where others finish it while that is found out, and sell the same for the same", async () => {
  const one = sampleSaleOfOne({ vatGroups: ["VAT2", "VAT2"] });
  const theirs = { ...PERSON, when: "before", amountMinor: one.totalMinor };
  const told = new Set<string>();
  for (let at = 1; at <= RESUME_FRAMES_MAX; at += 1) {
    if (at > 1) await device.stop();
    await startOver((line) => answering(line, () => undefined, countsClosed));
    const progress = await lostAt(FIRST_LINE, one);
    if (!progress) throw new Error("nothing is in doubt");
    for (const deed of ["pay", "open"]) await device.fault({ ...theirs, deed, at });
    const { outcome } = await device.resume({ ...one, progress });
    const { length } = device.books().receipts;
    told.add(`${outcome}, ${length} printed`);
  }
  expect([...told].sort()).toEqual(["not_printed, 0 printed", "unknown, 1 printed"]);
});

test("one that was seen paid is told, though the next, which shows its number, is worth as much", async () => {
  const one = sampleSaleOfOne({ vatGroups: ["VAT2", "VAT2"] });
  const theirs = { ...PERSON, when: "before", amountMinor: one.totalMinor };
  const told = new Set<string>();
  for (let at = FIRST_LINE; at <= SALE_FRAMES_MAX; at += 1) {
    if (at > FIRST_LINE) await device.stop();
    await startOver((line) => answering(line, () => undefined, countsClosed));
    const progress = await lostAt(at, one);
    if (!progress || device.books().openDocument !== null) continue;
    await device.fault(theirs);
    const { outcome } = await device.resume({ ...one, progress });
    told.add(`${outcome}, ${device.books().receipts.length} printed`);
  }
  expect([...told]).toEqual(["printed, 1 printed"]);
});

/** Frames of connecting and a sale before which others sell, from before its baseline to behind its opening. */
const SOLD_AT = [10, 11, 12, 13, 14, 15];
/** Those of a sale from its first payment to behind its closing. */
const PAYING_AT = [10, 11, 12, 13];

describe.each([
  ["closed", countsClosed],
  ["opened", undefined],
] as const)(
  "where others sell for the same right before it is opened, on a device that counts one as it is %s",
  (_, tell) => {
    const one = sampleSaleOfOne({ vatGroups: ["VAT2", "VAT2"] });
    let scenes = 0;
    beforeEach(() => {
      scenes = 0;
    });
    const sellBefore = async (at: number) => {
      if (scenes > 0) await device.stop();
      scenes += 1;
      await startOver((line) => answering(line, () => undefined, tell));
      const amountMinor = one.totalMinor;
      await device.fault({ ...PERSON, deed: "ring_up", when: "before", amountMinor, at });
    };

    test("one that was seen paid, and annulled then, is not told as printed", async () => {
      const told = new Set<string>();
      for (const sold of SOLD_AT) {
        for (const at of PAYING_AT) {
          await sellBefore(sold);
          const progress = await lostAt(at, one, "drop_before");
          const isOpen = device.books().openDocument !== null;
          await device.fault({ ...PERSON, deed: "annul" });
          if (progress && isOpen) told.add((await device.resume({ ...one, progress })).outcome);
        }
      }
      expect(told).not.toContain("printed");
      expect(told.size).toBeGreaterThan(0);
    });

    test("one that is printed has its own number", async () => {
      const told = new Set<boolean>();
      for (const sold of SOLD_AT) {
        await sellBefore(sold);
        const { outcome, success } = await device.run(one);
        const ours = device
          .books()
          .receipts.find(({ items }) => items[0]?.name.trim() !== "Foreign");
        if (outcome === "printed") told.add(success?.fiscalId === String(ours?.number));
      }
      expect([...told]).toEqual([true]);
    });
  },
);

/** A sale of which the line breaks before or behind one of its frames; undefined where that leaves no doubt. */
async function lostAt(
  frame: number,
  { type, payload }: typeof SALE,
  kind: "drop_after" | "drop_before" = "drop_after",
): Promise<RecordedProgress | undefined> {
  const progress = new RecordedProgress();
  const session = await device.connect();
  await device.fault({ kind, at: frame });
  const command = { id: "cmd_1", type, payload, original: undefined };
  const lost = await session.execute(command, progress).catch((error: unknown) => error);
  session.close();
  await device.clear();
  return lost instanceof DocumentInDoubt ? progress : undefined;
}
