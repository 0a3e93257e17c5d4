/** Which stored sales an order to reverse may mean: it names number, fiscal memory and day of a paper. */

import { paperNumbers } from "#core/command/settled.ts";
import { countsByKind } from "#core/device/numbering.ts";
import { isSameMemory } from "#core/device/printer.ts";
import { meantSale, type NamedSale, namedBy } from "#core/named-sale.ts";
import type { StornoDocument } from "#core/receipt.ts";
import { type Left, leftOf } from "#core/receipt-left.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import { stornoFault } from "#core/reversal-fault.ts";
import { inCurrencyOf } from "#core/sale-in-euro.ts";
import type { PossibleSales, Standing } from "#core/standing.ts";
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
  provenNumbered,
} from "./numbered-receipts.ts";
import {
  isMisread,
  isNamedOnPaper,
  isNumberedByDay,
  isSaidNumber,
  isUnproven,
  isWordOfPerson,
  knownNumbers,
  type NumberProofs,
} from "./proven-number.ts";

export type ReversedStores = DocumentPrinterStores &
  NumberedStores &
  Pick<Stores, "locations" | "organizations" | "reversals">;

/** Of the sales with one unique sale number that may be meant the newest are: each should have its own. */
const UNREAD_MAX = 50;

/** What was looked up and judged already, so that nothing is twice. Only as long as nothing is written. */
export class Judged {
  readonly told = new Map<string, ToldSales>();
  readonly unread = new Map<string, readonly StoredReceipt[]>();
  readonly standings = new Map<string, Standing<StoredReceipt>>();
  readonly placed = new Map<string, ReadonlyMap<string, StoredReceipt>>();
}

/** What stands under a key already, else what is made and kept. */
export function kept<T>(known: Map<string, T>, key: string, make: () => T): T {
  const one = known.get(key) ?? make();
  known.set(key, one);
  return one;
}

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

/** True where a sale is known to have another paper than the one that is named: by its printer's word. */
export function isKnownOther(
  stores: NumberedStores,
  sale: StoredReceipt,
  { original }: StornoDocument,
): boolean {
  if (tellerOf(stores, sale) !== "printer") return false;
  const { fiscalId, receiptNumber } = knownNumbers(stores, sale);
  if (fiscalId === null && receiptNumber === null) return false;
  return !isNamedOnPaper(stores, sale, original);
}

/** Of the sales that have the named number the one that is meant by each word. */
export function numberedSales(
  stores: ReversedStores,
  asked: AskedStorno,
  judged: Judged = new Judged(),
): Pick<PossibleSales<StoredReceipt>, "printer" | "till" | "person" | "misread"> {
  const { command, named } = asked;
  const told = kept(judged.told, JSON.stringify([command.orgId, named]), () =>
    toldSales(stores, asked),
  );
  const isSince = (sale: StoredReceipt): boolean => isMadeSince(stores, sale, command);
  const meantBy = (teller: "printer" | "till" | "person") =>
    meantSale(
      named,
      told.sales.filter((sale) => tellerOf(stores, sale) === teller && !isSince(sale)),
    );
  const misread = [...told.ofOther, ...told.sales.filter(isSince)].filter(
    (sale) => tellerOf(stores, sale) === "person" && isOfThatDay(stores, sale, named),
  );
  return { printer: meantBy("printer"), till: meantBy("till"), person: meantBy("person"), misread };
}

/** False where numbers begin anew each day, and nobody knows whether a sale is of the day that is named. */
function isOfThatDay(stores: NumberedStores, sale: StoredReceipt, named: NamedSale): boolean {
  if (!isNumberedByDay(stores, sale)) return true;
  const { zReportNumber: day } = knownNumbers(stores, sale);
  return day !== null && Number(day) === Number(named.zReportNumber);
}

/** The sales that have a number by anybody's word, as far as no printer proved another one. */
export interface ToldSales {
  readonly sales: readonly StoredReceipt[];
  /** Those of another unique sale number, which have it by a person's word alone. */
  readonly ofOther: readonly StoredReceipt[];
}

function toldSales(stores: ReversedStores, { command, by, named }: AskedStorno): ToldSales {
  const proper = stores.receipts
    .listNamed(command.orgId, named)
    .filter((sale) => isOfNamedTime(stores, sale, named) && !isMisread(stores, sale));
  const ofOther = proper.filter((sale) => isOfOtherSale(stores, sale, named));
  const own = proper.filter((sale) => !ofOther.includes(sale));
  const sales = unique([...own, ...provenSales(stores, by, named)]);
  return { sales: byReceiptNumber(stores, sales, named), ofOther };
}

/**
 * Where documents and receipts are counted apart a sale is named by the number of its receipt, which may be that
 * of another one's document: of those that were told by a printer or a till the ones that have it so, if any.
 */
