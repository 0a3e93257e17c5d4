/** Which registers are read for a document, and what of one that a model lacks or refuses for once. */

import { afterEach, expect, test } from "bun:test";
import type { Line } from "#core/driver.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { ACK, encodeFrame, FrameDecoder, NAK, STX } from "./frame.ts";

const MONEY_REGISTER = 0x1a;
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
  /** The error byte with which a register is refused; undefined where it is told. */
  readonly refuse: (register: number) => number | undefined;
  readonly registers?: number[];
}

/** Refuses registers, with the line standard frames are on. */
function refusing({ refuse, registers = [] }: Tampering) {
  return (line: Line): Line => {
    let errorByte: number | undefined;
    const answers = new FrameDecoder();
    return {
      write(bytes) {
        if (bytes[0] === STX) {
          const register = bytes[CODE_AT] === MONEY_REGISTER ? bytes[REGISTER_AT] : undefined;
          errorByte = register === undefined ? undefined : refuse(register);
          if (register !== undefined) registers.push(register);
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
              listener.data(encodeFrame(Uint8Array.of(MONEY_REGISTER, errorByte)));
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

/** Sells, and loses the answer to the closing frame. */
async function sellWithLostAnswer(tampering: Tampering) {
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
            void device.fault({ kind: "drop_after", at: 1 });
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
