/** What the commands that print a fiscal document answer. */

import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { toMinor } from "../money.ts";
import { PAYMENT_METHODS, type Payment } from "../receipt.ts";
import { paymentsTotalMinor } from "../receipt-total.ts";
import { oneOf, orNull } from "../schema-parts.ts";
import { Amount, FilledText, Instant, type ReadonlyStatic } from "./result-fields.ts";

const Payments = Type.Array(Type.Object({ method: oneOf(PAYMENT_METHODS), amount: Amount }), {
  description:
    "Of a receipt that broke off while it was paid: how the printer holds it, where it refused a " +
    "tender that was sent and took the rest in cash",
});

export const ReceiptResult = Type.Object({
  receiptNumber: orNull(
    Type.String({ minLength: 1, description: "The number that is printed on the document" }),
  ),
  fiscalMemorySerialNumber: orNull(FilledText),
  zReportNumber: orNull(
    Type.String({ minLength: 1, description: "The Z report that will close the document's day" }),
  ),
  issuedAt: orNull(Instant),
  totalAmount: orNull(Amount),
  change: orNull(Amount),
  payments: Type.Optional(Payments),
});
export type ReceiptResult = ReadonlyStatic<typeof ReceiptResult>;

/**
 * How the printer was paid where its result tells that.
 * @returns undefined where it does not, or what it tells does not pay the document
 */
export function toldPayments(
  data: Readonly<Record<string, unknown>> | undefined,
  totalMinor: number,
): readonly Payment[] | undefined {
  const told = data?.payments;
  if (!Value.Check(Payments, told)) return undefined;
  const payments = told.map(({ method, amount }) => ({
    method,
    amountMinor: toMinor(amount) ?? 0,
  }));
  const isWhole = payments.every(({ amountMinor }) => amountMinor > 0);
  return isWhole && paymentsTotalMinor(payments) === totalMinor ? payments : undefined;
}
