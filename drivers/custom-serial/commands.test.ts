/** What is the driver's own in the results of its commands. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";

const SALE = {
  items: [{ name: "Coffee", quantity: 1, price: 1.5, vatGroup: "VAT1" }],
  payments: [{ method: "cash", amount: 1.5 }],
};

/** The frame of a sale, but for the first of a day. */
const FIRST_LINE = 8;

let device: SimulatedDevice;
beforeEach(async () => {
  device = await SimulatedDevice.start({
    ...{ driver: "custom.serial", model: "gen3", timezone: "Europe/Rome" },
  });
});
afterEach(() => device.stop());

const run = (type: CommandType, payload: unknown = {}) => device.run({ type, payload });

test("a document is known by the day's number and its own within that day", async () => {
  const ids: unknown[] = [];
  for (const type of ["print_receipt", "print_receipt", "z_report", "print_receipt"] as const) {
    const { success } = await run(type, type === "print_receipt" ? SALE : {});
    ids.push(success?.fiscalId);
  }
  expect(ids).toEqual(["0001-0001", "0001-0002", undefined, "0002-0001"]);
});

test("a raw command has four digits", async () => {
  // 1016 is the question for the last error.
  expect((await run("raw_command", { command: 1016 })).success).toMatchObject({
    data: { data: expect.any(String), dataHex: expect.any(String) },
  });
  expect((await run("raw_command", { command: 9999 })).error?.code).not.toBe("E400");
  for (const command of [-1, 10_000, 1.5]) {
    expect([command, (await run("raw_command", { command })).error?.code]).toEqual([
      command,
      "E400",
    ]);
  }
});

test("the last receipt has no amount where it was cancelled", async () => {
  expect((await run("print_receipt", SALE)).outcome).toBe("printed");
  const told = { receiptNumber: "1", receiptAmount: 1.5 };
  expect((await run("get_last_receipt_info")).success?.data).toMatchObject({ lastReceipt: told });
  // The line is lost behind the first line of the receipt, which the driver then cancels.
  const begun = () => device.fault({ kind: "drop_after", at: FIRST_LINE });
  const lost = await device.run({ type: "print_receipt", payload: SALE, begun });
  expect(lost.outcome).toBe("not_printed");
  const cancelled = { receiptNumber: "2", receiptAmount: null };
  expect((await run("get_last_receipt_info")).success?.data).toMatchObject({
    lastReceipt: cancelled,
  });
});

test("the last receipt has no time behind a slip, of which alone the device tells one", async () => {
  await run("print_receipt", SALE);
  const told = async () => (await run("get_last_receipt_info")).success?.data?.lastReceipt;
  expect(await told()).toMatchObject({
    ...{ receiptNumber: "1", receiptDateTime: expect.any(String), receiptAmount: 1.5 },
  });
  await run("non_fiscal_receipt", { lines: ["See you"] });
  expect(await told()).toMatchObject({
    ...{ receiptNumber: "1", receiptDateTime: null, receiptAmount: null },
  });
});

test("the heading of a slip stands in the middle of the paper", async () => {
  await run("non_fiscal_receipt", { header: "Opening hours", lines: ["-".repeat(32)] });
  const picture = await device.picture(1);
  const middleOf = (text: string): number => {
    const [, x, length] =
      new RegExp(`x="(\\d+)"[^>]*textLength="(\\d+)"[^>]*>${text}<`).exec(picture) ?? [];
    return Number(x) + Number(length) / 2;
  };
  const column = 19;
  expect(Math.abs(middleOf("Opening hours") - middleOf("-{32}"))).toBeLessThan(column);
});
