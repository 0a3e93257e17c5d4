/**
 * What takes back a sale, and which sales a reversal may be of: judged from what orders named and from what
 * is known of the sales, whenever somebody asks. Nothing of that is stored, so that it does not matter in
 * which order it came to be known.
 */

import type { Command } from "#core/command/command.ts";
import { paperNumbers } from "#core/command/settled.ts";
import {
  type PrintReversalReceiptPayload,
  toStornoDocument,
} from "#core/command/types/print-reversal-receipt.ts";
import { toVoidingDocument } from "#core/command/types/void-receipt.ts";
import { memoryForm } from "#core/device/printer.ts";
import type { StornoDocument } from "#core/receipt.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { type AcceptedFor, possiblyOf, type Standing } from "#core/standing.ts";
import { saleNumberForm } from "#core/unique-sale-number.ts";
import { timezoneOfDevice } from "./device-place.ts";
import { dayOfNumber, knownNumbers } from "./proven-number.ts";
import type { Reversal } from "./reversals.ts";
import {
  type AskedStorno,
  askedStorno,
  hadSuch,
  isKnownOther,
  Judged,
  kept,
  numberedSales,
  type ReversedStores,
  saleWithId,
  tellerOf,
  unnumberedSales,
} from "./reversed-sale.ts";

/** The sales that a reversal may be of, by what is known by now. */
export function salesOf(
  stores: ReversedStores,
  reversal: Reversal,
  judged: Judged = new Judged(),
): Standing<StoredReceipt> {
  return kept(judged.standings, reversal.commandId, () => judge(stores, reversal, judged));
}

function judge(
  stores: ReversedStores,
  reversal: Reversal,
  judged: Judged,
): Standing<StoredReceipt> {
  const { acceptedFor, commandId, orgId } = reversal;
  const accepted = acceptedFor === null ? undefined : stores.receipts.get(orgId, acceptedFor);
  if (reversal.isSure) return only(accepted);
  const command = stores.commands.get(orgId, commandId);
  const document = command && orderOf(stores, reversal, command);
  if (command === undefined || document === undefined) {
    // Commands are purged after years: what is stored of theirs is as it was judged last.
    const { originalReceiptId: of = null } = stores.receipts.ofCommand(commandId) ?? {};
    return only(of === null ? accepted : stores.receipts.get(orgId, of));
  }
  const asked = askedStorno(stores, command, document);
  const byId = saleWithId(stores, asked);
  if (byId !== undefined) return only(byId);
  const possible = {
    ...numberedSales(stores, asked, judged),
    accepted: accepted && acceptedAs(stores, accepted, asked),
    ...unnumberedSales(stores, asked, judged),
  };
  return possiblyOf(possible, (sale) => hadSuch(stores, sale, asked));
}

function only(sale: StoredReceipt | undefined): Standing<StoredReceipt> {
  const sales = sale === undefined ? [] : [sale];
  return { sales, against: sales, isBySaleNumber: false };
}

/** What a reversal's order says; undefined for a void that names no number, or is not handed out yet. */
export function orderOf(
  stores: ReversedStores,
  { acceptedFor, number, namedAt }: Reversal,
  command: Command,
): StornoDocument | undefined {
  if (command.type === "print_reversal_receipt") {
    const payload = command.payload as PrintReversalReceiptPayload;
    return toStornoDocument(payload, timezoneOfDevice(stores, command));
  }
  const voided = acceptedFor === null ? undefined : stores.receipts.get(command.orgId, acceptedFor);
  if (voided === undefined || number === null) return undefined;
  const document = toVoidingDocument(voided);
  const original = { ...document.original, receiptNumber: number };
  // As they were sent: the sale may have got another number, and time, since.
  return { ...document, original: { ...original, issuedAt: namedAt ?? original.issuedAt } };
}

function acceptedAs(
  stores: ReversedStores,
  sale: StoredReceipt,
  { document }: AskedStorno,
): AcceptedFor<StoredReceipt> {
  const isOnlySaid = tellerOf(stores, sale) === "person";
  const isContrary = isKnownOther(stores, sale, document);
  return { sale, isOnlySaid, isContrary };
}

/** What counts of the reversals that may be of a sale, in the order of their acceptance. */
export function standingAgainst(
  stores: ReversedStores,
  sale: StoredReceipt,
  judged: Judged = new Judged(),
): readonly Reversal[] {
  const { id, orgId } = sale;
  const accepted = stores.reversals.listAcceptedFor(orgId, id);
  const others = reversalsNaming(stores, sale).filter(({ acceptedFor }) => acceptedFor !== id);
  return [...accepted, ...others].filter(
    (one) =>
      (one.isSure && one.acceptedFor === id) || isAgainst(salesOf(stores, one, judged), sale),
  );
}

function isAgainst({ against }: Standing<StoredReceipt>, { id }: StoredReceipt): boolean {
  return against.some((one) => one.id === id);
}

/** True where nobody but a person told the number of a sale when it ended: it is named by its unique sale number. */
export function hasUnread({ numberBy }: StoredReceipt): boolean {
  return numberBy === "none" || numberBy === "person";
}

/** What counts and names a number of a sale, or its unique sale number where nobody told it another, or a person alone. */
export function reversalsNaming(
  stores: Pick<ReversedStores, "audit" | "commands" | "devices" | "reversals">,
  sale: StoredReceipt,
): readonly Reversal[] {
  const { orgId, issuedAt } = sale;
  const known = knownNumbers(stores, sale);
  const numbers = [sale.fiscalId, sale.receiptNumber, known.fiscalId, known.receiptNumber].flatMap(
    // Rows of older versions have letters and zeros as they were written.
    (number) => (number === null ? [] : [paperNumbers(number).receiptNumber, number.trim()]),
  );
  const form = hasUnread(sale) ? saleNumberForm(sale.uniqueSaleNumber) : null;
  const names = [sale.fiscalMemorySerialNumber, sale.printerSerialNumber].flatMap(
    (name) => name ?? [],
  );
  const paper = {
    at: issuedAt,
    // One whose memory nobody knows may be named by it.
    memories: sale.fiscalMemorySerialNumber === null ? null : names.map(memoryForm),
    zNumber: dayOfNumber(stores, sale),
  };
  const found = [
    ...[...new Set(numbers)].flatMap((number) =>
      stores.reversals.listNaming(orgId, { ...paper, number }),
    ),
    ...(form === null ? [] : stores.reversals.listNamingSale(orgId, form, issuedAt)),
  ];
  return [...new Map(found.map((one) => [one.commandId, one])).values()];
}
