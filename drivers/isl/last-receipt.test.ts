/** What the devices of each dialect tell of their last receipt, with other papers behind it. */

import { describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { DriverSession } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";

interface Dialect {
  readonly driver: DriverId;
  readonly model: string;
  /** Whose number it tells once another paper stands behind the receipt. */
  readonly behindPapers: "its own" | "none";
  /** True where whoever asks need not have printed the receipt. */
  readonly tellsAnybody: boolean;
  readonly tellsTime: boolean;
}

const DIALECTS: readonly Dialect[] = [
  {
    driver: "vendorA.isl",
    model: "x",
    ...{ behindPapers: "its own", tellsAnybody: true, tellsTime: true },
  },
  {
    driver: "vendorA.isl",
    model: "ro-x",
    ...{ behindPapers: "none", tellsAnybody: false, tellsTime: true },
  },
  {
    driver: "vendorA.isl",
    model: "p",
    ...{ behindPapers: "none", tellsAnybody: true, tellsTime: false },
  },
  {
    driver: "vendorA.isl",
    model: "c",
    ...{ behindPapers: "its own", tellsAnybody: true, tellsTime: true },
  },
  {
    driver: "vendorA.isl",
    model: "ro-legacy",
    ...{ behindPapers: "none", tellsAnybody: false, tellsTime: false },
  },
  {
    driver: "vendorB.isl",
    model: "dy",
    ...{ behindPapers: "none", tellsAnybody: true, tellsTime: true },
  },
  {
    driver: "vendorC.isl",
    model: "ed",
    ...{ behindPapers: "none", tellsAnybody: false, tellsTime: true },
  },
  {
    driver: "vendorD.isl",
    model: "in",
    ...{ behindPapers: "its own", tellsAnybody: true, tellsTime: false },
  },
];

/** Papers that take a number of the same row. */
const PAPERS: readonly (readonly [CommandType, unknown])[] = [
  ["x_report", {}],
  ["cash_in", { amount: 10 }],
  ["cash_out", { amount: 5 }],
  ["print_duplicate", {}],
  ["non_fiscal_receipt", { lines: ["Hello"] }],
  ["z_report", {}],
];

const saleOf = (price: number) => ({
  uniqueSaleNumber: "DT577430-0001-0000001",
  items: [{ name: "Bread", quantity: 1, price, vatGroup: "VAT2" }],
  payments: [{ method: "cash", amount: price }],
});

interface Told {
  readonly lastReceipt: {
    readonly receiptNumber: string | null;
    readonly receiptDateTime: string | null;
    readonly receiptAmount: number | null;
  };
  readonly lastDocumentNumber?: string | null;
}

async function run(session: DriverSession, type: CommandType, payload: unknown = {}) {
  const command = { id: "cmd_1", type, payload, original: undefined };
  const { data, fiscalId } = await session.execute(command, new RecordedProgress());
  return { data: data as { readonly lastDocumentNumber?: string | null }, fiscalId };
}
const ask = async (session: DriverSession) =>
  (await run(session, "get_last_receipt_info")).data as Told;

/** Runs with a device of its own. */
async function withDevice(
  { driver, model }: Dialect,
  act: (device: SimulatedDevice) => Promise<void>,
): Promise<void> {
  const device = await SimulatedDevice.start({ driver, model, timezone: "Europe/Sofia" });
  try {
    await act(device);
  } finally {
    await device.stop();
  }
}

describe.each(DIALECTS)("$driver $model", (dialect) => {
  test("tells number, time and amount of the one receipt, whatever is printed behind it", () =>
    withDevice(dialect, async (device) => {
      const session = await device.connect();
      await run(session, "print_receipt", saleOf(5));
      const { fiscalId = "" } = await run(session, "print_receipt", saleOf(7));
      const first = await ask(session);
      const issuedAt = first.lastReceipt.receiptDateTime;
      expect(issuedAt !== null).toBe(dialect.tellsTime);
      expect(first).toMatchObject({
        lastReceipt: { receiptNumber: fiscalId, receiptAmount: 7 },
        lastDocumentNumber: fiscalId,
      });
      for (const [index, [type, payload]] of PAPERS.entries()) {
        const paper = await run(session, type, payload);
        const number = String(Number(fiscalId) + index + 1);
        const { lastReceipt, lastDocumentNumber } = await ask(session);
        expect({ type, last: lastDocumentNumber, paper: paper.data.lastDocumentNumber }).toEqual({
          ...{ type, last: number, paper: number },
        });
        expect({ type, number: lastReceipt.receiptNumber }).toEqual({
          type,
          number: dialect.behindPapers === "none" ? null : fiscalId,
        });
        expect(lastReceipt.receiptAmount).toBe(7);
        expect([issuedAt, null]).toContain(lastReceipt.receiptDateTime);
      }
      const next = await run(session, "print_receipt", saleOf(3));
      expect((await ask(session)).lastReceipt).toMatchObject({
        receiptNumber: next.fiscalId,
        receiptAmount: 3,
      });
      session.close();
    }));

  test("tells the number of a paper though the first question for it is not answered in time", () =>
    withDevice(dialect, async (device) => {
      const session = await device.connect();
      await run(session, "print_receipt", saleOf(5));
      for (const [type, payload] of [...PAPERS.slice(0, 3), ...PAPERS.slice(4)]) {
        const before = device.books().frames;
        const { data } = await run(session, type, payload);
        // The number is asked for last.
        const at = device.books().frames - before;
        await device.fault({ kind: "delay", ms: 800, busy: false, at });
        const next = await run(session, type, payload);
        const number = String(Number(data.lastDocumentNumber) + 1);
        expect({ type, number: next.data.lastDocumentNumber }).toEqual({ type, number });
      }
      session.close();
    }));

  test("tells who has not printed it a number only where the device shows that it is a receipt", () =>
    withDevice(dialect, async (device) => {
      const first = await device.connect();
      const { fiscalId = "" } = await run(first, "print_receipt", saleOf(7));
      first.close();
      device.forget();
      const session = await device.connect();
      const told = await ask(session);
      expect(told.lastReceipt.receiptNumber).toBe(dialect.tellsAnybody ? fiscalId : null);
      expect(told.lastReceipt.receiptAmount).toBe(7);
      expect(told.lastDocumentNumber).toBe(fiscalId);
      session.close();
    }));

  test("never mixes it with a receipt that somebody rings up meanwhile", () =>
    withDevice(dialect, async (device) => {
      const session = await device.connect();
      for (let at = 1; at <= 10; at += 1) {
        await run(session, "print_receipt", saleOf(7));
        const [last] = device.books().receipts.slice(-1);
        const hands = { kind: "other_hands", when: "before", deed: "ring_up" };
        await device.fault({ ...hands, amountMinor: 333, at });
        const { lastReceipt, lastDocumentNumber } = await ask(session);
        await device.clear();
        const { receiptNumber, receiptAmount } = lastReceipt;
        const amount = receiptNumber === String(last?.number) ? 7 : 3.33;
        const told = { at, amount: receiptAmount };
        if (receiptNumber !== null)
          expect(told).toBeOneOf([
            { at, amount },
            { at, amount: null },
          ]);
        expect(Number(lastDocumentNumber)).toBeGreaterThanOrEqual(Number(receiptNumber));
      }
      session.close();
    }));

  test("takes no cancelled receipt for the last one", () =>
    withDevice(dialect, async (device) => {
      const session = await device.connect();
      const { fiscalId = "" } = await run(session, "print_receipt", saleOf(7));
      await device.fault({ kind: "other_hands", when: "before", deed: "open", amountMinor: 500 });
      await run(session, "void_open_receipt");
      const { lastReceipt } = await ask(session);
      expect([fiscalId, null]).toContain(lastReceipt.receiptNumber);
      expect(lastReceipt.receiptAmount).toBeNull();
      session.close();
    }));
});
