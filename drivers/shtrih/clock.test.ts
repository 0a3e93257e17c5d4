/** Setting the clock, whose date has to be confirmed by a command of its own. */

import { expect, test } from "bun:test";
import { sampleSale } from "../testing/sample-documents.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";

const SALE = sampleSale({ vatGroups: ["VAT2", "exempt"], hasDiscount: false });
/** More frames than it takes. */
const FRAMES_MAX = 8;

test.each(["fr-k", "light", "mobile"])(
  "on model %s a setting of the clock that broke off is put right by the next one",
  async (model) => {
    const device = await SimulatedDevice.start({
      ...{ driver: "vendorF.shtrih", model, timezone: "Europe/Moscow" },
    });
    for (let at = 1; at <= FRAMES_MAX; at += 1) {
      await device.run({ type: "z_report" });
      for (const kind of ["drop_before", "drop_after"]) {
        const begun = () => device.fault({ kind, at });
        await device.run({ type: "set_datetime", begun }).catch(() => undefined);
        await device.clear();
        const { error } = await device.run({ type: "set_datetime" });
        expect({ at, kind, error }).toEqual({ at, kind, error: undefined });
      }
      expect((await device.run(SALE)).outcome).toBe("printed");
    }
    await device.stop();
  },
);
