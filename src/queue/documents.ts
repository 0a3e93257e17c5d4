/** What commands print, and which stored sale they reverse: never more than is left of it. */

import type { CommandType } from "#core/command/catalogue.ts";
import { type PrintReceiptPayload, toSaleDocument } from "#core/command/types/print-receipt.ts";
import {
  type PrintReversalReceiptPayload,
  toStornoDocument,
} from "#core/command/types/print-reversal-receipt.ts";
import { toVoidingDocument, type VoidReceiptPayload } from "#core/command/types/void-receipt.ts";
import type { ApiError } from "#core/errors.ts";
import { isReplacedBy } from "#core/euro.ts";
import type { FiscalDocument, StornoDocument } from "#core/receipt.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import {
  ADJUSTED_SALE,
  beyondSale,
  excessOf,
  type LeftFault,
  originalFault,
  type Reversing,
  stornoFault,
} from "#core/reversal-fault.ts";
import { inCurrencyOf } from "#core/sale-in-euro.ts";
import { currencyOf } from "#db/stores/command-currency.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import { timezoneOfDevice } from "#db/stores/device-place.ts";
import { type DocumentPrinterStores, documentReceipts } from "#db/stores/document-printer.ts";
import { givenNumberFault, misreadNumberFault } from "#db/stores/given-number.ts";
import type { Stores } from "#db/stores/index.ts";
import type { NamedNumber } from "#db/stores/numbered-receipts.ts";
import { isMisread } from "#db/stores/proven-number.ts";
import type { Reversal } from "#db/stores/reversals.ts";
import {
  isMadeSince,
  isMeantByUniqueNumber,
  printerNamed,
  reversedSale,
} from "#db/stores/reversed-sale.ts";
import { leftOfSale } from "#db/stores/sale-left.ts";
import { severalRefusal, voidedReceipt } from "./voided-receipt.ts";
import { earlierFault } from "./waiting-reversals.ts";

const REVERSING: readonly CommandType[] = ["print_reversal_receipt", "void_receipt"];

/** True for commands that take back an earlier receipt. */
export function isReversing({ type }: Pick<NewCommand, "type">): boolean {
  return REVERSING.includes(type);
}

/** A document, and the stored receipt that it reverses, which is looked for when it is first asked for. */
interface Printed {
  readonly document: FiscalDocument;
  readonly original: StoredReceipt | undefined;
}

/** What a storno takes from a stored sale. */
interface SaleReversal {
  readonly originalReceiptId: string;
  /** In the currency of the sale, as the amount. */
  readonly items: StornoDocument["items"];
  /** Minor units. */
  readonly amountMinor: number;
  /** What it is paid back in. */
  readonly currency: string;
}

/** Either, or neither where the gateway has no such sale. */
interface Judged {
  readonly reversal?: SaleReversal;
  /** Why it may not. */
  readonly refused?: ApiError | undefined;
}

/** Why a command that was accepted is not sent. */
export interface Overtaken {
  readonly code: "E401" | "E402";
  readonly message: string;
}

/** Of them it is read what a command prints, what it takes back, and what is left of that. */
export type DocumentStores = DocumentPrinterStores &
  Pick<Stores, "audit" | "commands" | "locations" | "organizations" | "receipts" | "reversals">;

/** Makes the look-up over the stores. */
export function createDocuments(stores: DocumentStores) {
  const { originalOf, documentOf } = createPrinted(stores);
  const { meantBy, earlierOf } = createMeant(stores, documentOf);
  const judge = createJudge(stores, documentOf, earlierOf);

  /** @throws ApiError UNPROCESSABLE_ENTITY where another one, accepted before, may take its sale back */
  const requireFirst = (command: NewCommand, { orgId, originalReceiptId }: Reversal): void => {
    const sale = stores.receipts.get(orgId, originalReceiptId);
    const earlier = sale && earlierOf(command, sale);
    if (earlier) throw earlier;
  };

  /**
   * What a command reverses of a stored sale; undefined where the gateway has none.
   * @throws ApiError UNPROCESSABLE_ENTITY for more than is left of it, and where it is not taken back
   * by that at all
   */
  const reversalOf = (command: NewCommand): SaleReversal | undefined => {
    const { refused, reversal } = judge(command);
    if (refused) throw refused;
    return reversal;
  };

  /**
   * Why a command whose sale nobody knew when it was accepted is not sent. Of a void nothing but the
   * number tells what is meant: a receipt that has it by now may be the next customer's.
   */
  const unforeseen = (command: NewCommand): Overtaken | undefined => {
    const printed = documentOf(command);
    const fault = judge(command, printed).refused?.message;
    const { original } = printed ?? {};
    if (command.type === "void_receipt") {
      return { code: "E401", message: fault ?? unknownWords(original) };
    }
    const message =
      original === undefined ? fault : (laterFault(stores, command, original) ?? fault);
    return message === undefined ? undefined : { code: "E402", message };
  };

  /** Why an accepted command does not take back what it was to of a sale; undefined when it may. */
  const overtakenBy = (command: NewCommand): Overtaken | undefined => {
    if (!isReversing(command)) return undefined;
    const reserved = stores.reversals.of(command.id);
    // A repaired database may have lost the receipt.
    const isLost = command.type === "void_receipt" && originalOf(command) === undefined;
    if (!reserved || isLost) return unforeseen(command);
    const message = beyondReserved(command, reserved);
    return message === undefined ? undefined : { code: "E402", message };
  };

  /** Why that is not what it was reserved for any more. */
  const beyondReserved = (command: NewCommand, reserved: Reversal): string | undefined => {
    const sale = stores.receipts.get(command.orgId, reserved.originalReceiptId);
    const document = documentOf(command)?.document;
    if (!sale || document?.kind !== "storno") return undefined;
    const by = reversingBy(stores, command);
    const currency = paidBackIn(stores, reserved, { command, document });
    const isConverted = currency !== sale.currency;
    if (isConverted && currency !== by.currency) return otherCurrency(currency, by.currency);
    const fault =
      misreadRefusal(stores, command, sale) ??
      originalFault(sale, { ...by, isPriced: isConverted }) ??
      givenNumberFault(stores, sale) ??
      excessOf(leftOfSale(stores, sale, command.id), inCurrencyOf(sale, document, currency)) ??
      // Nobody may have known yet, when this was accepted, that one that is out means this sale.
      earlierOf(command, sale, true);
    return fault?.message;
  };

  return { originalOf, documentOf, meantBy, reversalOf, requireFirst, overtakenBy };
}

