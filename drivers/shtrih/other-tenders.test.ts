/** A receipt of ours that breaks off before its end, and that other hands finish in their tenders. */

import { afterEach, expect, test } from "bun:test";
import { DocumentInDoubt } from "#core/errors.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { changedFrames } from "./testing/changed-frames.ts";

const ITEM = 0x80;
const CLOSE = 0x85;
/** In the closing frame, behind the password: four amounts of five bytes. */
const AMOUNTS_AT = 4;
const AMOUNT_BYTES = 5;
const CARD = "card";
const CASH = "cash";

let device: SimulatedDevice;
afterEach(() => device.stop());

/** Frames as they were sent, by code, each from its password on. */
type Sent = Map<number, Buffer<ArrayBuffer>>;

/** Starts a device whose line breaks before the next closing frame once `breaks.next` is set. */
async function startBreaking(sent: Sent, breaks: { next: boolean }): Promise<void> {
  const over = changedFrames({
    send(command) {
      const [code = 0, ...fields] = command;
      sent.set(code, Buffer.from(fields));
      if (code === CLOSE && breaks.next) {
        breaks.next = false;
        void device.fault({ kind: "drop_before", at: 1 });
      }
      return command;
    },
  });
  const placement = { driver: "vendorF.shtrih", model: "fr-k" } as const;
  device = await SimulatedDevice.start({ ...placement, timezone: "Europe/Moscow", over });
}

function saleBy(...payments: readonly (readonly [method: string, amount: number])[]) {
  return {
    id: "cmd_1",
    type: "print_receipt",
    payload: {
      items: [{ name: "Tea", quantity: 1, price: 5, vatGroup: "VAT2" }],
      payments: payments.map(([method, amount]) => ({ method, amount })),
    },
    original: undefined,
  } as const;
}

/** What others do to our open receipt: lines like ours that they add, amounts by tender 1 to 4. */
interface OtherHands {
  readonly lines: number;
  readonly amounts: readonly number[];
}

async function finishAs({ lines, amounts }: OtherHands, sent: Sent): Promise<void> {
  const session = await device.connect();
  const send = (command: number, data = Buffer.alloc(0)) =>
    session.execute(
      {
        id: "cmd_2",
        type: "raw_command",
        payload: { command, dataHex: data.toString("hex") },
        original: undefined,
      },
      new RecordedProgress(),
    );
  for (let line = 0; line < lines; line += 1) await send(ITEM, sent.get(ITEM));
  const closing = Buffer.from(sent.get(CLOSE) ?? []);
  for (const [index, amount] of amounts.entries()) {
    closing.writeUIntLE(amount, AMOUNTS_AT + AMOUNT_BYTES * index, AMOUNT_BYTES);
  }
  await send(CLOSE, closing);
  session.close();
}

test.each([
  ["by card, with a line more in cash", [[CARD, 5]], { lines: 1, amounts: [500, 0, 0, 500] }],
  ["in cash, with a line more by card", [[CASH, 5]], { lines: 1, amounts: [500, 0, 0, 500] }],
  ["by card, all in cash", [[CARD, 5]], { lines: 0, amounts: [500, 0, 0, 0] }],
  [
    "in two tenders, all in cash",
    [
      [CASH, 2],
      [CARD, 3],
    ],
    { lines: 0, amounts: [500, 0, 0, 0] },
  ],
] as const)("a sale %s, is not told as it was sent", async (_title, payments, hands) => {
  const sent: Sent = new Map();
  const breaks = { next: false };
  await startBreaking(sent, breaks);
  const command = saleBy(...payments);
  const first = await device.connect();
  await first.execute(command, new RecordedProgress());
  breaks.next = true;
  const progress = new RecordedProgress();
  const doubt = await first.execute(command, progress).catch((error: unknown) => error);
  first.close();
  expect(doubt).toBeInstanceOf(DocumentInDoubt);
  await finishAs(hands, sent);
  const session = await device.connect();
  const resolution = await session.resolve(command, progress.evidence(), (learned) =>
    progress.keep(learned),
  );
  session.close();
  expect(device.books().receipts.map(({ total }) => total)).toEqual([500, 500 * (1 + hands.lines)]);
  expect(resolution).toMatchObject({ outcome: "unknown", doubt: { code: "other_sums" } });
});