function byReceiptNumber(
  stores: NumberedStores,
  sales: readonly StoredReceipt[],
  { numbers: [named = ""] }: NamedSale,
): readonly StoredReceipt[] {
  const isRead = (sale: StoredReceipt): boolean => tellerOf(stores, sale) !== "person";
  const others = sales.filter((sale) => isRead(sale) && hasOtherReceiptNumber(stores, sale, named));
  const isExact = sales.some((sale) => isRead(sale) && !others.includes(sale));
  return isExact ? sales.filter((sale) => !others.includes(sale)) : sales;
}

/** True where documents and receipts are counted apart, and the receipt of a sale is known to have another number. */
export function hasOtherReceiptNumber(
  stores: NumberedStores,
  sale: StoredReceipt,
  named: string,
): boolean {
  if (!countsByKind(stores.devices.find(sale.deviceId)?.driver)) return false;
  const { receiptNumber } = knownNumbers(stores, sale);
  if (receiptNumber === null) return false;
  return paperNumbers(receiptNumber).receiptNumber !== paperNumbers(named).receiptNumber;
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
  return meantSale(named, proper.length > 0 ? byReceiptNumber(stores, proper, named) : possible);
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
  return provenNumbered(stores, printer, documentNamed(numberOf(named))).filter(
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
 * had what is taken back: the newest first. None that began only after the command was accepted. Those whose
 * number nobody knows, or that have the one which is named; where there is none, those of which a person said
 * another; and where there is none either, those whose printer told another one since.
 */
export function unnumberedSales(
  stores: ReversedStores,
  asked: AskedStorno,
  judged: Judged = new Judged(),
): Pick<PossibleSales<StoredReceipt>, "bySaleNumber" | "isOtherNumber"> {
  const { command, document, named } = asked;
  const { uniqueSaleNumber: form, by, fiscalMemorySerialNumber } = named;
  if (form === null) return { bySaleNumber: [], isOtherNumber: false };
  const isOfNamed = ({
    deviceId,
    fiscalMemorySerialNumber: memory,
    printerSerialNumber: serial,
  }: StoredReceipt): boolean => {
    if (by.simulated) return by.records.includes(deviceId);
    // Where its memory was not known yet, the printer was named by its own number.
    if (serial !== null && serial === fiscalMemorySerialNumber) return true;
    return memory === null
      ? by.records.includes(deviceId)
      : isSameMemory(memory, fiscalMemorySerialNumber);
  };
  const { orgId } = command;
  const listed = kept(judged.unread, JSON.stringify([orgId, form]), () =>
    stores.receipts.listUnnumbered(orgId, form),
  );
  const sales = listed
    .filter((sale) => sale.simulated === by.simulated && isOfNamed(sale))
    .filter((sale) => !isMadeSince(stores, sale, command))
    .filter((sale) => hadSuch(stores, sale, asked));
  const byKnown = Map.groupBy(sales, (sale) => knownOf(stores, sale, document));
  const possible = byKnown.get("nothing") ?? [];
  const isOtherNumber = possible.length === 0;
  const others = byKnown.get("person") ?? byKnown.get("printer") ?? [];
  return { bySaleNumber: (isOtherNumber ? others : possible).slice(0, UNREAD_MAX), isOtherNumber };
}

/** By whose word a sale has another number than the one that is named, as far as anybody told one. */
function knownOf(
  stores: NumberedStores,
  sale: StoredReceipt,
  document: StornoDocument,
): "nothing" | "person" | "printer" {
  if (tellerOf(stores, sale) === "person") {
    return isNamedOnPaper(stores, sale, document.original) ? "nothing" : "person";
  }
  // What an app tells beside the number of the receipt may be an id of its own.
  const isOnPaperAlone = knownNumbers(stores, sale).receiptNumber !== null;
  return isOnPaperAlone && isKnownOther(stores, sale, document) ? "printer" : "nothing";
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

/** False for a sale that only seems to have the number: see the two of which it is made. */
function mayBeMeant(stores: ReversedStores, sale: StoredReceipt, named: NamedSale): boolean {
  return isOfNamedTime(stores, sale, named) && !isOfOtherSale(stores, sale, named);
}

/** False for a sale of another day or round, where numbers begin anew. */
function isOfNamedTime(stores: ReversedStores, sale: StoredReceipt, named: NamedSale): boolean {
  const { uniqueSaleNumber } = named;
  const own = saleNumberForm(sale.uniqueSaleNumber);
  // By its own unique sale number it is that one, whatever time is told.
  const issuedAt = own !== null && own === uniqueSaleNumber ? sale.issuedAt : named.issuedAt;
  const number = numberOf({ ...named, issuedAt });
  return isOfNamedDay(stores, sale, number) && isOfNamedRound(stores, sale, number);
}

/** True for one of another unique sale number, where nobody but a person says that its paper has the number. */
function isOfOtherSale(
  stores: ReversedStores,
  sale: StoredReceipt,
  { uniqueSaleNumber }: NamedSale,
): boolean {
  const own = saleNumberForm(sale.uniqueSaleNumber);
  const isOther = own !== null && uniqueSaleNumber !== null && own !== uniqueSaleNumber;
  return isOther && isUnproven(stores, sale);
}
