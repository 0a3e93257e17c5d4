/**
 * The evening's comparison: what the API says was done on a device, and what stands in the books
 * that the device keeps by itself. Both are brought into one form and must be equal to the cent.
 */

import { toSaleDocument } from "#core/command/types/print-receipt.ts";
import { toStornoDocument } from "#core/command/types/print-reversal-receipt.ts";
import { lineTotalMinor, toMinor } from "#core/money.ts";
import type { Payment, ReceiptItem, SubtotalModifier } from "#core/receipt.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import { readPayload } from "#drivers/shared/payload.ts";
import type { ShownCommand } from "../harness/gateway.ts";
import type { VatGroups } from "./device-profile.ts";
import {
  type BookedGroup,
  type BookedReceipt,
  type BookedTender,
  fiscalIdOf,
} from "./shop-device.ts";

/** A fiscal document as either side has it. Amounts in minor units, quantities in thousandths. */
export interface Entry {
  readonly number: string;
  readonly kind: "sale" | "storno";
  readonly totalMinor: number;
  readonly items: readonly string[];
  /** Amount by tender, tenders in order of their names. */
  readonly payments: readonly string[];
}

/** A document that the API tells of, with what is needed to work out its VAT. */
export interface ToldDocument {
  readonly entry: Entry;
  readonly items: readonly ReceiptItem[];
  readonly modifiers: readonly SubtotalModifier[];
  readonly payments: readonly Payment[];
}

interface Parts {
  readonly kind: "sale" | "storno";
  readonly items: readonly ReceiptItem[];
  readonly modifiers: readonly SubtotalModifier[];
  readonly payments: readonly Payment[];
}

/** The number that the API gives a document that was printed; undefined for everything else. */
export function toldNumber(command: ShownCommand): string | undefined {
  if (command.status === "completed") return command.result?.fiscalId;
  const { resolution } = command;
  return resolution?.outcome === "printed" ? (resolution.fiscalId ?? undefined) : undefined;
}

/**
 * The documents that the API says were printed on a device, in the order of their acceptance.
 * @param commands all commands of the device, in that order
 */
export function toldDocuments(
  commands: readonly ShownCommand[],
  groups: VatGroups,
): ToldDocument[] {
  const sales = new Map<string, Parts>();
  const told: ToldDocument[] = [];
  for (const command of commands) {
    const number = toldNumber(command);
    if (number === undefined) continue;
    const parts = partsOf(command, sales);
    if (!parts) continue;
    if (parts.kind === "sale") sales.set(number, parts);
    told.push({ ...parts, entry: entryOf(number, parts, groups) });
  }
  return told;
}

/** What a command printed, by its own payload; a voided receipt's lines stand in its sale. */
function partsOf(command: ShownCommand, sales: ReadonlyMap<string, Parts>): Parts | undefined {
  const { type, payload } = command;
  switch (type) {
    case "print_receipt":
      return toSaleDocument(readPayload(type, payload));
    case "print_reversal_receipt":
      // The zone decides on the time of the original alone.
      return { ...toStornoDocument(readPayload(type, payload), "UTC"), modifiers: [] };
    case "void_receipt": {
      const { receiptId } = readPayload(type, payload);
      const sale = sales.get(receiptId);
      if (!sale) throw new Error(`${command.id} voids ${receiptId}, which was not printed`);
      return { ...sale, kind: "storno" };
    }
    default:
      return undefined;
  }
}

function entryOf(number: string, parts: Parts, groups: VatGroups): Entry {
  const { kind, items, modifiers, payments } = parts;
  return {
    number,
    kind,
    totalMinor: documentTotalMinor(items, modifiers),
    items: items.map((item) =>
      itemText({
        name: item.name,
        group: groups[item.vatGroup],
        price: item.priceMinor,
        quantity: item.quantityMilli,
        total: lineTotalMinor(item.priceMinor, item.quantityMilli),
      }),
    ),
    payments: tenderTexts(
      payments.map(({ method, amountMinor }) => ({ method, amount: amountMinor })),
    ),
  };
}

/** A document of the device's books in the same form. */
export function bookedEntry(receipt: BookedReceipt): Entry {
  return {
    number: fiscalIdOf(receipt),
    kind: receipt.kind,
    totalMinor: receipt.total,
    // A device may take an adjustment of the whole receipt on each of its lines.
    items: receipt.items.map(({ adjustment = 0, total, ...item }) =>
      itemText({ ...item, total: total - adjustment }),
    ),
    payments: tenderTexts(receipt.payments),
  };
}

function itemText(item: {
  readonly name: string;
  readonly group: number | undefined;
  readonly price: number;
  readonly quantity: number;
  readonly total: number;
}): string {
  return `${item.name} [${item.group}] ${item.quantity} x ${item.price} = ${item.total}`;
}

/** Amounts by tender, added up, in order of the tenders' names; what came to nothing is left out. */
export function tenderTexts(tenders: readonly BookedTender[]): string[] {
  const sums = new Map<string, number>();
  for (const { method, amount } of tenders) sums.set(method, (sums.get(method) ?? 0) + amount);
  return [...sums]
    .filter(([, amount]) => amount !== 0)
    .map(([method, amount]) => `${method} ${amount}`)
    .sort();
}

/** Turnover by VAT group, added up; groups without turnover are left out. */
export function groupSums(turnovers: readonly (readonly BookedGroup[])[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { group, turnover } of turnovers.flat()) {
    sums.set(group, (sums.get(group) ?? 0) + turnover);
  }
  return new Map([...sums].filter(([, amount]) => amount !== 0).sort(([a], [b]) => a - b));
}

/** Turnover of each VAT group of a document before its adjustments. */
export function itemGroups(told: ToldDocument, groups: VatGroups): Map<number, number> {
  return groupSums([
    told.items.map((item) => ({
      group: groups[item.vatGroup] ?? 0,
      turnover: lineTotalMinor(item.priceMinor, item.quantityMilli),
    })),
  ]);
}

/** An amount of the API as minor units. @throws Error when it is no amount */
export function minorOf(amount: unknown): number {
  const minor = typeof amount === "number" ? toMinor(amount) : undefined;
  if (minor === undefined) throw new Error(`${JSON.stringify(amount)} is no amount`);
  return minor;
}
