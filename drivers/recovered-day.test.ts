/** A receipt that is recovered behind a Z report by other hands belongs to the day before that. */

import { expect, test } from "bun:test";
import { smallSale } from "./testing/contract-payloads.ts";
import { EVERY_MODEL, isMute } from "./testing/every-model.ts";
import { RecordedProgress } from "./testing/fake-environment.ts";
import { SimulatedDevice } from "./testing/simulated-device.ts";

const KINDS = EVERY_MODEL.filter((kind) => !isMute(kind)).map(
  (kind) => [`${kind.driver}, ${kind.model}`, kind] as const,
);

test.concurrent.each(KINDS)("on a device of %s", async (_title, kind) => {
  const device = await SimulatedDevice.start(kind);
  try {
    const sale = { id: "cmd_1", type: "print_receipt", payload: smallSale({}) } as const;
    const command = { ...sale, original: undefined };
    const progress = new RecordedProgress();
    const ours = await device.connect();
    await ours.execute(command, progress);
    ours.close();
    const theirs = await device.connect();
    await theirs.execute({ ...command, type: "z_report", payload: {} }, new RecordedProgress());
    await theirs.execute(command, new RecordedProgress());
    theirs.close();
    const again = await device.connect();
    const evidence = { mark: "committed", baseline: progress.baseline ?? {} } as const;
    const resolution = await again.resolve(command, evidence);
    again.close();
    const [receipt] = device.books().receipts;
    const zReportNumber = String(receipt?.zNumber);
    expect(resolution).toMatchObject({ outcome: "printed", success: { data: { zReportNumber } } });
  } finally {
    await device.stop();
  }
});
