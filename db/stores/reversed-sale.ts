/** Which stored sales an order to reverse may mean: it names number, fiscal memory and day of a paper. */

import { isSameMemory } from "#core/device/printer.ts";
import { meantSale, type NamedSale, namedBy } from "#core/named-sale.ts";
import type { StornoDocument } from "#core/receipt.ts";
import { type Left, leftOf } from "#core/receipt-left.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import { stornoFault } from "#core/reversal-fault.ts";
import { inCurrencyOf } from "#core/sale-in-euro.ts";
import type { PossibleSales } from "#core/standing.ts";
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
import {
  isMisread,
  isNamedOnPaper,
  isSaidNumber,
  isUnproven,
  isWordOfPerson,
  knownNumbers,
  type NumberProofs,
} from "./proven-number.ts";

export type ReversedStores = DocumentPrinterStores &
  NumberedStores &
  Pick<Stores, "locations" | "organizations" | "reversals">;

/** What is asked for, and what it names. */
export interface AskedStorno {
  readonly command: NewCommand;
  readonly document: StornoDocument;
  /** The printer that it is sent to. */
  readonly by: ReceiptPrinter;
  readonly named: NamedSale;
}

/** What an order names, as it is looked for. */
export function askedStorno(
  stores: ReversedStores,
  command: NewCommand,
  document: StornoDocument,
): AskedStorno {
  const by = documentReceipts(stores, command);
  return { command, document, by, named: namedBy(by, document) };
}

/** The sale that is named by the id which the gateway gave it; undefined for any other number. */
export function saleWithId(
  { receipts }: Pick<Stores, "receipts">,
  { command, document }: Pick<AskedStorno, "command" | "document">,
): StoredReceipt | undefined {
  const byId = receipts.get(command.orgId, document.original.receiptNumber);
  return byId?.type === "sale" ? byId : undefined;
}

/**
 * True where nothing but the unique sale number tells that a storno is of a sale. That may stand on several
 * papers, and another of them may turn out to have the number that is named.
 */
export function isMeantByUniqueNumber(
  stores: NumberedStores,
  sale: StoredReceipt,
  { original }: StornoDocument,
): boolean {
  return sale.id !== original.receiptNumber && !isNamedOnPaper(stores, sale, original);
}

/** True where a sale is known to have another paper than the one that is named: by its printer's word. */
export function isKnownOther(
  stores: NumberProofs,
  sale: StoredReceipt,
  { original }: StornoDocument,
): boolean {
  if (tellerOf(stores, sale) !== "printer") return false;
  const { fiscalId, receiptNumber } = knownNumbers(stores, sale);
  if (fiscalId === null && receiptNumber === null) return false;
  return !isNamedOnPaper(stores, sale, original);
}

/**
 * What was found by names already, so that orders which name the same paper are looked up once. Only as long
 * as nothing is written.
 */
export type Searched = Map<string, readonly StoredReceipt[]>;

/** Of the sales that have the named number the one that is meant by each word. */
export function numberedSales(
  stores: ReversedStores,
  asked: AskedStorno,
  searched: Searched = new Map(),
): Pick<PossibleSales<StoredReceipt>, "printer" | "till" | "person" | "misread"> {
  const { command, named } = asked;
  const key = JSON.stringify([command.orgId, named]);
  const told = searched.get(key) ?? toldSales(stores, asked);
  searched.set(key, told);
  const since = told.filter((sale) => isMadeSince(stores, sale, command));
  const meantBy = (teller: "printer" | "till" | "person") =>
    meantSale(
      named,
      told.filter((sale) => tellerOf(stores, sale) === teller && !since.includes(sale)),
    );
  return {
    ...{ printer: meantBy("printer"), till: meantBy("till"), person: meantBy("person") },
    misread: since.filter((sale) => tellerOf(stores, sale) === "person"),
  };
}

/** All that have the number by anybody's word, as far as no printer proved another one. */
function toldSales(
  stores: ReversedStores,
  { command, by, named }: AskedStorno,
): readonly StoredReceipt[] {
  const proper = stores.receipts
    .listNamed(command.orgId, named)
    .filter((sale) => mayBeMeant(stores, sale, named) && !isMisread(stores, sale));
  return unique([...proper, ...provenSales(stores, by, named)]);
}

function unique(sales: readonly StoredReceipt[]): readonly StoredReceipt[] {
  return [...new Map(sales.map((sale) => [sale.id, sale])).values()];
}