/** Makes the look-up of what a command means that counts on no sale, and of such as mean the same one. */
function createMeant(
  stores: DocumentStores,
  documentOf: (command: NewCommand) => Printed | undefined,
) {
  /**
   * The sale that a command means which is counted against none, as far as is known by now: never one
   * that began only after it was accepted, or whose paper has another number than it is stored under.
   */
  const meantBy = (command: NewCommand): StoredReceipt | undefined => {
    const { original } = documentOf(command) ?? {};
    if (original === undefined || isMadeSince(stores, original, command)) return undefined;
    return isMisread(stores, original) ? undefined : original;
  };
  const earlierOf = (
    command: NewCommand,
    original: StoredReceipt,
    isCounted = false,
  ): ApiError | undefined => {
    const isMeantBy = (other: NewCommand): boolean =>
      other.simulated === original.simulated && meantBy(other)?.id === original.id;
    return earlierFault(stores, { command, original, isCounted, isMeantBy });
  };
  return { meantBy, earlierOf };
}

/** What reverses, as far as its sale has to be like it. */
function reversingBy(
  { organizations }: Pick<Stores, "organizations">,
  { orgId, simulated }: NewCommand,
): Reversing {
  return { currency: organizations.get(orgId)?.currency ?? "", simulated };
}

/** Asked when a command is accepted, and at its turn where nobody knew its sale by then. */
function createJudge(
  stores: DocumentStores,
  documentOf: (command: NewCommand) => Printed | undefined,
  earlierOf: (command: NewCommand, sale: StoredReceipt) => ApiError | undefined,
): (command: NewCommand, printed?: Printed) => Judged {
  return (command, printed = documentOf(command)) => {
    if (!isReversing(command)) return {};
    const several = severalRefusal(stores, command);
    if (several) return { refused: several };
    const { document, original } = printed ?? {};
    const misread = misreadRefusal(stores, command, original);
    if (misread !== undefined || original === undefined) return { refused: misread };
    if (document?.kind !== "storno") return {};
    const originalReceiptId = original.id;
    const { items, payments, reason } = document;
    const by = reversingBy(stores, command);
    const isPriced = command.type === "print_reversal_receipt";
    const asked = inCurrencyOf(original, { items, payments, reason }, by.currency);
    const fault =
      originalFault(original, { ...by, isPriced }) ??
      givenNumberFault(stores, original) ??
      (command.type === "void_receipt" ? adjustedFault(original) : undefined) ??
      stornoFault(original, leftOfSale(stores, original), asked);
    if (fault) return { refused: beyondSale(original, fault) };
    const earlier = earlierOf(command, original);
    if (earlier) return { refused: earlier };
    // Until it has ended it keeps others from that: which paper it took back, its end tells.
    if (isPriced && isMeantByUniqueNumber(original, document)) return {};
    const amountMinor = documentTotalMinor(asked.items);
    const { currency } = by;
    return { reversal: { items: asked.items, amountMinor, currency, originalReceiptId } };
  };
}

/**
 * The currency that a reserved reversal is paid back in. Older versions did not keep it: it is that of
 * the shop at its acceptance, and where nobody knows that any more, the sums tell it.
 */
