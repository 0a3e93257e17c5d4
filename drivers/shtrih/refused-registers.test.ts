/** Which registers are read for a document, and what of one that a model lacks or refuses for once. */

import { afterEach, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { Line } from "#core/driver.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { ACK, encodeFrame, FrameDecoder, NAK, STX } from "./frame.ts";

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
/** Length, code and password stand before it. */
const CODE_AT = 2;
const REGISTER_AT = 7;

let device: SimulatedDevice;
afterEach(() => device.stop());

interface Tampering {
  /** The error byte with which a register of money is refused; undefined where it is told. */
  readonly refuse: (register: number) => number | undefined;
  /** The same of one of counts. */
  readonly refuseCount?: (register: number) => number | undefined;
  readonly registers?: number[];
}

/** Refuses registers, with the line standard frames are on. */
function refusing({ refuse, refuseCount = () => undefined, registers = [] }: Tampering) {
  return (line: Line): Line => {
    let errorByte: number | undefined;
    let code = 0;
    const answers = new FrameDecoder();
    return {
      write(bytes) {
        if (bytes[0] === STX) {
          code = bytes[CODE_AT] ?? 0;
          const register = bytes[REGISTER_AT] ?? 0;
          errorByte = code === COUNT_REGISTER ? refuseCount(register) : undefined;
          if (code === MONEY_REGISTER) errorByte = refuse(register);
          if (code === MONEY_REGISTER) registers.push(register);
        }
        line.write(bytes);
      },
      close: () => line.close(),
      listen: (listener) =>
        line.listen({
          closed: (error) => listener.closed(error),
          data(chunk) {
            if (errorByte === undefined) return listener.data(chunk);
            for (const token of answers.push(chunk)) {
              if (token.kind === "ack") listener.data(Uint8Array.of(ACK));
              if (token.kind === "nak") listener.data(Uint8Array.of(NAK));
              if (token.kind !== "frame") continue;
              listener.data(encodeFrame(Uint8Array.of(code, errorByte)));
            }
          },
        }),
    };
  };
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
  const over = refusing(tampering);
  device = await SimulatedDevice.start({
    ...PLACEMENT,
    over: (line) => {
      const told = over(line);
      return {
        ...told,
        write(bytes) {
          if (bytes[0] === STX && bytes[CODE_AT] === CLOSE && losesNext) {
            losesNext = false;
            void device.fault({ kind: lost, at: 1 });
          }
          told.write(bytes);
        },
      };
    },
  });
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
