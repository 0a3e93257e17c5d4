/** Setting the clock, whose date has to be confirmed by a command of its own. */

import { expect, test } from "bun:test";
import { sampleSale } from "../testing/sample-documents.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";

const MODELS = ["fr-k", "light", "mobile"];
const SALE = sampleSale({ vatGroups: ["VAT2", "exempt"], hasDiscount: false });
/** More frames than it takes. */
const FRAMES_MAX = 8;

test.each(MODELS)(
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

/** A midnight in Moscow. */
const MIDNIGHT = Date.UTC(2026, 0, 15, 21);
const SECOND_MS = 1_000;
const DAY_MS = 24 * 3_600_000;

test.each(MODELS)(
  "on model %s the clock shows the day it is set to, though midnight comes at any frame",
  async (model) => {
    const device = await SimulatedDevice.start({
      ...{ driver: "vendorF.shtrih", model, timezone: "Europe/Moscow" },
    });
    const set = (instant: number, begun = async () => undefined as unknown) => {
      const payload = { datetime: new Date(instant).toISOString() };
      return device.run({ type: "set_datetime", payload, begun: async () => void (await begun()) });
    };
    for (let at = 1; at <= FRAMES_MAX; at += 1) {
      for (const [day, second] of [0, -1].entries()) {
        const midnight = MIDNIGHT + (2 * at + day) * DAY_MS;
        await set(midnight - SECOND_MS);
        const asked = midnight + second * SECOND_MS;
        const begun = () => device.fault({ kind: "delay", ms: 1_500, at });
        const { success, error } = await set(asked, begun);
        await device.clear();
        const shown = Date.parse(`${device.state().clock.time}+03:00`);
        const isNear = Math.abs(shown - asked) < 5 * SECOND_MS;
        const dateTime = new Date(asked).toISOString();
        expect({ at, second, error, isNear, data: success?.data }).toEqual({
          ...{ at, second, error: undefined, isNear: true, data: { dateTime } },
        });
      }
    }
    await device.stop();
  },
);
