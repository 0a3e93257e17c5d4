/** A sale as the gateway would have stored it, for commands that name one. */

import type { StoredReceipt } from "#core/receipt-record.ts";
import { isVatGroup } from "#core/vat.ts";

/** What is known of a sale of one line in VAT2, paid in cash. */
export interface SoldLine {
  readonly name: string;
  /** Thousandths. */
  readonly quantityMilli: number;
  /** Minor units. */
  readonly priceMinor: number;
  readonly uniqueSaleNumber: string;
  readonly fiscalId: string | null;
  readonly fiscalMemorySerialNumber: string | null;
  readonly zReportNumber: string | null;
  /** UTC milliseconds. */
  readonly issuedAt: number;
}

/** Makes the record, `rct_1`. */
export function storedSale(sold: SoldLine): StoredReceipt {
  const vatGroup = "VAT2";
  if (!isVatGroup(vatGroup)) throw new RangeError(vatGroup);
  const { name, quantityMilli, priceMinor, issuedAt } = sold;
  const totalMinor = (quantityMilli * priceMinor) / 1_000;
  const line = { name, quantityMilli, priceMinor, vatGroup };
  return {
    ...{ id: "rct_1", orgId: "org", deviceId: "dev_1", locationId: null },
    ...{ commandId: null, apiKeyId: null, source: "command", createdAt: issuedAt },
    type: "sale",
    fiscalId: sold.fiscalId,
    receiptNumber: null,
    uniqueSaleNumber: sold.uniqueSaleNumber,
    fiscalMemorySerialNumber: sold.fiscalMemorySerialNumber,
    zReportNumber: sold.zReportNumber,
    issuedAt,
    currency: "EUR",
    items: [{ ...line, department: undefined, unit: undefined }],
    subtotalModifiers: [],
    payments: [{ method: "cash", amountMinor: totalMinor }],
    totalMinor,
    customerCif: null,
    originalReceiptId: null,
    simulated: false,
    printerSerialNumber: null,
    numberBy: "printer",
  };
}
