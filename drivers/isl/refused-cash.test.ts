/** Devices that refuse to tell of the cash while something stands open on them. */

import { afterEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { DriverSession } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { EVERY_MODEL } from "../testing/every-model.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { changedReplies } from "./testing/changed-replies.ts";

const CASH = 70;
const OPEN_SLIP = 38;
/** Bits 2.3 and 2.5: a receipt or a slip is open. */
const ANYTHING_OPEN = 0x28;

let device: SimulatedDevice;
let session: DriverSession;
afterEach(async () => {
  session.close();
  await device.stop();
});

/** How each says that it does not. */
const MODELS = [
  { model: "p", generation: "short", refusal: "F" },
  { model: "dy", generation: "short", refusal: "F" },
  { model: "in", generation: "short", refusal: "F" },
  { model: "x", generation: "long", refusal: "-111046\t" },
] as const;

async function start({ model, generation, refusal }: (typeof MODELS)[number]): Promise<void> {
  const kind = EVERY_MODEL.find((found) => found.model === model);
  if (!kind) throw new RangeError(model);
  const over = changedReplies({
    generation,
    change(reply) {
      const isOpen = ((reply.status[2] ?? 0) & ANYTHING_OPEN) !== 0;
      return reply.command === CASH && isOpen ? { ...reply, data: Buffer.from(refusal) } : reply;
    },
  });
  device = await SimulatedDevice.start({ ...kind, over });
  session = await device.connect();
}

/** What it fails with; undefined when it is carried out. */
async function refused(type: CommandType, payload: unknown = {}): Promise<string | undefined> {
  const command = { id: "cmd_1", type, payload, original: undefined };
  try {
    await session.execute(command, new RecordedProgress());
  } catch (error) {
    if (error instanceof FiscalError) return error.code;
    throw error;
  }
  return undefined;
}

describe.each(MODELS)("a device of $model that refuses it", (kind) => {
  test("has a slip that broke off closed, and moves cash", async () => {
    await start(kind);
    for (const type of ["cash_in", "cash_out"] as const) {
      expect(await refused("raw_command", { command: OPEN_SLIP, data: "" })).toBeUndefined();
      expect(await refused("get_cash_amount")).toBe("E301");
      expect(await refused(type, { amount: 1 })).toBeUndefined();
      expect(device.books().openDocument).toBeNull();
    }
    expect(device.books().cash).toBe(0);
  });

  test("has a receipt left to whoever rings it up", async () => {
    await start(kind);
    await device.fault({ kind: "other_hands", deed: "open", amountMinor: 500 });
    expect(await refused("get_status")).toBeUndefined();
    const { openDocument } = device.books();
    expect(openDocument).not.toBeNull();
    expect([await refused("cash_in", { amount: 1 }), await refused("get_cash_amount")]).toEqual([
      ...["E301", "E301"],
    ]);
    expect(device.books()).toMatchObject({ openDocument, cash: 0 });
  });
});
