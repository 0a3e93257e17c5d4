/** The shop of the receipts with sales in doubt: a person says their numbers, and the printer proves some. */

import { expect } from "bun:test";
import type { Baseline } from "#core/command/marks.ts";
import { paperNumbers } from "#core/command/settled.ts";
import { SALE, UNKNOWN } from "../../commands/testing/commands-bench.ts";
import { createReceiptsBench, NAMES, pageOf, RECEIPTS } from "./receipts-bench.ts";

export const DAY_MS = 86_400_000;
/** What a sale is told by that is another one than the bench's. */
export const OTHER_SALE = { uniqueSaleNumber: "DT000600-0002-0000001" };

export type SaidBench = Awaited<ReturnType<typeof createSaidBench>>;

/** Builds the shop. Its printer is known by its fiscal memory. Call `close` at the end. */
export async function createSaidBench() {
  const bench = await createReceiptsBench();
  const { fiscalMemorySerialNumber } = NAMES;
  const { orgId, deviceId, stores } = bench;
  stores.devices.update(orgId, deviceId, { fiscalMemorySerialNumber });

  const byNumber = async (fiscalId: string): Promise<string> =>
    pageOf(await bench.till.get(`${RECEIPTS}?fiscalId=${fiscalId}`)).receipts[0]?.id ?? "";

  /** A sale of which nobody can tell. @param read of its printer before. @returns its command */
  const inDoubt = async (read?: Baseline): Promise<string> => {
    const commandId = await bench.queued();
    await bench.marked(commandId, "baseline", read);
    await bench.marked(commandId, "committing", read);
    await bench.finish(commandId, UNKNOWN);
    return commandId;
  };

  /** The printer ends a command with a number. @param of whose the controller is. @returns the id of its receipt */
  const ended = async (
    commandId: string,
    fiscalId: string,
    of: string | null = orgId,
  ): Promise<string> => {
    const { receiptNumber, zReportNumber } = paperNumbers(fiscalId);
    const data = { receiptNumber, zReportNumber, fiscalMemorySerialNumber };
    await bench.finish(commandId, { success: true, data, fiscalId }, of);
    return byNumber(fiscalId);
  };

  return {
    ...bench,
    ...{ inDoubt, ended },

    /** A sale whose line is lost while it is paid. @returns its command */
    lost: async (): Promise<string> => {
      const commandId = await bench.queued();
      await bench.marked(commandId, "baseline");
      await bench.marked(commandId, "committing");
      bench.queue.lineLost(deviceId);
      await bench.clock.advanceAsync(60_000);
      return commandId;
    },

    /** A sale of which a person says that it was printed. @returns the id of its receipt */
    said: async (fiscalId: string, commandId?: string): Promise<string> => {
      const doubtful = commandId ?? (await inDoubt());
      const answer = await bench.resolve(doubtful, { outcome: "printed", fiscalId });
      expect(answer.status).toBe(200);
      return byNumber(fiscalId);
    },

    /** A sale that the printer ends with a number. @returns the id of its receipt */
    given: async (fiscalId: string): Promise<string> => ended(await bench.queued(), fiscalId),

    /** Asks for a reversal of a sale by what stands on a paper. */
    reversal: (receiptId: string, originalReceiptNumber: string, change: object = {}) => {
      const at = stores.receipts.get(orgId, receiptId)?.issuedAt ?? 0;
      const named = { originalReceiptNumber, originalReceiptDateTime: new Date(at).toISOString() };
      const payload = { ...SALE, ...NAMES, ...named, reason: "operator-error", ...change };
      return bench.submit("print_reversal_receipt", payload);
    },
  };
}