/** By whose word a sale has the number that is on its paper as far as anybody knows. */
export function tellerOf(stores: NumberProofs, sale: StoredReceipt): "printer" | "till" | "person" {
  if (sale.numberBy === "till") return "till";
  return isUnproven(stores, sale) && !isMisread(stores, sale) ? "person" : "printer";
}

/** The sale that an order means by a number, which may be misread: what refuses that is said of the sale. */
export function numberedSale(
  stores: ReversedStores,
  { command, by, named }: AskedStorno,
): { readonly sale: StoredReceipt | undefined; readonly isMisread: boolean } {
  const stored = meantOf(stores, named, stores.receipts.listNamed(command.orgId, named));
  if (stored !== undefined && !isMisread(stores, stored)) return { sale: stored, isMisread: false };
  const known = provenSales(stores, by, named).filter((sale) => !isMisread(stores, sale));
  const proven = meantOf(stores, named, known);
  return { sale: proven ?? stored, isMisread: proven === undefined };
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
 * stored under, or in place of it.
 */
function provenSales(
  stores: ReversedStores,
  by: ReceiptPrinter,
  named: NamedSale,
): readonly StoredReceipt[] {
  const printer = printerNamed(by, named.fiscalMemorySerialNumber);
  return othersNumbered(stores, printer, documentNamed(numberOf(named))).filter(
    (sale) => sale.type === "sale" && isWordOfPerson(sale) && !isSaidNumber(stores, sale),
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
 * The sales with that unique sale number whose number nobody told when they ended, or a person alone, and that
 * had what is taken back: the newest first. None that began only after the command was accepted. Those that may
 * have the number which is named, or where none may, those whose printer told another one since.
 */
export function unnumberedSales(
  stores: ReversedStores,
  asked: AskedStorno,
): Pick<PossibleSales<StoredReceipt>, "bySaleNumber" | "isOtherNumber"> {
  const { uniqueSaleNumber, by, fiscalMemorySerialNumber } = asked.named;
  if (uniqueSaleNumber === null) return { bySaleNumber: [], isOtherNumber: false };
  const isOfNamed = (sale: StoredReceipt): boolean =>
    by.simulated || sale.fiscalMemorySerialNumber === null
      ? by.records.includes(sale.deviceId)
      : // Where its memory was not known yet, the printer was named by its own number.
        isSameMemory(sale.fiscalMemorySerialNumber, fiscalMemorySerialNumber) ||
        sale.printerSerialNumber === fiscalMemorySerialNumber;
  const sales = stores.receipts
    .listUnnumbered(asked.command.orgId, uniqueSaleNumber)
    .filter((sale) => sale.simulated === by.simulated && isOfNamed(sale))
    .filter((sale) => !isMadeSince(stores, sale, asked.command))
    .filter((sale) => hadSuch(stores, sale, asked));
  const possible = sales.filter((sale) => mayHavePaper(stores, sale, asked.document));
  const isOtherNumber = possible.length === 0;
  return { bySaleNumber: isOtherNumber ? sales : possible, isOtherNumber };
}

/** False where its printer told the number of its receipt: what an app tells beside that may be an id of its own. */
function mayHavePaper(
  stores: NumberProofs,
  sale: StoredReceipt,
  document: StornoDocument,
): boolean {
  const isOnPaperAlone = knownNumbers(stores, sale).receiptNumber !== null;
  return !(isOnPaperAlone && isKnownOther(stores, sale, document));
}

/** True for a sale that had not begun when the command was accepted: what that named is another one's. */
export function isMadeSince(
  { commands }: Pick<Stores, "commands">,
  { orgId, commandId }: StoredReceipt,
  { id }: Pick<NewCommand, "id">,
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

/** True for a sale that had what goes back, whatever went back of it before: else that is of another paper. */
export function hadSuch(
  stores: Pick<Stores, "organizations">,
  sale: StoredReceipt,
  asked: AskedStorno,
): boolean {
  return fits(stores, sale, { ...asked, left: leftOf(sale, []) });
}

/** True where a storno takes back nothing beyond what is left of a sale. */
export function fits(
  { organizations }: Pick<Stores, "organizations">,
  sale: StoredReceipt,
  { command, document, left }: Pick<AskedStorno, "command" | "document"> & { readonly left: Left },
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
