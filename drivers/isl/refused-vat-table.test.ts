/** Devices that refuse to tell of their VAT table in other words than "no such command". */

import { afterEach, describe, expect, test } from "bun:test";
import { FiscalError } from "#core/errors.ts";
import { EVERY_MODEL } from "../testing/every-model.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import type { ReplyFrame } from "./frame.ts";
import { changedReplies } from "./testing/changed-replies.ts";

const VAT_SETUP = 83;
const RATES = 97;
/** Bits 0.5 and 0.0: a general error, for a syntax that is not understood. */
const SYNTAX_ERROR = 0x21;
/** Bits 1.1 and 0.5: not permitted now. */
const NOT_PERMITTED = 0x02;
const GENERAL_ERROR = 0x20;
/** Bit 2.3. */
const RECEIPT_OPEN = 0x08;

let device: SimulatedDevice;
afterEach(() => device.stop());

function withBits(status: Uint8Array, bits: readonly (readonly [byte: number, bit: number])[]) {
  const refused = status.slice();
  for (const [at, bit] of bits) refused[at] = (refused[at] ?? 0) | bit;
  return refused;
}

/**
 * Starts a device whose answers come as refusals.
 * @param refuse the status bytes of a refusal; undefined for what is answered
 * @returns the commands that are sent
 */
async function startRefusing(model: string, refuse: (told: ReplyFrame) => Uint8Array | undefined) {
  const kind = EVERY_MODEL.find((found) => found.model === model);
  if (!kind) throw new RangeError(model);
  const asked: number[] = [];
  const over = changedReplies({
    generation: "short",
    sent: ({ command }) => asked.push(command),
    change(reply) {
      const status = refuse(reply);
      return status ? { ...reply, data: new Uint8Array(0), status } : reply;
    },
  });
  device = await SimulatedDevice.start({ ...kind, over });
  return asked;
}

/** Sells for each group on one line. @returns what is told of each, and how often the table was asked for */
async function sell(groups: readonly string[], asked: number[]) {
  const session = await device.connect();
  const told: (string | number)[][] = [];
  for (const vatGroup of groups) {
    asked.length = 0;
    const payload = {
      uniqueSaleNumber: "DT577430-0001-0000001",
      items: [{ name: "Tea", quantity: 1, price: 5, vatGroup }],
      payments: [{ method: "cash", amount: 5 }],
    };
    const command = { id: "cmd_1", type: "print_receipt", payload, original: undefined } as const;
    const end = await session.execute(command, new RecordedProgress()).then(
      () => "printed",
      (error: unknown) => (error instanceof FiscalError ? error.code : String(error)),
    );
    told.push([end, asked.filter((number) => number === VAT_SETUP || number === RATES).length]);
  }
  session.close();
  return told;
}

describe.each(["p", "c", "ro-legacy", "ed"])("model %s that refuses the switches", (model) => {
  test("sells what is exempt by its rates, and is not asked before each other sale", async () => {
    const asked = await startRefusing(model, ({ command, status }) =>
      command === VAT_SETUP ? withBits(status, [[0, SYNTAX_ERROR]]) : undefined,
    );
    expect(await sell(["VAT2", "VAT2", "exempt"], asked)).toEqual([
      ["printed", 2],
      ["printed", 0],
      ["printed", 2],
    ]);
  });
});

test("a device that refuses its rates has no group for what is exempt, and is not asked each time", async () => {
  const asked = await startRefusing("dy", ({ command, status }) =>
    command === RATES ? withBits(status, [[0, SYNTAX_ERROR]]) : undefined,
  );
  expect(await sell(["VAT2", "VAT2", "exempt"], asked)).toEqual([
    ["printed", 1],
    ["printed", 0],
    ["E403", 2],
  ]);
});

test("what is refused while a receipt stands open is asked once that is put away", async () => {
  const asked = await startRefusing("p", ({ command, status }) => {
    const isOpen = ((status[2] ?? 0) & RECEIPT_OPEN) !== 0;
    if (!isOpen || (command !== RATES && command !== VAT_SETUP)) return undefined;
    return withBits(status, [
      [0, GENERAL_ERROR],
      [1, NOT_PERMITTED],
    ]);
  });
  await device.fault({ kind: "other_hands", deed: "open", amountMinor: 500, at: 1 });
  expect(await sell(["VAT2", "exempt"], asked)).toEqual([
    ["printed", 1],
    ["printed", 2],
  ]);
});