export function paidBackIn(
  stores: Pick<Stores, "audit" | "organizations" | "receipts">,
  { currency, orgId, originalReceiptId, amountMinor }: Reversal,
  { command, document }: { readonly command: NewCommand; readonly document: FiscalDocument },
): string {
  const known = currency ?? currencyOf(stores, command);
  if (known !== null) return known;
  const sale = stores.receipts.get(orgId, originalReceiptId);
  if (sale === undefined) return stores.organizations.get(orgId)?.currency ?? "";
  // What is taken from the sale was kept in its currency.
  const isConverted = documentTotalMinor(document.items) !== amountMinor;
  return isConverted && isReplacedBy(sale.currency, "EUR") ? "EUR" : sale.currency;
}

/** A document whose sale takes a search, made once where somebody wants to know it. */
function searched(document: FiscalDocument, search: () => StoredReceipt | undefined): Printed {
  let found: { readonly sale: StoredReceipt | undefined } | undefined;
  return {
    document,
    get original() {
      found ??= { sale: search() };
      return found.sale;
    },
  };
}

/** Makes the look-up of documents and of the stored receipts that they reverse. */
function createPrinted(stores: DocumentStores) {
  const originalOf = (command: NewCommand) => voidedReceipt(stores, command);

  /** What a command prints, and the stored receipt that it reverses. */
  const documentOf = (command: NewCommand): Printed | undefined => {
    switch (command.type) {
      case "print_receipt": {
        const document = toSaleDocument(command.payload as PrintReceiptPayload);
        return { document, original: undefined };
      }
      case "print_reversal_receipt": {
        const timezone = timezoneOfDevice(stores, command);
        const document = toStornoDocument(command.payload as PrintReversalReceiptPayload, timezone);
        return searched(document, () => reversedSale(stores, command, document));
      }
      case "void_receipt": {
        const original = originalOf(command);
        return original && { document: toVoidingDocument(original), original };
      }
      default:
        return undefined;
    }
  };

  return { originalOf, documentOf };
}

/**
 * Of a command that names no sale by what it is stored as, or one whose number nobody knows: the paper with
 * that number may be of one that is stored under another, which a person misread. Nothing would be counted
 * against that sale.
 */
function misreadRefusal(
  stores: DocumentStores,
  command: NewCommand,
  original: StoredReceipt | undefined,
): ApiError | undefined {
  if (original !== undefined && original.fiscalId !== null) return undefined;
  const { sale, fault } = misreadNumberFault(stores, ...namedNumber(stores, command)) ?? {};
  return sale && fault && beyondSale(sale, fault);
}

/** Why one does not mean a sale that is known by now, or cannot any more. */
function laterFault(
  stores: DocumentStores,
  command: NewCommand,
  sale: StoredReceipt,
): string | undefined {
  if (isMadeSince(stores, sale, command)) return sinceWords(sale);
  const { currency } = reversingBy(stores, command);
  const asked = command.currency ?? currency;
  return asked === currency ? undefined : otherCurrency(asked, currency);
}

function otherCurrency(asked: string, now: string): string {
  return `It was asked for in ${asked}, and the shop sells in ${now} now`;
}

/** @param sale has the number that was named by now */
function sinceWords({ id, fiscalId, receiptNumber }: StoredReceipt): string {
  return (
    `The printer gave number ${fiscalId ?? receiptNumber} to receipt ${id}, which it printed after ` +
    "this was asked for: look at the number on the paper that is taken back"
  );
}

/** @param receipt the one that a void names by now */
function unknownWords(receipt: StoredReceipt | undefined): string {
  if (receipt === undefined) {
    return "No receipt with this id is known for the device; print a reversal instead";
  }
  return (
    `No receipt had this number yet when the void was asked for, and ${receipt.id} has it by now: ` +
    "where that is the one, ask for a void of that id"
  );
}

/** The printer whose number a reversing command names, and the number. */
function namedNumber(
  stores: DocumentStores,
  command: NewCommand,
): readonly [ReceiptPrinter, NamedNumber] {
  const printer = documentReceipts(stores, command);
  if (command.type === "void_receipt") {
    const { receiptId: fiscalId } = command.payload as VoidReceiptPayload;
    return [printer, { fiscalId, zReportNumber: null, at: command.createdAt }];
  }
  const payload = command.payload as PrintReversalReceiptPayload;
  const { original } = toStornoDocument(payload, timezoneOfDevice(stores, command));
  const { receiptNumber: fiscalId, zReportNumber = null, issuedAt: at } = original;
  const { fiscalMemorySerialNumber } = original;
  return [printerNamed(printer, fiscalMemorySerialNumber), { fiscalId, zReportNumber, at }];
}

/** Why a sale is not voided as a whole; undefined when it may be. */
function adjustedFault({ subtotalModifiers }: StoredReceipt): LeftFault | undefined {
  if (subtotalModifiers.length === 0) return undefined;
  const message = `Say what to reverse in a print_reversal_receipt: ${ADJUSTED_SALE}`;
  return { message, lines: [] };
}
