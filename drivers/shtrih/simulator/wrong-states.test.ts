/**
 * What the simulated device answers in wrong states: each command of our driver that changes the
 * device, in each state that refuses some, by its error byte; 00 is done. A command that is refused
 * leaves the books as they were.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { RawLine } from "../../simulator/testing/raw-line.ts";
import { SimulatorRig } from "../../simulator/testing/simulator-rig.ts";
import { ACK, encodeFrame } from "../frame.ts";

/** A device and a host at its line, which acknowledges every answer. */
class Rig extends SimulatorRig {
  #line: RawLine | undefined;

  static async start(): Promise<Rig> {
    const rig = new Rig();
    await rig.startDevice({ driver: "vendorF.shtrih" });
    rig.#line = await RawLine.connect(rig.port);
    return rig;
  }

  /** The error byte that a command is answered with, as two digits of hexadecimal. */
  async ask(body: readonly number[]): Promise<string> {
    const line = this.#line;
    if (!line) throw new Error("no host is connected");
    line.write(encodeFrame(Uint8Array.from(body)));
    // ACK, STX and the length; behind the command and the error byte stands a checksum.
    const [sign, , length = 0] = await line.take(3);
    expect(sign).toBe(ACK);
    const [, error = 0xff] = await line.take(length + 1);
    line.write(Uint8Array.of(ACK));
    return error.toString(16).padStart(2, "0");
  }

  books(): Record<string, unknown> {
    const { frames: _, clock: __, ...books } = this.currentBooks();
    return books;
  }

  override async switchOff(): Promise<void> {
    this.#line?.close();
    await super.switchOff();
  }
}

let rig: Rig;
afterEach(() => rig.end());

/** An unsigned integer, low byte first. */
function le(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, index) => Math.floor(value / 256 ** index) % 256);
}

const CASHIER = le(1, 4);
const ADMIN = le(30, 4);
const TEXT = new Array<number>(40).fill(0x41);
const NO_TAX = [0, 0, 0, 0];
const OPEN_SALE = [0x8d, ...CASHIER, 0];
const OPEN_RETURN = [0x8d, ...CASHIER, 2];
const line = (code: number, price: number) => [
  ...[code, ...CASHIER, ...le(1_000, 5), ...le(price, 5), 1],
  ...[...NO_TAX, ...TEXT],
];
const SALE = line(0x80, 1_250);
const close = (...tenders: readonly number[]) => [
  ...[0x85, ...CASHIER],
  ...[0, 1, 2, 3].flatMap((index) => le(tenders[index] ?? 0, 5)),
  ...[0, 0, ...NO_TAX, ...TEXT],
];
const CLOSE = close(2_000);

const STATES: Readonly<Record<string, () => Promise<void>>> = {
  idle: async () => undefined,
  receipt: async () => {
    await rig.ask(OPEN_SALE);
    await rig.ask(SALE);
  },
  text: async () => {
    await rig.ask([0xe2, ...CASHIER]);
  },
  noPaper: () => rig.fault({ kind: "paper_out" }),
  dayOver: async () => {
    for (const body of [OPEN_SALE, SALE, CLOSE]) await rig.ask(body);
    await rig.fault({ kind: "day_over" });
  },
  full: () => rig.fault({ kind: "fiscal_memory_full" }),
};

/** Answers in the order of `STATES`. */
const ANSWERS: readonly (readonly [string, readonly number[], string])[] = [
  ["open a sale", OPEN_SALE, "00 4a 4a 6b 4e 70"],
  ["open a return", OPEN_RETURN, "00 4a 4a 6b 4e 70"],
  ["sale", SALE, "73 00 73 6b 73 73"],
  ["return", line(0x82, 1_250), "73 49 73 6b 73 73"],
  ["correction", line(0x84, 1_250), "73 00 73 6b 73 73"],
  ["discount", [0x86, ...CASHIER, ...le(100, 5), ...NO_TAX, ...TEXT], "55 00 55 6b 55 55"],
  ["close", CLOSE, "55 00 55 6b 55 55"],
  ["cancel", [0x88, ...CASHIER], "55 00 55 55 55 55"],
  ["subtotal", [0x89, ...CASHIER], "55 00 55 55 55 55"],
  ["line", [0x17, ...CASHIER, 2, ...TEXT], "00 00 00 6b 00 00"],
  ["wide line", [0x12, ...CASHIER, 2, ...TEXT.slice(20)], "00 00 00 6b 00 00"],
  ["cut", [0x25, ...CASHIER, 0], "00 00 00 6b 00 00"],
  ["feed", [0x29, ...CASHIER, 2, 3], "00 00 00 6b 00 00"],
  ["drawer", [0x28, ...CASHIER, 0], "00 00 00 00 00 00"],
  ["X report", [0x40, ...ADMIN], "00 4a 4a 6b 00 70"],
  ["Z report", [0x41, ...ADMIN], "73 4a 4a 6b 00 73"],
  ["cash in", [0x50, ...CASHIER, ...le(100, 5)], "00 4a 4a 6b 00 70"],
  ["cash out", [0x51, ...CASHIER, ...le(100, 5)], "46 4a 4a 6b 00 70"],
  ["repeat", [0x8c, ...CASHIER], "56 4a 4a 6b 00 70"],
  ["open text", [0xe2, ...CASHIER], "00 4a 4a 6b 00 70"],
  ["close text", [0xe3, ...CASHIER], "73 73 00 73 73 73"],
  ["time", [0x21, ...ADMIN, 12, 0, 0], "00 73 73 00 73 00"],
  ["date", [0x22, ...ADMIN, 1, 1, 30], "00 73 73 00 73 00"],
];

