/**
 * What a device allows within fiscal receipts. Each rule looks at the books and either names the
 * change to make or says why there is none; no rule changes anything itself.
 */

import { lineTotalMinor } from "#core/money.ts";
import type { TextForm } from "../paper/line.ts";
import { type BookState, noAmounts, restMinor } from "./books.ts";
import type {
  OpenReceipt,
  ReceiptHead,
  ReceiptPart,
  SaleLine,
  StornoOriginal,
  StornoReason,
  Tender,
} from "./receipt.ts";
import { percentOfMinor, REGISTER_MINOR_MAX, spreadMinor, sumOf } from "./reckoning.ts";
import { type Decision, isRefusal, type Refusal, refuse } from "./refusal.ts";
import {
  type RuleContext,
  refuseNewReceipt,
  refuseOperator,
  refuseUnprintable,
  requireReceipt,
} from "./rules.ts";

/** Text lines on one receipt; the paper of a real device is finite too. */
const RECEIPT_PARTS_MAX = 2_000;

export interface OpenRequest {
  readonly operator: number;
  readonly password: string;
  readonly till: number;
  readonly uniqueSaleNumber: string | undefined;
  readonly invoice: boolean;
}

export interface StornoRequest extends OpenRequest {
  readonly reason: StornoReason;
  readonly original: StornoOriginal;
  /** Serial number of this device's fiscal memory. */
  readonly ownFiscalMemory: string;
  /** Take the lines over from the journal. */
  readonly rebuild: boolean;
}

/** A discount (negative) or surcharge, as commands state it. */
export type Adjustment =
  | { readonly kind: "none" }
  | { readonly kind: "percent"; readonly basisPoints: number }
  | { readonly kind: "amount"; readonly amountMinor: number };

export interface SaleRequest {
  readonly name: string;
  readonly group: number;
  readonly priceMinor: number;
  readonly quantityMilli: number;
  readonly adjustment: Adjustment;
  readonly department: number | undefined;
  readonly unit: string | undefined;
  /** The field that names the VAT group, for the refusal. */
  readonly groupParameter: number;
}

/** Opens a sale. */
export function openSale(context: RuleContext, request: OpenRequest): Decision {
  const refusal =
    refuseNewReceipt(context) ?? refuseOperator(context.books, request.operator, request.password);
  if (refusal) return refusal;
  return { entry: { entry: "receipt_opened", head: headFor(context, "sale", request) } };
}

/** Opens a storno of an earlier sale, of this device or of another one. */
export function openStorno(context: RuleContext, request: StornoRequest): Decision {
  const { books } = context;
  const { original, reason } = request;
  const refusal =
    refuseNewReceipt(context) ?? refuseOperator(books, request.operator, request.password);
  if (refusal) return refusal;
  const isOwn = original.fiscalMemory === request.ownFiscalMemory;
  const found = isOwn ? books.receipts.find(original.number) : undefined;
  if ((isOwn || request.rebuild) && found?.kind !== "sale") return refuse("original_unknown");
  if (original.issuedAt !== undefined && original.issuedAt > context.at) {
    return refuse("original_unknown");
  }
  const head = { ...headFor(context, "storno", request), reason, original };
  const lines = found?.parts.filter((part): part is SaleLine => part.part === "sale") ?? [];
  return {
    entry: { entry: "receipt_opened", head, ...(request.rebuild ? { parts: lines } : {}) },
  };
}

function headFor(
  { books, at }: RuleContext,
  kind: "sale" | "storno",
  request: OpenRequest,
): ReceiptHead {
  const { operator, till, uniqueSaleNumber } = request;
  return {
    number: books.documentNumber + 1,
    kind,
    openedAt: at,
    operator,
    till,
    ...(uniqueSaleNumber ? { uniqueSaleNumber } : {}),
    ...(request.invoice ? { invoice: books.invoiceNumber + 1 } : {}),
  };
}

