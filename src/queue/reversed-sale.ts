/** Which stored sale a `print_reversal_receipt` means: it names number, fiscal memory and day of a paper. */

import { isOnPaper } from "#core/command/settled.ts";
import { isSameMemory } from "#core/device/printer.ts";
import { meantSale, type NamedSale, namedBy } from "#core/named-sale.ts";
import type { StornoDocument } from "#core/receipt.ts";
import { leftOf } from "#core/receipt-left.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import { stornoFault } from "#core/reversal-fault.ts";
import { inCurrencyOf } from "#core/sale-in-euro.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import {
  documentNamed,
  isOfNamedDay,
  type NamedNumber,
  type NumberedStores,
  othersNumbered,
} from "#db/stores/numbered-receipts.ts";
import { isUnproven, isWordOfPerson } from "#db/stores/proven-number.ts";
import { type DocumentPrinterStores, documentReceipts } from "./document-printer.ts";

export type ReversedStores = DocumentPrinterStores & NumberedStores & Pick<Stores, "organizations">;

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
  return (
    meantOf(stores, named, stores.receipts.listNamed(command.orgId, named)) ??
    meantOf(stores, named, provenSales(stores, by, named)) ??
    unnumberedSales(stores, command, named).find((sale) =>
      fits(stores, sale, { command, document }),
    )
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
  return meantSale(
    named,
    sales.filter((sale) => mayBeMeant(stores, sale, named)),
  );
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

/** Of what people said, the newest is looked at: a number that is not known yet is proven soon, or never. */
const SAID_MAX = 200;

/** The sales with that unique sale number which a person called printed, and whose number nobody could say. */
function unnumberedSales(
  { outcomeHolds, receipts }: ReversedStores,
  { orgId }: NewCommand,
  { uniqueSaleNumber, by, fiscalMemorySerialNumber }: NamedSale,
): readonly StoredReceipt[] {
  if (uniqueSaleNumber === undefined) return [];
  const isOfNamed = ({ deviceId, fiscalMemorySerialNumber: memory }: StoredReceipt): boolean =>
    by.simulated || memory === null
      ? by.records.includes(deviceId)
      : isSameMemory(memory, fiscalMemorySerialNumber);
  return outcomeHolds
    .listSaidDocuments(orgId, SAID_MAX)
    .filter((said) => said.orgId === orgId && said.outcome === "printed" && said.fiscalId === null)
    .flatMap(({ commandId }) => receipts.ofCommand(commandId) ?? [])
    .filter((one) => one.type === "sale" && one.simulated === by.simulated)
    .filter(
      (sale) =>
        sale.fiscalId === null && sale.uniqueSaleNumber === uniqueSaleNumber && isOfNamed(sale),
    );
}

/** True where a storno takes back nothing that a sale did not have: else it is of another paper. */
function fits(
  { organizations }: ReversedStores,
  sale: StoredReceipt,
  { command, document }: { readonly command: NewCommand; readonly document: StornoDocument },
): boolean {
  const currency = command.currency ?? organizations.get(command.orgId)?.currency ?? "";
  const asked = inCurrencyOf(sale, document, currency);
  return stornoFault(sale, leftOf(sale, []), asked) === undefined;
}

/**
 * False for a sale that only seems to have the number: of another day, where numbers begin anew each day;
 * or of another unique sale number, where nobody but a person says that its paper has that.
 */
function mayBeMeant(stores: ReversedStores, sale: StoredReceipt, named: NamedSale): boolean {
  const { uniqueSaleNumber } = named;
  const own = sale.uniqueSaleNumber;
  // By its own unique sale number it is that one, whatever time is told.
  const issuedAt = own !== null && own === uniqueSaleNumber ? sale.issuedAt : named.issuedAt;
  if (!isOfNamedDay(stores, sale, numberOf({ ...named, issuedAt }))) return false;
  const isOther = own !== null && uniqueSaleNumber !== undefined && own !== uniqueSaleNumber;
  return !isOther || !isUnproven(stores, sale);
}
