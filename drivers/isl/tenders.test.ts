/** What tenders are booked as, on the devices whose letters depend on their firmware. */

import { describe, expect, test } from "bun:test";
import { SimulatedDevice } from "../testing/simulated-device.ts";

describe("a card payment", () => {
  test.each(["c", "c-fw3"])("is not booked as cash on a device of model %s", async (model) => {
    const device = await SimulatedDevice.start({
      driver: "vendorA.isl",
      model,
      timezone: "Europe/Sofia",
    });
    const told = await device.run({
      type: "print_receipt",
      payload: {
        uniqueSaleNumber: "DT577430-0001-0000001",
        items: [{ name: "Coffee", quantity: 1, price: 3, vatGroup: "VAT2" }],
        payments: [{ method: "card", amount: 3 }],
      },
    });
    expect(told.error).toBeUndefined();
    const [receipt] = device.books().receipts;
    expect(receipt?.payments).toMatchObject([{ method: "credit", amount: 300 }]);
    await device.stop();
  });
});
