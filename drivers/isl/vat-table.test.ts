/** What is written of a VAT table besides the rates that were asked for, and what is refused before. */

import { afterEach, describe, expect, test } from "bun:test";
import type { DriverId } from "#core/driver-id.ts";
import { FiscalError } from "#core/errors.ts";
import { findDriver } from "../registry.ts";
import { decodeText, encodeText } from "../shared/codepage.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { changedReplies } from "./testing/changed-replies.ts";

const VAT_SETUP = 83;
const RATES = 97;
const CODE_PAGE = "windows-1251";

let device: SimulatedDevice;
afterEach(() => device.stop());

/** What a device is heard to answer to a command in place of this. */
type Change = (command: number, text: string) => string;

async function setRates(
  model: "p" | "x",
  rates: readonly unknown[],
  change: Change = (_, text) => text,
) {
  const id: DriverId = "vendorA.isl";
  device = await SimulatedDevice.start({ driver: id, model, timezone: "Europe/Sofia" });
  const driver = findDriver(id);
  if (!driver) throw new RangeError(id);
  const sent: string[] = [];
  const over = changedReplies({
    generation: model === "x" ? "long" : "short",
    sent(request) {
      const text = decodeText(request.data, CODE_PAGE);
      if (request.command === VAT_SETUP && text !== "") sent.push(text);
    },
    change(reply) {
      const text = change(reply.command, decodeText(reply.data, CODE_PAGE));
      return { ...reply, data: encodeText(text, CODE_PAGE) };
    },
  });
  const line = over(await device.openLine());
  const session = await device.time.run(driver.connect(line, device.environment()));
  const progress = new RecordedProgress();
  const command = {
    id: "cmd_1",
    type: "set_vat_rates",
    payload: { rates },
    original: undefined,
  } as const;
  const error = await device.time.run(
    session.execute(command, progress).then(
      () => undefined,
      (failure: unknown) => failure,
    ),
  );
  session.close();
  const told = error instanceof FiscalError ? error.code : error;
  return { told, sent, marks: progress.marks };
}

/** What stands in the place of the currency, the third field of the setup. */
function calling(currency: string): Change {
  return (command, text) =>
    command === VAT_SETUP && text !== "" ? text.split(",").with(2, currency).join(",") : text;
}

describe("a VAT table that is written", () => {
  const rates = [{ group: "VAT3", rate: 15, enabled: true }];
  test.each([" лв", "лв ", "", " "])(
    "leaves the currency %j as the device tells it",
    async (name) => {
      expect(await setRates("p", rates, calling(name))).toEqual({
        told: undefined,
        sent: [`0,2,${name},11110000,0.00,20.00,15.00,9.00,0.00,0.00,0.00,0.00`],
        marks: ["committing"],
      });
    },
  );

  test.each([
    ["that is told", "VAT3"],
    ["that is not told", "VAT7"],
  ])(
    "is refused before anything is sent where only five groups are told: one %s",
    async (...[, group]) => {
      const five = (command: number, text: string) =>
        command === RATES ? text.split(",").slice(0, 5).join(",") : text;
      expect(await setRates("p", [{ group, rate: 15, enabled: true }], five)).toEqual({
        told: "E403",
        sent: [],
        marks: [],
      });
    },
  );

  test("is refused before anything is sent where the device tells nothing else of it", async () => {
    const nothing = (command: number, text: string) => (command === VAT_SETUP ? "" : text);
    expect(await setRates("p", rates, nothing)).toEqual({ told: "E305", sent: [], marks: [] });
  });

  test("is refused where a rate that is to be on is the one that means off", async () => {
    expect(await setRates("x", [{ group: "VAT3", rate: 100, enabled: true }])).toEqual({
      told: "E400",
      sent: [],
      marks: [],
    });
  });
});
