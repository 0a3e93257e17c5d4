/** Entries of the journal as XML, by `journal.xsd`. */

import { isoTime, isoTimeOrNull } from "#core/iso-time.ts";
import { formatMilli, formatMinor, lineTotalMinor } from "#core/money.ts";
import type { StoredReport } from "#core/report-record.ts";
import type { BookedReceipt } from "#db/stores/booked-receipts.ts";
import { element } from "./xml.ts";

export function receiptXml(receipt: BookedReceipt): string {
  const { items, subtotalModifiers, payments } = receipt;
  const content = [
    ...items.map(({ name, quantityMilli, priceMinor, vatGroup, department, unit }) =>
      element("item", {
        name,
        quantity: formatMilli(quantityMilli),
        price: formatMinor(priceMinor),
        total: formatMinor(lineTotalMinor(priceMinor, quantityMilli)),
        ...{ vatGroup, department, unit },
      }),
    ),
    ...subtotalModifiers.map(({ kind, amountMinor }) =>
      element("adjustment", { type: kind, amount: formatMinor(amountMinor) }),
    ),
    ...payments.map(paymentXml),
  ];
  return element(
    "receipt",
    {
      ...{ id: receipt.id, type: receipt.type, source: receipt.source },
      ...{ bookedAt: isoTime(receipt.bookedAt), storedAt: isoTime(receipt.createdAt) },
      ...{ issuedAt: isoTime(receipt.issuedAt), currency: receipt.currency },
      total: formatMinor(receipt.totalMinor),
      fiscalId: receipt.fiscalId,
      receiptNumber: receipt.receiptNumber,
      uniqueSaleNumber: receipt.uniqueSaleNumber,
      fiscalMemorySerialNumber: receipt.fiscalMemorySerialNumber,
      zReportNumber: receipt.zReportNumber,
      customerCif: receipt.customerCif,
      originalReceiptId: receipt.originalReceiptId,
      commandId: receipt.commandId,
      locationId: receipt.locationId,
    },
    content.join(""),
  );
}

/** @param currency of its amounts; null where it is not known */
export function reportXml(report: StoredReport, currency: string | null): string {
  const { totals, vat, payments } = report;
  const content = [
    element("totals", {
      gross: amountOrNull(totals.grossMinor),
      reversals: amountOrNull(totals.reversalsMinor),
      cashIn: amountOrNull(totals.cashInMinor),
      cashOut: amountOrNull(totals.cashOutMinor),
      cashBalance: amountOrNull(totals.cashBalanceMinor),
    }),
    ...(vat ?? []).map(({ group, rate, turnoverMinor, taxMinor }) =>
      element("vat", {
        ...{ group, rate: rate === null ? null : decimalText(rate) },
        ...{ turnover: formatMinor(turnoverMinor), tax: amountOrNull(taxMinor) },
      }),
    ),
    ...(payments ?? []).map(paymentXml),
  ];
  return element(
    "report",
    {
      ...{ id: report.id, type: report.type },
      ...{ bookedAt: isoTime(report.bookedAt), storedAt: isoTime(report.createdAt) },
      ...{ number: report.reportNumber, currency },
      ...{ receiptCount: report.receiptCount, reversalCount: report.reversalCount },
      ...{ openedAt: isoTimeOrNull(report.openedAt), closedAt: isoTimeOrNull(report.closedAt) },
      fiscalMemorySerialNumber: report.fiscalMemorySerialNumber,
      ...{ commandId: report.commandId, locationId: report.locationId },
    },
    content.join(""),
  );
}

function paymentXml(payment: { readonly method: string; readonly amountMinor: number }): string {
  return element("payment", { method: payment.method, amount: formatMinor(payment.amountMinor) });
}

function amountOrNull(minor: number | null): string | null {
  return minor === null ? null : formatMinor(minor);
}

/** Up to four decimals; a decimal of XML has no exponent. */
function decimalText(value: number): string {
  return value.toFixed(4).replace(/\.?0+$/, "");
}
