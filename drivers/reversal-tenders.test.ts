/**
 * What a device tells of its reversals is what it prints: on every model of every driver, a reversal
 * paid back in each tender there is comes out where the device names that tender, and is refused
 * before a byte is sent where it does not.
 */

import { describe, expect, test } from "bun:test";
import { PAYMENT_METHODS, type PaymentMethod } from "#core/receipt.ts";
import { ContractBench } from "./testing/contract-bench.ts";
import { samplePayload, smallSale } from "./testing/contract-payloads.ts";
import { EVERY_MODEL, type ModelUnderTest } from "./testing/every-model.ts";

/** Sells a piece and takes it back in a tender. @returns how that ended */
async function takenBack(bench: ContractBench, kind: ModelUnderTest, method: PaymentMethod) {
  const { driver, simulated } = kind;
  const original = (await sold(bench)) ?? undefined;
  const sample = samplePayload("print_reversal_receipt", {
    ...{ driver, books: simulated.books, sold: original },
  });
  const { items, payments } = smallSale({ method });
  const before = bench.device.books();
  const { ended, bytesSent } = await bench.attempt("print_reversal_receipt", {
    ...{ ...(sample as object), items, payments },
  });
  if (ended.how === "done") return { method, end: "done", ...bench.changeSince(before) };
  const code = ended.how === "refused" ? ended.error.code : ended.how;
  return { method, end: code, ...bench.changeSince(before), bytesSent };
}

/** A sale in cash, and enough in the drawer; undefined on a device that confirms nothing. */
async function sold(bench: ContractBench) {
  const { ended } = await bench.attempt("print_receipt", smallSale({}));
  if (ended.how !== "done") return undefined;
  const { fiscalId = "", data } = ended.success;
  const { issuedAt, zReportNumber } = data;
  const { info } = bench.session;
  return {
    fiscalId,
    issuedAt:
      typeof issuedAt === "string" ? issuedAt : new Date(bench.device.time.now()).toISOString(),
    fiscalMemorySerialNumber: info.fiscalMemorySerialNumber ?? info.serialNumber ?? "12345678",
    zReportNumber: typeof zReportNumber === "string" ? zReportNumber : null,
  };
}

describe.each(EVERY_MODEL.map((kind) => [kind.driver, kind.model, kind] as const))(
  "%s, model %s",
  (_driver, _model, kind) => {
    test("tells of its reversals what it prints and what it refuses", async () => {
      await ContractBench.on(kind, "tcp", async (bench) => {
        const told = bench.session.info.reversalTenders;
        if (told === undefined) throw new Error("the device tells nothing of its reversals");
        for (const method of PAYMENT_METHODS) {
          const end = await takenBack(bench, kind, method);
          const isCash = method === "cash";
          expect(end).toEqual(
            told.includes(method)
              ? { method, end: "done", cash: isCash ? -120 : 0, receipts: 1, zReports: 0 }
              : {
                  ...{ method, end: told.length === 0 ? "E201" : "E400" },
                  ...{ cash: 0, receipts: 0, zReports: 0, bytesSent: 0 },
                },
          );
        }
      });
    });
  },
);
