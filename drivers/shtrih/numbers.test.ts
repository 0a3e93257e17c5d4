/** Numbers of documents and receipts that begin anew behind 9999. */

import { expect, test } from "bun:test";
import { sampleSale } from "../testing/sample-documents.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { changedFrames } from "./testing/changed-frames.ts";

const SALE = sampleSale({ vatGroups: ["VAT2", "exempt"], hasDiscount: false });
const LAST = 9_999;
const SALES_REGISTER = 148;

/** Two bytes of an answer, as if the device had printed so many before. */
function shifted(answer: Uint8Array, at: number, next: (number: number) => number): Uint8Array {
  const changed = answer.slice();
  const view = new DataView(changed.buffer);
  view.setUint16(at, next(view.getUint16(at, true)), true);
  return changed;
}

/** A device whose first receipt is the last one before the numbers begin anew. @param first behind it */
function almostRound(first: number) {
  const next = (number: number) => {
    const sum = number + LAST - 1;
    return sum <= LAST ? sum : sum - LAST - 1 + first;
  };
  return changedFrames({
    hear(answer, to) {
      if (answer[1] !== 0) return answer;
      if (to[0] === 0x11) return shifted(answer, 11, next);
      if (to[0] === 0x1b && to[5] === SALES_REGISTER) return shifted(answer, 3, next);
      return answer;
    },
  });
}

test.each([0, 1])(
  "a receipt behind the last number has number %d, as the device tells it",
  async (first) => {
    const device = await SimulatedDevice.start({
      ...{ driver: "vendorF.shtrih", model: "fr-k", timezone: "Europe/Moscow" },
      over: almostRound(first),
    });
    const numbers: unknown[] = [];
    for (let sold = 0; sold < 3; sold += 1) {
      const { success } = await device.run(SALE);
      numbers.push([success?.fiscalId, success?.data.receiptNumber]);
    }
    await device.stop();
    const expected = [LAST, first, first + 1].map(String);
    expect(numbers).toEqual(expected.map((number) => [number, number]));
  },
);

test("a receipt behind the last number that is found out has its number", async () => {
  const device = await SimulatedDevice.start({
    ...{ driver: "vendorF.shtrih", model: "fr-k", timezone: "Europe/Moscow" },
    over: almostRound(0),
  });
  await device.run(SALE);
  const begun = () => device.fault({ kind: "drop_after", at: 13 });
  const { success, recovered } = await device.run({ ...SALE, begun });
  await device.stop();
  expect(recovered).toBe(true);
  expect(success).toMatchObject({ fiscalId: "0", data: { receiptNumber: "0" } });
});