/** Sells a line, or takes an equal one back when the price is negative. */
export function sellLine(context: RuleContext, request: SaleRequest): Decision {
  const { books, model } = context;
  const receipt = openForSales(context);
  if (isRefusal(receipt)) return receipt;
  const group = books.vat[request.group - 1];
  if (!group) return refuse("vat_group_unknown", request.groupParameter);
  if (!group.enabled) return refuse("vat_group_disabled", request.groupParameter);
  if (receipt.saleCount >= model.salesPerReceiptMax) return refuse("too_many_lines");
  if (request.quantityMilli <= 0) return refuse("parameter", request.groupParameter + 2);
  const plain = lineTotalMinor(request.priceMinor, request.quantityMilli);
  const adjustmentMinor = adjustmentOf(request.adjustment, plain);
  const line: SaleLine = {
    part: "sale",
    name: request.name,
    group: request.group,
    priceMinor: request.priceMinor,
    quantityMilli: request.quantityMilli,
    adjustmentMinor,
    totalMinor: plain + adjustmentMinor,
    ...(request.department ? { department: request.department } : {}),
    ...(request.unit ? { unit: request.unit } : {}),
  };
  const total = receipt.totalMinor + line.totalMinor;
  const refusal = refuseLine(receipt, line) ?? refuseFullDay(context, receipt.head.kind, total);
  return refusal ?? { entry: { entry: "part", part: line } };
}

function adjustmentOf(adjustment: Adjustment, onMinor: number): number {
  switch (adjustment.kind) {
    case "none":
      return 0;
    case "percent":
      return percentOfMinor(onMinor, adjustment.basisPoints);
    case "amount":
      return onMinor < 0 ? -adjustment.amountMinor : adjustment.amountMinor;
    default:
      return adjustment satisfies never;
  }
}

function refuseLine(receipt: OpenReceipt, line: SaleLine): Refusal | undefined {
  if (line.priceMinor < 0) {
    if (!hasLineToVoid(receipt, line)) return refuse("line_to_void_not_found");
  } else if (line.totalMinor < 0) {
    return refuse("negative_total");
  }
  const total = receipt.totalMinor + line.totalMinor;
  const inGroup = (receipt.groups[line.group - 1] ?? 0) + line.totalMinor;
  if (total < 0 || inGroup < 0) return refuse("negative_total");
  return total > REGISTER_MINOR_MAX ? refuse("overflow") : undefined;
}

/**
 * Refuses what the registers of the day could not hold with all that was printed before.
 * @param receiptMinor what the receipt would come to
 */
export function refuseFullDay(
  { books }: RuleContext,
  kind: ReceiptHead["kind"],
  receiptMinor: number,
): Refusal | undefined {
  const turnover = kind === "sale" ? books.day.sales : books.day.stornos;
  return sumOf(turnover) + receiptMinor > REGISTER_MINOR_MAX ? refuse("registers_full") : undefined;
}

/** True when more equal lines were sold than taken back. */
function hasLineToVoid(receipt: OpenReceipt, line: SaleLine): boolean {
  let standing = 0;
  for (const part of receipt.parts) {
    if (part.part !== "sale" || part.name !== line.name || part.group !== line.group) continue;
    if (part.quantityMilli !== line.quantityMilli) continue;
    if (Math.abs(part.priceMinor) !== -line.priceMinor) continue;
    standing += part.priceMinor < 0 ? -1 : 1;
  }
  return standing > 0;
}

/** States the subtotal, with a discount or surcharge where one is given. */
export function takeSubtotal(
  context: RuleContext,
  request: { readonly printed: boolean; readonly adjustment: Adjustment },
): Decision {
  const receipt = openForSales(context);
  if (isRefusal(receipt)) return receipt;
  if (receipt.saleCount === 0) return refuse("no_sales");
  const amountMinor = adjustmentOf(request.adjustment, receipt.totalMinor);
  const total = receipt.totalMinor + amountMinor;
  if (total < 0) return refuse("negative_total");
  if (total > REGISTER_MINOR_MAX) return refuse("overflow");
  const fullDay = refuseFullDay(context, receipt.head.kind, total);
  if (fullDay) return fullDay;
  const adjustments = amountMinor === 0 ? noAmounts() : spreadMinor(amountMinor, receipt.groups);
  const { printed } = request;
  return {
    entry: { entry: "part", part: { part: "subtotal", totalMinor: total, adjustments, printed } },
  };
}

/** Prints a text line within the receipt, plain or in another form. */
export function addText(context: RuleContext, text: string, form?: TextForm): Decision {
  const refusal = refuseUnprintable(context.books, context.model);
  if (refusal) return refusal;
  const receipt = requireReceipt(context.books);
  if (isRefusal(receipt)) return receipt;
  if (receipt.parts.length >= RECEIPT_PARTS_MAX) return refuse("too_many_lines");
  const part: ReceiptPart = { part: "text", text, ...(form ? { form } : {}) };
  return { entry: { entry: "part", part } };
}

