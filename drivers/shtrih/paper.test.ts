/**
 * Paper that runs out while a document prints: the printer keeps the rest, and goes on with it only
 * when it is told to.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { DriverSession } from "#core/driver.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { sampleSale } from "../testing/sample-documents.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { changedFrames } from "./testing/changed-frames.ts";

const SALE = sampleSale({ vatGroups: ["VAT2", "exempt"], hasDiscount: false });
const COMMAND = { id: "cmd_1", type: SALE.type, payload: SALE.payload, original: undefined };
/** Where the submode stands in what a status is made of. */
const SUBMODE_AT = 14;
const NOTHING_WAITS = 0;

async function submodeShownBy(session: DriverSession): Promise<number | undefined> {
  const { rawHex } = await session.readStatus();
  return Buffer.from(rawHex, "hex")[SUBMODE_AT];
}

describe.each(["fr-k", "light", "mobile"])("a roll that ends on model %s", (model) => {
  let device: SimulatedDevice;
  let session: DriverSession;
  beforeEach(async () => {
    const placement = { driver: "vendorF.shtrih", model, timezone: "Europe/Moscow" } as const;
    device = await SimulatedDevice.start(placement);
    session = await device.connect();
  });
  afterEach(async () => {
    session.close();
    await device.stop();
  });

  test("in the middle of a document leaves none of it in the printer once paper is loaded", async () => {
    const before = device.books().frames;
    await session.execute(COMMAND, new RecordedProgress());
    const frames = device.books().frames - before;
    for (let at = 1; at <= frames; at += 1) {
      const progress = new RecordedProgress();
      progress.whenPaused = () => device.clear();
      await device.fault({ kind: "paper_out", mode: "registered", at });
      await session.execute(COMMAND, progress).catch(() => undefined);
      await device.clear();
      expect({ at, submode: await submodeShownBy(session) }).toEqual({
        at,
        submode: NOTHING_WAITS,
      });
    }
  });

  test("behind a closed document keeps nobody waiting, and is told as missing", async () => {
    const before = device.books().frames;
    await session.execute(COMMAND, new RecordedProgress());
    const closing = device.books().frames - before - 1;
    const progress = new RecordedProgress();
    await device.fault({ kind: "paper_out", mode: "registered", at: closing });
    const { fiscalId, status } = await session.execute(COMMAND, progress);
    expect({ isTold: fiscalId !== undefined, paper: status?.paper }).toEqual({
      isTold: true,
      paper: "out",
    });
    expect(progress.pauses).toEqual([]);
    await device.clear();
    await session.readStatus();
    expect(await submodeShownBy(session)).toBe(NOTHING_WAITS);
  });

  test("is printed on by the next look at the printer, when it ends behind the last frame", async () => {
    await session.execute(COMMAND, new RecordedProgress());
    await device.fault({ kind: "paper_out", mode: "registered" });
    expect(await session.readStatus()).toMatchObject({ paper: "out" });
    await device.clear();
    await session.readStatus();
    expect(await submodeShownBy(session)).toBe(NOTHING_WAITS);
  });
});

/** FCh, which any device answers and which changes nothing. */
const DEVICE_TYPE = 0xfc;

describe.each([
  ["of the receipt, that is there again when it is asked", 0x6b],
  ["of the journal, which no flag of it tells", 0x6c],
])("paper %s", (_, errorByte) => {
  test.each([
    ["a line", 0x80],
    ["the closing", 0x85],
  ])("is waited for at %s", async (__, code) => {
    let left = 2;
    const over = changedFrames({
      send: (body) => (body[0] === code && left > 0 ? Uint8Array.of(DEVICE_TYPE) : body),
      hear: (answer, to) => {
        if (to[0] !== code || left === 0) return answer;
        left -= 1;
        return Uint8Array.of(code, errorByte);
      },
    });
    const placement = {
      driver: "vendorF.shtrih",
      model: "fr-k",
      timezone: "Europe/Moscow",
    } as const;
    const device = await SimulatedDevice.start({ ...placement, over });
    const progress = new RecordedProgress();
    const { outcome } = await device.run({ ...SALE, progress });
    await device.stop();
    expect({ outcome, left }).toEqual({ outcome: "printed", left: 0 });
    expect(progress.pauses).toEqual(["paper_out", undefined, "paper_out", undefined]);
  });
});
