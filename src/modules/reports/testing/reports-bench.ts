/** A shop whose device prints and reports what a test says, and a caller who may read reports. */

import type { Static, TSchema } from "@sinclair/typebox";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import { toSaleDocument } from "#core/command/types/print-receipt.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import {
  COMMANDS,
  type CommandsBench,
  commandIdOf,
  createCommandsBench,
  SALE,
} from "../../commands/testing/commands-bench.ts";
import type { BenchOptions } from "../../testing/api-bench.ts";
import { ReportAnswer, ReportList } from "../schema.ts";

export const REPORTS = "/api/v1/reports";

/** What a device tells with a report of a day with one sale of `SALE`. */
export const FIGURES = {
  reportNumber: 12,
  type: "z_report",
  receiptCount: 1,
  reversalCount: 0,
  totals: { gross: 3, reversals: 0, cashIn: 20, cashOut: 0.5, cashBalance: 22.5 },
  vat: [{ group: "VAT1", rate: 20, turnover: 3, tax: 0.5 }],
  payments: [{ method: "cash", amount: 3 }],
  openedAt: null,
  closedAt: "2026-01-15T19:59:58Z",
  fiscalMemorySerialNumber: "02000600",
} as const;

const FOREIGN_RECEIPT: Omit<StoredReceipt, "id" | "orgId" | "deviceId"> = {
  ...{ locationId: null, commandId: null, apiKeyId: null, type: "sale", fiscalId: null },
  ...{ receiptNumber: null, uniqueSaleNumber: null, fiscalMemorySerialNumber: null },
  ...{ zReportNumber: null, issuedAt: 0, currency: "RON", subtotalModifiers: [] },
  items: toSaleDocument({
    items: [{ name: "Tea", quantity: 1, price: 1, vatGroup: "VAT2" }],
    payments: [{ method: "card", amount: 1 }],
  }).items,
  payments: [{ method: "card", amountMinor: 100 }],
  ...{ totalMinor: 100, customerCif: null, originalReceiptId: null, source: "api", createdAt: 0 },
  simulated: false,
  printerSerialNumber: null,
  numberBy: "printer",
};

export type ReportsBench = Awaited<ReturnType<typeof createReportsBench>>;

/** Builds the shop. Call `close` at the end. */
export async function createReportsBench(options: BenchOptions = {}) {
  const bench = await createCommandsBench(options);
  const office = bench.owner.as(await bench.makeKey(["reports"]));
  const told = async <S extends TSchema>(path: string, schema: S): Promise<Static<S>> => {
    const answer = await office.get(path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.as(schema);
  };
  return {
    ...bench,
    ...{ office, told, ...printing(bench), ...storing(bench) },

    /** Moves the shop to another time zone. */
    setTimezone(zone: string): void {
      bench.database.sqlite.prepare("UPDATE organizations SET timezone = ?").run(zone);
      bench.database.rows.drop();
    },

    /** Has the shop sell in another currency from now on. */
    setCurrency(currency: string): void {
      bench.database.sqlite.prepare("UPDATE organizations SET currency = ?").run(currency);
      bench.database.rows.drop();
    },

    /** Sets the clock. */
    setClock: (text: string) => bench.clock.jumpTo(Date.parse(text)),

    /** The stored reports, oldest first. */
    reports: async () => (await told(`${REPORTS}?sortOrder=asc&limit=100`, ReportList)).reports,
    get: async (id: string) => (await told(`${REPORTS}/${id}`, ReportAnswer)).report,
  };
}

/** What the device does. */
function printing(bench: CommandsBench) {
  /** Runs a command to its end on a device, the bench's own unless given. @returns its id */
  const done = async (
    type: CommandType,
    payload: unknown,
    { deviceId = bench.deviceId, ...result }: CommandResult & { readonly deviceId?: string },
  ): Promise<string> => {
    const answer = await bench.till.post(COMMANDS, { deviceId, type, payload });
    const id = commandIdOf(answer);
    await bench.atRest();
    await bench.reported({ type: "command.mark", deviceId, commandId: id, mark: "committing" });
    await bench.reported({ type: "command.result", deviceId, commandId: id, result });
    await bench.atRest();
    return id;
  };
  let numbers = 0;
  const print = async (type: CommandType, payload: unknown, deviceId: string) => {
    numbers += 1;
    const fiscalId = String(numbers);
    await done(type, payload, { success: true, data: {}, fiscalId, deviceId });
    return fiscalId;
  };
  return {
    done,

    /** Prints a sale. @returns the number that the device gave it */
    sell: (payload: unknown = SALE, deviceId = bench.deviceId): Promise<string> =>
      print("print_receipt", payload, deviceId),

    /** Prints the reversal of a `SALE`. @param original the number of the sale */
    reverse: (original: string, deviceId = bench.deviceId): Promise<string> => {
      const reversal = {
        ...{ ...SALE, originalReceiptNumber: original, reason: "refund" },
        uniqueSaleNumber: "DT000600-0001-0000001",
        ...{ originalReceiptDateTime: "2026-01-15T10:00:00", fiscalMemorySerialNumber: "02000600" },
      };
      return print("print_reversal_receipt", reversal, deviceId);
    },

    /** Makes a report. @returns the id of its command */
    report: (
      type: "x_report" | "z_report",
      figures: object = FIGURES,
      deviceId = bench.deviceId,
    ): Promise<string> => done(type, {}, { success: true, data: { ...figures, type }, deviceId }),
  };
}

function storing({ writer, stores, orgId, deviceId }: CommandsBench) {
  let stored = 0;
  return {
    /** Stores receipts that were not printed by a command of this gateway. */
    store: (...receipts: readonly Partial<StoredReceipt>[]): Promise<void> =>
      writer.run(() => {
        for (const receipt of receipts) {
          stored += 1;
          stores.receipts.insert({
            ...FOREIGN_RECEIPT,
            id: `rct_${String(stored).padStart(26, "0")}`,
            ...{ orgId, deviceId, fiscalId: `A${stored}` },
            ...receipt,
          });
        }
      }),
  };
}
