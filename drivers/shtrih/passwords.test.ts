/** Passwords of operators that are not as the maker has set them. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import { sampleSale } from "../testing/sample-documents.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";

const PASSWORD = "4711";
const SALE = sampleSale({ vatGroups: ["VAT2", "exempt"], hasDiscount: false });
const SOLD = { ...(SALE.payload as object), operatorId: 1, operatorPassword: PASSWORD };
/** 1Eh by the system administrator: table 2, row 30, field 1. */
const CHANGED_ADMINISTRATOR = {
  command: 0x1e,
  dataHex: "1e000000" + "02" + "1e00" + "01" + "e7030000",
};

describe.each(["fr-k", "light"])("on model %s, with operator 1's password changed", (model) => {
  let device: SimulatedDevice;
  beforeEach(async () => {
    device = await SimulatedDevice.start({
      ...{ driver: "vendorF.shtrih", model, timezone: "Europe/Moscow" },
    });
    const payload = { operatorId: 1, name: "Ivan", password: PASSWORD };
    expect((await device.run({ type: "set_operator", payload })).error).toBeUndefined();
  });
  afterEach(() => device.stop());

  test.each<[CommandType, unknown]>([
    ["get_status", {}],
    ["cash_in", { amount: 5 }],
    ["print_receipt", SOLD],
    ["non_fiscal_receipt", { lines: ["Заказ"] }],
    ["x_report", {}],
    ["set_operator", { operatorId: 1, name: "Ivan", password: "1" }],
  ])("carries out %s", async (type, payload) => {
    expect((await device.run({ type, payload })).error).toBeUndefined();
  });

  test("prints nothing in the name of an operator whose password it was not told", async () => {
    const { outcome, error } = await device.run(SALE);
    expect({ outcome, code: error?.code, message: error?.message }).toMatchObject({
      outcome: "not_printed",
      code: "E305",
      message: "The operator's password is wrong",
    });
  });

  test("finds out a receipt in doubt", async () => {
    const begun = () => device.fault({ kind: "drop_after", at: 13 });
    const { outcome, recovered } = await device.run({ ...SALE, payload: SOLD, begun });
    expect({ outcome, recovered }).toEqual({ outcome: "printed", recovered: true });
  });

  test("needs the administrator's for no receipt, where that was changed alone", async () => {
    const back = { operatorId: 1, name: "Ivan", password: "1" };
    for (const [type, payload] of [
      ["set_operator", back],
      ["raw_command", CHANGED_ADMINISTRATOR],
    ] as const) {
      expect((await device.run({ type, payload })).error).toBeUndefined();
    }
    expect((await device.run(SALE)).outcome).toBe("printed");
    expect((await device.run({ type: "x_report" })).error?.code).toBe("E305");
  });
});
