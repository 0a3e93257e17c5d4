/** A report as the gateway keeps it. */

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { ReportResult, type ReportType } from "./command/report-result.ts";
import { toMinor } from "./money.ts";
import type { PaymentMethod } from "./receipt.ts";

/** Sums of the fiscal day in minor units; null where the device did not tell. */
export interface ReportTotals {
  readonly grossMinor: number | null;
  readonly reversalsMinor: number | null;
  readonly cashInMinor: number | null;
  readonly cashOutMinor: number | null;
  readonly cashBalanceMinor: number | null;
}

/** What a report told of one VAT group. */
export interface ReportVat {
  readonly group: string;
  /** Percent. */
  readonly rate: number | null;
  readonly turnoverMinor: number;
  readonly taxMinor: number | null;
}

/** What a report told of one tender. */
export interface ReportPayment {
  readonly method: PaymentMethod;
  readonly amountMinor: number;
}

/** What a device told with a report; null where it did not. Instants are UTC milliseconds. */
export interface ReportFigures {
  readonly type: ReportType;
  readonly reportNumber: number | null;
  readonly receiptCount: number | null;
  readonly reversalCount: number | null;
  readonly totals: ReportTotals;
  readonly vat: readonly ReportVat[] | null;
  readonly payments: readonly ReportPayment[] | null;
  readonly openedAt: number | null;
  readonly closedAt: number | null;
  readonly fiscalMemorySerialNumber: string | null;
}

/** One stored report. */
export interface StoredReport extends ReportFigures {
  readonly id: string;
  readonly orgId: string;
  readonly deviceId: string;
  readonly locationId: string | null;
  readonly commandId: string;
  /**
   * When the device was asked for it, by our clock: what was printed before belongs to it. A report
   * that was found out or settled later was stored later all the same.
   */
  readonly bookedAt: number;
  readonly createdAt: number;
  /** Of a printer that the gateway simulates. */
  readonly simulated: boolean;
}

const SUMS = ["gross", "reversals", "cashIn", "cashOut", "cashBalance"] as const;
const Fields = ReportResult.properties;
const AnyFields = Type.Record(Type.String(), Type.Unknown());

/**
 * Reads what a device told, or what of it is known. Controllers elsewhere and persons tell less
 * than the catalogue says: what is missing or something else is as good as not told.
 */
export function toReportFigures(
  type: ReportType,
  told: Readonly<Record<string, unknown>> = {},
): ReportFigures {
  const totals: Record<string, unknown> = allowed(AnyFields, told.totals) ?? {};
  const sums = SUMS.map((name) => {
    const amount = allowed(Fields.totals.properties[name], totals[name]);
    return amount === null ? null : (toMinor(amount) ?? null);
  });
  const [grossMinor = null, reversalsMinor = null, cashInMinor = null] = sums;
  const [, , , cashOutMinor = null, cashBalanceMinor = null] = sums;
  return {
    type,
    reportNumber: allowed(Fields.reportNumber, told.reportNumber),
    receiptCount: allowed(Fields.receiptCount, told.receiptCount),
    reversalCount: allowed(Fields.reversalCount, told.reversalCount),
    totals: { grossMinor, reversalsMinor, cashInMinor, cashOutMinor, cashBalanceMinor },
    vat: vatOf(allowed(Fields.vat, told.vat)),
    payments: paymentsOf(allowed(Fields.payments, told.payments)),
    openedAt: instantOf(allowed(Fields.openedAt, told.openedAt)),
    closedAt: instantOf(allowed(Fields.closedAt, told.closedAt)),
    fiscalMemorySerialNumber: allowed(
      Fields.fiscalMemorySerialNumber,
      told.fiscalMemorySerialNumber,
    ),
  };
}

function allowed<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> | null {
  return Value.Check(schema, value) ? value : null;
}

function vatOf(vat: Static<typeof Fields.vat>): readonly ReportVat[] | null {
  if (vat === null) return null;
  const rows = vat.map(({ group, rate, turnover, tax }) => {
    const turnoverMinor = toMinor(turnover);
    if (turnoverMinor === undefined) return undefined;
    return { group, rate, turnoverMinor, taxMinor: tax === null ? null : (toMinor(tax) ?? null) };
  });
  return wholeOrNull(rows);
}

function paymentsOf(payments: Static<typeof Fields.payments>): readonly ReportPayment[] | null {
  if (payments === null) return null;
  const rows = payments.map(({ method, amount }) => {
    const amountMinor = toMinor(amount);
    return amountMinor === undefined ? undefined : { method, amountMinor };
  });
  return wholeOrNull(rows);
}

/** A list that lacks a row would be taken for a day with less in it. */
function wholeOrNull<Row>(rows: readonly (Row | undefined)[]): readonly Row[] | null {
  const known = rows.filter((row) => row !== undefined);
  return known.length === rows.length ? known : null;
}

function instantOf(text: string | null): number | null {
  const instant = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}