/** Takes a tender; without an amount, one that pays the rest exactly. */
export function pay(
  context: RuleContext,
  request: { readonly tender: Tender; readonly amountMinor: number | undefined },
): Decision {
  const { books } = context;
  const refusal = refuseUnprintable(books, context.model);
  if (refusal) return refusal;
  const receipt = requireReceipt(books);
  if (isRefusal(receipt)) return receipt;
  if (receipt.saleCount === 0) return refuse("no_sales");
  if (receipt.totalMinor === 0) return refuse("zero_total");
  const rest = restMinor(receipt);
  if (rest === 0) return refuse("already_paid");
  const { tender, amountMinor = rest } = request;
  const changeMinor = Math.max(0, amountMinor - rest);
  if (amountMinor > REGISTER_MINOR_MAX) return refuse("overflow");
  const isStorno = receipt.head.kind === "storno";
  if (isStorno && changeMinor > 0) return refuse("payment_forbidden");
  const isCash = tender === "cash";
  // A storno gives cash back; a sale gives change, which a cash tender itself covers.
  const cashOut = isStorno ? (isCash ? amountMinor : 0) : isCash ? 0 : changeMinor;
  const cash = cashAtHand(books, receipt);
  if (cashOut > cash) return refuse("not_enough_cash");
  const cashIn = !isStorno && isCash ? amountMinor - changeMinor : 0;
  if (cash + cashIn > REGISTER_MINOR_MAX) return refuse("registers_full");
  return { entry: { entry: "part", part: { part: "payment", tender, amountMinor, changeMinor } } };
}

/** Cash in the drawer, with what this receipt has taken or given so far. */
function cashAtHand(books: BookState, receipt: OpenReceipt): number {
  let cash = books.cashMinor;
  for (const part of receipt.parts) {
    if (part.part !== "payment") continue;
    const taken = (part.tender === "cash" ? part.amountMinor : 0) - part.changeMinor;
    cash += receipt.head.kind === "sale" ? taken : -taken;
  }
  return cash;
}

/** Notes whom an invoice is for; after the payment and before the close. */
export function nameBuyer(context: RuleContext, buyer: readonly string[]): Decision {
  const receipt = requireReceipt(context.books);
  if (isRefusal(receipt)) return receipt;
  if (receipt.head.invoice === undefined) return refuse("buyer_missing");
  if (restMinor(receipt) > 0 || !receipt.paymentStarted) return refuse("not_fully_paid");
  return { entry: { entry: "buyer", buyer } };
}

/** Closes a fully paid receipt: from here on it is in fiscal memory. */
export function closeReceipt(context: RuleContext): Decision {
  const { books } = context;
  const refusal = refuseUnprintable(books, context.model);
  if (refusal) return refusal;
  const receipt = requireReceipt(books);
  if (isRefusal(receipt)) return receipt;
  if (receipt.saleCount === 0) return refuse("no_sales");
  if (!receipt.paymentStarted) return refuse("payment_not_started");
  if (restMinor(receipt) > 0) return refuse("not_fully_paid");
  if (receipt.head.invoice !== undefined && !receipt.buyer) return refuse("buyer_missing");
  return { entry: { entry: "receipt_closed", at: context.at } };
}

/**
 * Cancels a receipt that nothing was paid on. The cancellation is registered even without paper
 * and its mark is printed when paper is back: otherwise a roll that ends at the wrong moment would
 * leave no way out of the receipt.
 */
export function cancelReceipt(context: RuleContext): Decision {
  const receipt = requireReceipt(context.books);
  if (isRefusal(receipt)) return receipt;
  if (receipt.paymentStarted) return refuse("payment_started");
  return { entry: { entry: "receipt_cancelled", at: context.at } };
}

function openForSales(context: RuleContext): OpenReceipt | Refusal {
  const refusal = refuseUnprintable(context.books, context.model);
  if (refusal) return refusal;
  const receipt = requireReceipt(context.books);
  if (isRefusal(receipt)) return receipt;
  return receipt.paymentStarted ? refuse("payment_started") : receipt;
}