describe("a command in a state", () => {
  const cases = ANSWERS.flatMap(([name, body, answers]) =>
    answers.split(" ").map((answer, index) => {
      const state = Object.keys(STATES)[index] ?? "";
      return { name, state, body, answer };
    }),
  );
  test.each(cases)("$name, $state: $answer", async ({ state, body, answer }) => {
    rig = await Rig.start();
    await STATES[state]?.();
    const before = rig.books();
    expect(await rig.ask(body)).toBe(answer);
    if (answer !== "00") expect(rig.books()).toEqual(before);
  });
});

describe("data that no device takes", () => {
  test.each([
    ["a password of nobody", [0x50, ...le(99, 4), ...le(100, 5)], "4f"],
    ["a cashier's password where an administrator's is wanted", [0x41, ...CASHIER], "4f"],
    ["half a password", [0x10, 1, 0], "33"],
    ["a status with more behind it", [0x11, ...CASHIER, 0], "33"],
    ["a beep with more behind it", [0x13, ...CASHIER, 0], "33"],
    ["no drawer", [0x28, ...CASHIER], "33"],
    ["drawer 2", [0x28, ...CASHIER, 2], "33"],
    ["a feed of no lines", [0x29, ...CASHIER, 2], "33"],
    ["a font of nothing", [0x26, ...ADMIN], "33"],
    ["a type with more behind it", [0xfc, 1], "33"],
    ["cash of nothing", [0x50, ...CASHIER, ...le(0, 5)], "33"],
    ["a receipt of kind 4", [0x8d, ...CASHIER, 4], "33"],
    ["hour 24", [0x21, ...ADMIN, 24, 0, 0], "33"],
    ["a command that there is none", [0x99, ...CASHIER], "37"],
  ])("%s", async (_, body, answer) => {
    rig = await Rig.start();
    const before = rig.books();
    expect(await rig.ask(body)).toBe(answer);
    expect(rig.books()).toEqual(before);
  });

  test.each([
    ["a quantity of nothing", [...SALE.slice(0, 5), ...le(0, 5), ...SALE.slice(10)], "33"],
    ["department 17", [...SALE.slice(0, 15), 17, ...SALE.slice(16)], "33"],
    ["a correction of another price", line(0x84, 1_249), "2d"],
    ["a line that no receipt holds", line(0x80, 10_000_000_000), "7f"],
    ["a discount of more than there is", [0x86, ...CASHIER, ...le(1_251, 5), ...NO_TAX], "5f"],
    ["a discount without taxes", [0x86, ...CASHIER, ...le(1, 5)], "33"],
    ["a discount of tax 5", [0x86, ...CASHIER, ...le(1, 5), 5, 0, 0, 0], "33"],
    ["too little", close(1_249), "45"],
    ["more by card than there is to pay", close(0, 0, 0, 1_251), "4d"],
    ["a tender that no register holds", close(10_000_000_000), "7f"],
  ])("%s in a receipt", async (_, body, answer) => {
    rig = await Rig.start();
    await STATES.receipt?.();
    const before = rig.books();
    expect(await rig.ask(body)).toBe(answer);
    expect(rig.books()).toEqual(before);
  });
});

test("registers of a day that are full refuse a sale until it is closed", async () => {
  rig = await Rig.start();
  const most = 9_999_999_999;
  for (const body of [OPEN_SALE, line(0x80, most), close(0, 0, 0, most), OPEN_SALE]) {
    expect(await rig.ask(body)).toBe("00");
  }
  expect(await rig.ask(line(0x80, 1))).toBe("66");
  for (const body of [[0x88, ...CASHIER], [0x41, ...ADMIN], OPEN_SALE, SALE]) {
    expect(await rig.ask(body)).toBe("00");
  }
});
