/** Which stored sale a `print_reversal_receipt` means: it names number, fiscal memory and day of a paper. */

import { isOnPaper } from "#core/command/settled.ts";
import { isSameMemory } from "#core/device/printer.ts";
import { meantSale, type NamedSale, namedBy } from "#core/named-sale.ts";
import type { StornoDocument } from "#core/receipt.ts";
import { type Left, leftOf } from "#core/receipt-left.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import { stornoFault } from "#core/reversal-fault.ts";
import { inCurrencyOf } from "#core/sale-in-euro.ts";
import { saleNumberForm } from "#core/unique-sale-number.ts";
import type { NewCommand } from "./commands.ts";
import { type DocumentPrinterStores, documentReceipts } from "./document-printer.ts";
import type { Stores } from "./index.ts";
import {
  documentNamed,
  isOfNamedDay,
  isOfNamedRound,
  type NamedNumber,
  type NumberedStores,
  othersNumbered,
} from "./numbered-receipts.ts";
import { isMisread, isUnproven, isWordOfPerson } from "./proven-number.ts";
import { leftOfSale } from "./sale-left.ts";

export type ReversedStores = DocumentPrinterStores &
  NumberedStores &
  Pick<Stores, "organizations" | "reversals">;

/** What is asked for, and what it names. */
interface AskedStorno {
  readonly command: NewCommand;
  readonly document: StornoDocument;
  readonly named: NamedSale;
}

/** The one that a reversal takes back; undefined where the gateway does not have it. */
export function reversedSale(
  stores: ReversedStores,
  command: NewCommand,
  document: StornoDocument,
): StoredReceipt | undefined {
  const byId = stores.receipts.get(command.orgId, document.original.receiptNumber);
  if (byId?.type === "sale") return byId;
  const by = documentReceipts(stores, command);
  const named = namedBy(by, document);
  const stored = meantOf(stores, named, stores.receipts.listNamed(command.orgId, named));
  if (stored !== undefined && !isMisread(stores, stored)) return stored;
  return (
    meantOf(stores, named, provenSales(stores, by, named)) ??
    unnumberedSale(stores, { command, document, named }) ??
    stored
  );
}

/**
 * True where nothing but the unique sale number tells that a storno is of a sale. That may stand on several
 * papers, and another of them may turn out to have the number that is named.
 */
export function isMeantByUniqueNumber(sale: StoredReceipt, { original }: StornoDocument): boolean {
  const { id, fiscalId, receiptNumber } = sale;
  if (fiscalId !== null || id === original.receiptNumber) return false;
  // A controller may tell the receipt's number alone.
  return receiptNumber === null || !isOnPaper({ data: { receiptNumber } }, original.receiptNumber);
}

function meantOf(
  stores: ReversedStores,
  named: NamedSale,
  sales: readonly StoredReceipt[],
): StoredReceipt | undefined {
  const possible = sales.filter((sale) => mayBeMeant(stores, sale, named));
  // One that was misread is only meant where no other has the number.
  const proper = possible.filter((sale) => !isMisread(stores, sale));
  return meantSale(named, proper.length > 0 ? proper : possible);
}

/**
 * Sales whose printer proved that they have the number, beside the one that a person said and that they are
 * stored under: rows of older versions tell nothing of it.
 */
function provenSales(
  stores: ReversedStores,
  by: ReceiptPrinter,
  named: NamedSale,
): readonly StoredReceipt[] {
  const printer = printerNamed(by, named.fiscalMemorySerialNumber);
  return othersNumbered(stores, printer, documentNamed(numberOf(named))).filter(
    (sale) => sale.type === "sale" && isWordOfPerson(stores, sale) && !isUnproven(stores, sale),
  );
}

/** The printer of a fiscal memory that a reversal names, whichever printer it is sent to. */
export function printerNamed(by: ReceiptPrinter, fiscalMemorySerialNumber: string): ReceiptPrinter {
  // A simulated one goes by its record: it shares its numbers with others of its model.
  return by.simulated ? by : { ...by, fiscalMemorySerialNumber };
}

