/** Others work at the device between our last look at it and the frame that we send by it. */

import { expect, test } from "bun:test";
import { DocumentInDoubt } from "#core/errors.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { sampleSale } from "../testing/sample-documents.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";

const SALE = sampleSale({ vatGroups: ["VAT2", "VAT2"], hasDiscount: false });
const COMMAND = { id: "cmd_1", type: SALE.type, payload: SALE.payload, original: undefined };
const DEVICE = { driver: "custom.serial", timezone: "Europe/Rome" } as const;
const THEIRS = { kind: "other_hands", when: "before", amountMinor: 777 } as const;

/** Of those that register a line: `opened` is stored by then, and no payment. */
const LINE_FRAME = 9;
/** Frames of finding it out: behind connecting, and a few more than it takes. */
const [FINDING_OUT, FINDING_OUT_MAX] = [13, 22];

test("a sale that others finish right before it is cancelled is not told as not printed by a number", async () => {
  const told = new Set<string>();
  for (let at = FINDING_OUT; at <= FINDING_OUT_MAX; at += 1) {
    const device = await SimulatedDevice.start({ ...DEVICE, model: "gen2" });
    expect((await device.run(SALE)).outcome).toBe("printed");
    const progress = new RecordedProgress();
    const session = await device.connect();
    await device.fault({ kind: "drop_after", at: LINE_FRAME });
    const lost = await session.execute(COMMAND, progress).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(DocumentInDoubt);
    session.close();
    await device.clear();
    for (const deed of ["pay", "open"]) await device.fault({ ...THEIRS, deed, at });
    const { outcome } = await device.resume({ ...SALE, progress });
    const { receipts } = device.books(1);
    told.add(`${outcome}, ${receipts.length} on paper`);
    await device.stop();
  }
  expect([...told].sort()).toEqual(["not_printed, 0 on paper", "unknown, 1 on paper"]);
});
