/** Which registers are read for a document, and what of one that a model lacks or refuses for once. */

import { afterEach, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { changedFrames } from "./testing/changed-frames.ts";

const MONEY_REGISTER = 0x1a;
const COUNT_REGISTER = 0x1b;
const CANCELLED = 166;
/** Running numbers of receipts by kind, without which nothing is sold. */
const RECEIPTS = [148, 150];
const CLOSE = 0x85;
const NO_SUCH_COMMAND = 0x37;
const WRONG_PARAMETER = 0x33;
const DRAWER = 241;
const CREDIT = 197;
const OTHER = 201;
const CARD = 205;
/** Code and password stand before it. */
const REGISTER_AT = 5;

let device: SimulatedDevice;
afterEach(() => device.stop());

interface Tampering {
  /** The error byte with which a register of money is refused; undefined where it is told. */
  readonly refuse: (register: number) => number | undefined;
  /** The same of one of counts. */
  readonly refuseCount?: (register: number) => number | undefined;
  readonly registers?: number[];
}

/** Refuses registers. @param sent is told the code of each command on its way */
function refusing(tampering: Tampering, sent: (code: number) => void = () => {}) {
  const { refuse, refuseCount = () => undefined, registers = [] } = tampering;
  return changedFrames({
    send(command) {
      const [code = 0] = command;
      if (code === MONEY_REGISTER) registers.push(command[REGISTER_AT] ?? 0);
      sent(code);
      return command;
    },
    hear(answer, command) {
      const [code = 0] = command;
      const register = command[REGISTER_AT] ?? 0;
      const isMoney = code === MONEY_REGISTER;
      if (!isMoney && code !== COUNT_REGISTER) return answer;
      const errorByte = isMoney ? refuse(register) : refuseCount(register);
      return errorByte === undefined ? answer : Uint8Array.of(code, errorByte);
    },
  });
}

const PLACEMENT = { driver: "vendorF.shtrih", model: "fr-k", timezone: "Europe/Moscow" } as const;

function saleBy(...payments: readonly (readonly [method: string, amount: number])[]) {
  return {
    type: "print_receipt",
    payload: {
      items: [{ name: "Tea", quantity: 1, price: 5, vatGroup: "VAT2" }],
      payments: payments.map(([method, amount]) => ({ method, amount })),
    },
  } as const;
}

/** Sells, and loses the closing frame, or the answer to it. */
async function sellWithLostAnswer(
  tampering: Tampering,
  lost: "drop_before" | "drop_after" = "drop_after",
) {
  let losesNext = false;
  const over = refusing(tampering, (code) => {
    if (code !== CLOSE || !losesNext) return;
    losesNext = false;
    void device.fault({ kind: lost, at: 1 });
  });
  device = await SimulatedDevice.start({ ...PLACEMENT, over });
  losesNext = true;
  const { outcome, recovered } = await device.run(saleBy(["cash", 5]));
  return { outcome, recovered, receipts: device.books().receipts.length };
}

const PRINTED = { outcome: "printed", recovered: true, receipts: 1 } as const;

test("a sale reads all four tenders, four of the thirteen frames of one line", async () => {
  const registers: number[] = [];
  device = await SimulatedDevice.start({
    ...PLACEMENT,
    over: refusing({ refuse: () => undefined, registers }),
  });
  const session = await device.connect();
  registers.length = 0;
  const { frames } = device.books();
  const progress = new RecordedProgress();
  await session.execute({ id: "cmd_1", ...saleBy(["cash", 5]), original: undefined }, progress);
  expect({ registers, frames: device.books().frames - frames }).toEqual({
    registers: [DRAWER, CREDIT, OTHER, CARD],
    frames: 13,
  });
  session.close();
});

test("a register that a model lacks and the sale does not need leaves it in no doubt", async () => {
  const refuse = (register: number) => (register === CARD ? NO_SUCH_COMMAND : undefined);
  expect(await sellWithLostAnswer({ refuse })).toEqual(PRINTED);
});

test("a register that is refused for once is read again", async () => {
  let refusals = 1;
  const refuse = () => {
    refusals -= 1;
    return refusals >= 0 ? WRONG_PARAMETER : undefined;
  };
  expect(await sellWithLostAnswer({ refuse })).toEqual(PRINTED);
});

test.each([NO_SUCH_COMMAND, WRONG_PARAMETER])(
  "a model that never tells the drawer, with error %i, sells, and what is in doubt stays so",
  async (errorByte) => {
    expect(await sellWithLostAnswer({ refuse: () => errorByte })).toEqual({
      ...PRINTED,
      outcome: "unknown",
    });
  },
);

test.each([NO_SUCH_COMMAND, WRONG_PARAMETER])(
  "a model that lacks the count of what was cancelled sells, and what is in doubt stays so: %i",
  async (errorByte) => {
    const refuseCount = (register: number) => (register === CANCELLED ? errorByte : undefined);
    expect(await sellWithLostAnswer({ refuse: () => undefined, refuseCount })).toEqual({
      ...PRINTED,
      outcome: "unknown",
    });
    expect(await device.run(saleBy(["cash", 5]))).toMatchObject({ outcome: "printed" });
  },
);

test.each([NO_SUCH_COMMAND, WRONG_PARAMETER])(
  "a model that lacks all registers but the numbers of receipts closes its day and moves cash: %i",
  async (errorByte) => {
    const refuseCount = (register: number) => (RECEIPTS.includes(register) ? undefined : errorByte);
    device = await SimulatedDevice.start({
      ...PLACEMENT,
      over: refusing({ refuse: () => errorByte, refuseCount }),
    });
    expect(await device.run(saleBy(["cash", 5]))).toMatchObject({ outcome: "printed" });
    const session = await device.connect();
    const data = async (type: CommandType, payload: object = {}) => {
      const command = { id: "cmd_2", type, payload, original: undefined };
      return (await session.execute(command, new RecordedProgress())).data;
    };
    const untold = { cashBalance: null, cashIn: null, cashOut: null };
    expect(await data("cash_in", { amount: 3 })).toMatchObject(untold);
    expect(await data("get_cash_amount").catch((error) => error)).toMatchObject({ code: "E201" });
    const report = { receiptCount: null, totals: { gross: null, reversals: null, ...untold } };
    const x = { ...report, vat: null, payments: null, reportNumber: null };
    expect(await data("x_report")).toMatchObject(x);
    expect(await data("z_report")).toMatchObject({ ...report, reportNumber: 1 });
    session.close();
  },
);

test.each([
  ["only behind the break", (read: number) => read <= 2],
  ["only before it", (read: number) => read > 2],
])("an open receipt is put away where what was cancelled is told %s", async (_, isRefused) => {
  let reads = 0;
  const refuseCount = (register: number) => {
    if (register !== CANCELLED) return undefined;
    reads += 1;
    return isRefused(reads) ? NO_SUCH_COMMAND : undefined;
  };
  const tampering = { refuse: () => undefined, refuseCount };
  expect(await sellWithLostAnswer(tampering, "drop_before")).toEqual({
    ...{ outcome: "not_printed", recovered: true, receipts: 0 },
  });
  expect(device.books().openDocument).toBeNull();
});
