/** A shop whose device prints and reports what a test says, and a caller who may read reports. */

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import { createCommandsBench, SALE } from "../../commands/testing/commands-bench.ts";
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

export type ReportsBench = Awaited<ReturnType<typeof createReportsBench>>;

/** Builds the shop. Call `close` at the end. */
export async function createReportsBench(options: BenchOptions = {}) {
  const bench = await createCommandsBench(options);
  const office = bench.owner.as(await bench.makeKey(["reports"]));

  /** Runs a command to its end on a device, the bench's own unless given. @returns its id */
  const done = async (
    type: CommandType,
    payload: unknown,
    { deviceId = bench.deviceId, ...result }: CommandResult & { readonly deviceId?: string },
  ): Promise<string> => {
    const answer = await bench.till.post("/api/v1/commands", { deviceId, type, payload });
    const { command } = answer.as(Type.Object({ command: Type.Object({ id: Type.String() }) }));
    await bench.atRest();
    await bench.finish(command.id, result);
    return command.id;
  };

  const on = (deviceId: string | undefined) => (deviceId === undefined ? {} : { deviceId });
  let numbers = 0;
  const nextNumber = (): string => {
    numbers += 1;
    return String(numbers);
  };
  const told = async <S extends TSchema>(path: string, schema: S): Promise<Static<S>> => {
    const answer = await office.get(path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.as(schema);
  };

  return {
    ...bench,
    ...{ office, done, told },

    /** Prints a sale. @returns the number that the device gave it */
    async sell(payload: unknown = SALE, deviceId?: string): Promise<string> {
      const fiscalId = nextNumber();
      await done("print_receipt", payload, { success: true, data: {}, fiscalId, ...on(deviceId) });
      return fiscalId;
    },

    /** Prints a reversal. */
    async reverse(original: string, payload: object = SALE, deviceId?: string): Promise<void> {
      const reversal = {
        ...{ items: SALE.items, originalReceiptNumber: original, reason: "refund" },
        originalReceiptDateTime: "2026-01-15T10:00:00",
        originalFiscalMemoryNumber: "02000600",
        ...payload,
      };
      const fiscalId = nextNumber();
      await done("print_reversal_receipt", reversal, {
        success: true,
        data: {},
        fiscalId,
        ...on(deviceId),
      });
    },

    /** Makes a report. @returns the id of its command */
    report: (
      type: "x_report" | "z_report",
      figures: object = FIGURES,
      deviceId?: string,
    ): Promise<string> =>
      done(type, {}, { success: true, data: { ...figures, type }, ...on(deviceId) }),

    /** The stored reports, oldest first. */
    reports: async () => (await told(`${REPORTS}?sortOrder=asc&limit=100`, ReportList)).reports,
    get: async (id: string) => (await told(`${REPORTS}/${id}`, ReportAnswer)).report,
  };
}