function numberOf({ numbers, zReportNumber, issuedAt: at }: NamedSale): NamedNumber {
  const [fiscalId = ""] = numbers;
  return { fiscalId, zReportNumber: zReportNumber ?? null, at };
}

/**
 * The sale that is meant by its unique sale number alone. That may stand on several papers: of those that had
 * what is taken back it is one that has as much left, else the newest.
 */
function unnumberedSale(stores: ReversedStores, asked: AskedStorno): StoredReceipt | undefined {
  const had = unnumberedSales(stores, asked).filter((sale) =>
    fits(stores, sale, { ...asked, left: leftOf(sale, []) }),
  );
  const [newest, ...others] = had;
  if (others.length === 0) return newest;
  const hasLeft = (sale: StoredReceipt): boolean =>
    fits(stores, sale, { ...asked, left: leftOfSale(stores, sale, asked.command.id) });
  return had.find(hasLeft) ?? newest;
}

/**
 * The sales with that unique sale number whose number neither their printer told, nor a person. None that
 * began only after the command was accepted.
 */
function unnumberedSales(
  stores: ReversedStores,
  { command, named }: AskedStorno,
): readonly StoredReceipt[] {
  const { uniqueSaleNumber, by, fiscalMemorySerialNumber } = named;
  if (uniqueSaleNumber === null) return [];
  const isOfNamed = ({ deviceId, fiscalMemorySerialNumber: memory }: StoredReceipt): boolean =>
    by.simulated || memory === null
      ? by.records.includes(deviceId)
      : isSameMemory(memory, fiscalMemorySerialNumber);
  return stores.receipts
    .listUnnumbered(command.orgId, uniqueSaleNumber)
    .filter((sale) => sale.simulated === by.simulated && isOfNamed(sale))
    .filter((sale) => !isMadeSince(stores, sale, command));
}

/** True for a sale that had not begun when the command was accepted: what that named is another one's. */
export function isMadeSince(
  { commands }: Pick<Stores, "commands">,
  { orgId, commandId }: StoredReceipt,
  { id }: NewCommand,
): boolean {
  const by = commandId === null ? undefined : commands.get(orgId, commandId);
  const own = commands.get(orgId, id);
  if (by === undefined || own === undefined) return false;
  if (by.seq > own.seq) return true;
  if (by.sentAt === null) return false;
  // Older versions kept no order of what they accepted, and what they sent is of before.
  if (own.acceptedOrder === null) return by.sentAt > own.createdAt;
  return (by.sentOrder ?? 0) >= own.acceptedOrder;
}

/** True where a storno takes back nothing beyond that of a sale: else it is of another paper. */
function fits(
  { organizations }: ReversedStores,
  sale: StoredReceipt,
  { command, document, left }: AskedStorno & { readonly left: Left },
): boolean {
  const currency = command.currency ?? organizations.get(command.orgId)?.currency ?? "";
  const asked = inCurrencyOf(sale, document, currency);
  return stornoFault(sale, left, asked) === undefined;
}

/**
 * False for a sale that only seems to have the number: of another day or round, where numbers begin anew;
 * or of another unique sale number, where nobody but a person says that its paper has that.
 */
function mayBeMeant(stores: ReversedStores, sale: StoredReceipt, named: NamedSale): boolean {
  const { uniqueSaleNumber } = named;
  const own = saleNumberForm(sale.uniqueSaleNumber);
  // By its own unique sale number it is that one, whatever time is told.
  const issuedAt = own !== null && own === uniqueSaleNumber ? sale.issuedAt : named.issuedAt;
  const number = numberOf({ ...named, issuedAt });
  if (!isOfNamedDay(stores, sale, number) || !isOfNamedRound(stores, sale, number)) return false;
  const isOther = own !== null && uniqueSaleNumber !== null && own !== uniqueSaleNumber;
  return !isOther || !isUnproven(stores, sale);
}
