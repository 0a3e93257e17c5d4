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
import type { FiscalDocument } from "#core/receipt.ts";
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
import { type AcceptedSale, acceptedReversal } from "#db/stores/accepted-reversal.ts";
import { currencyOf } from "#db/stores/command-currency.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import { timezoneOfDevice } from "#db/stores/device-place.ts";
import { documentReceipts } from "#db/stores/document-printer.ts";
import { givenNumberFault, misreadNumberFault } from "#db/stores/given-number.ts";
import type { Stores } from "#db/stores/index.ts";
import type { NamedNumber } from "#db/stores/numbered-receipts.ts";
import type { Reversal } from "#db/stores/reversals.ts";
import type { ReversedStores } from "#db/stores/reversed-sale.ts";
import { isMadeSince, printerNamed } from "#db/stores/reversed-sale.ts";
import { takenFault } from "#db/stores/sale-taken.ts";
import { type AskedSale, askedSale, leftOutFor } from "./asked-sale.ts";
import { severalRefusal, voidedReceipt } from "./voided-receipt.ts";

const REVERSING: readonly CommandType[] = ["print_reversal_receipt", "void_receipt"];

/** True for commands that take back an earlier receipt. */
export function isReversing({ type }: Pick<NewCommand, "type">): boolean {
  return REVERSING.includes(type);
}

/** A document, and the stored receipt that it reverses, which is looked for when it is first asked for. */
interface Printed {
  readonly document: FiscalDocument;
  readonly original: AskedSale | undefined;
}

/** What a command is accepted for, or why it is not; neither where the gateway has no such sale. */
interface Verdict {
  readonly accepted?: AcceptedSale;
  readonly refused?: ApiError | undefined;
}

/** Why a command that was accepted is not sent. */
export interface Overtaken {
  readonly code: "E401" | "E402";
  readonly message: string;
}

/** Of them it is read what a command prints, what it takes back, and what is left of that. */
export type DocumentStores = ReversedStores;

/** Makes the look-up over the stores. */
export function createDocuments(stores: DocumentStores) {
  const { originalOf, documentOf } = createPrinted(stores);
  const judge = createJudge(stores, documentOf);

  /**
   * What is stored of a command that takes back a sale.
   * @throws ApiError UNPROCESSABLE_ENTITY for more than is left of it, and where it is not taken back
   * by that at all
   */
  const reversalOf = (command: NewCommand): Omit<Reversal, "stands"> => {
    const printed = documentOf(command);
    const { refused, accepted } = judge(command, printed);
    if (refused) throw refused;
    const { document } = printed ?? {};
    const storno = document?.kind === "storno" ? document : undefined;
    return acceptedReversal(stores, command, { document: storno, accepted });
  };

  /**
   * Why a command whose sale nobody knew when it was accepted is not sent. Of a void nothing but the
   * number tells what is meant: a receipt that has it by now may be the next customer's.
   */
  const unforeseen = (command: NewCommand): Overtaken | undefined => {
    const printed = documentOf(command);
    const fault = judge(command, printed).refused?.message;
    const original = printed?.original?.sale;
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
    const { acceptedFor = null } = stores.reversals.of(command.id) ?? {};
    // A repaired database may have lost the receipt.
    const isLost = command.type === "void_receipt" && originalOf(command) === undefined;
    if (acceptedFor === null || isLost) return unforeseen(command);
    const message = beyondAccepted(command, acceptedFor);
    return message === undefined ? undefined : { code: "E402", message };
  };

  /** Why that is not what it was accepted for any more. */
  const beyondAccepted = (command: NewCommand, acceptedFor: string): string | undefined => {
    const sale = stores.receipts.get(command.orgId, acceptedFor);
    const document = documentOf(command)?.document;
    if (!sale || document?.kind !== "storno") return undefined;
    const by = reversingBy(stores, command);
    const currency = paidBackIn(stores, sale, { command, document });
    const isConverted = currency !== sale.currency;
    if (isConverted && currency !== by.currency) return otherCurrency(currency, by.currency);
    const asked = inCurrencyOf(sale, document, currency);
    const fault =
      misreadRefusal(stores, command, { sale }) ??
      originalFault(sale, { ...by, isPriced: isConverted }) ??
      givenNumberFault(stores, sale) ??
      takenFault(stores, {
        sale,
        faultOf: (left) => excessOf(left, asked),
        out: leftOutFor(stores, command),
      });
    return fault?.message;
  };

  return { originalOf, documentOf, reversalOf, overtakenBy };
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
): (command: NewCommand, printed?: Printed) => Verdict {
  return (command, printed = documentOf(command)) => {
    if (!isReversing(command)) return {};
    const several = severalRefusal(stores, command);
    if (several) return { refused: several };
    const { document, original: asked } = printed ?? {};
    const misread = misreadRefusal(stores, command, asked);
    if (misread !== undefined || asked === undefined) return { refused: misread };
    if (document?.kind !== "storno") return {};
    const { sale } = asked;
    const { items, payments, reason } = document;
    const by = reversingBy(stores, command);
    const isPriced = command.type === "print_reversal_receipt";
    const counted = inCurrencyOf(sale, { items, payments, reason }, by.currency);
    const fault =
      originalFault(sale, { ...by, isPriced }) ??
      // By another number than the one that is stored the printer takes back another paper.
      (asked.isByUniqueNumber ? undefined : givenNumberFault(stores, sale)) ??
      (command.type === "void_receipt" ? adjustedFault(sale) : undefined) ??
      takenFault(stores, {
        sale,
        faultOf: (left) => stornoFault(sale, left, counted),
        out: leftOutFor(stores, command, asked),
      });
    if (fault) return { refused: beyondSale(sale, fault) };
    // Which paper it takes back is not known yet: it counts against all that it may be.
    if (asked.isByUniqueNumber) return {};
    return { accepted: { sale, items: counted.items, currency: by.currency } };
  };
}

/** The currency that an accepted reversal is paid back in. */
export function paidBackIn(
  stores: Pick<Stores, "audit" | "organizations" | "receipts" | "reversals">,
  sale: StoredReceipt | undefined,
  { command, document }: { readonly command: NewCommand; readonly document: FiscalDocument },
): string {
  const { currency = null, amountMinor = null } = stores.reversals.of(command.id) ?? {};
  const known = currency ?? currencyOf(stores, command);
  if (known !== null) return known;
  if (sale === undefined) return stores.organizations.get(command.orgId)?.currency ?? "";
  // Older versions did not keep it. What is taken from the sale was kept in its currency.
  const isConverted = documentTotalMinor(document.items) !== amountMinor;
  return isConverted && isReplacedBy(sale.currency, "EUR") ? "EUR" : sale.currency;
}

/** A document whose sale takes a search, made once where somebody wants to know it. */
function searched(document: FiscalDocument, search: () => AskedSale | undefined): Printed {
  let found: { readonly original: AskedSale | undefined } | undefined;
  return {
    document,
    get original() {
      found ??= { original: search() };
      return found.original;
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
        return searched(document, () => askedSale(stores, command, document));
      }
      case "void_receipt": {
        const original = originalOf(command);
        return original && { document: toVoidingDocument(original), original: { sale: original } };
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
  asked: AskedSale | undefined,
): ApiError | undefined {
  if (asked !== undefined && asked.sale.fiscalId !== null && !asked.isByUniqueNumber) {
    return undefined;
  }
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
