/**
 * What fiscal documents leave among the stored receipts, and what stornos take from the sales there:
 * it counts from the acceptance of their command until that ends without having been printed.
 */

import { effectOf } from "#core/command/catalogue.ts";
import type { Command, CommandResult } from "#core/command/command.ts";
import { toldPayments } from "#core/command/receipt-result.ts";
import { isOnPaper, isSettled, paperNumbers } from "#core/command/settled.ts";
import { toVoidingDocument } from "#core/command/types/void-receipt.ts";
import { type Printer, tellingNumber } from "#core/device/printer.ts";
import type { FiscalDocument } from "#core/receipt.ts";
import type { NumberTeller, StoredReceipt } from "#core/receipt-record.ts";
import { balancedPayments, documentTotalMinor } from "#core/receipt-total.ts";
import { namedPaper } from "#db/stores/accepted-reversal.ts";
import { currencyOf } from "#db/stores/command-currency.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import { documentLocation, documentPrinter } from "#db/stores/document-printer.ts";
import { dayOfWord } from "#db/stores/printer-day.ts";
import type { PaperNumbers } from "#db/stores/receipts.ts";
import type { Random } from "../platform/random.ts";
import {
  createDocuments,
  type DocumentStores,
  isReversing,
  type Overtaken,
  paidBackIn,
} from "./documents.ts";
import { originalIdOf, renewOriginals } from "./originals.ts";
import { isGivenToAnother } from "./said-number.ts";

export interface ReceiptKeeper {
  /** The receipt that a `void_receipt` names, where the gateway has it. */
  originalOf(command: NewCommand): StoredReceipt | undefined;
  /**
   * Where a command reverses a stored sale: no more than that has.
   * @throws ApiError UNPROCESSABLE_ENTITY
   */
  requireAllowed(command: NewCommand): void;
  /**
   * Why a reversal that was accepted must not begin: what it was to take back was taken back meanwhile,
   * as when a person corrects what was said of an earlier one, or its sale is known by now, and is not
   * taken back by it. Undefined when it may.
   */
  overtakenBy(command: NewCommand): Overtaken | undefined;
  /**
   * Stores what a command reverses that is being accepted.
   * @throws ApiError UNPROCESSABLE_ENTITY
   */
  reserve(command: NewCommand): void;
  /** A void is about to be sent: the number is known now by which it takes its receipt back. */
  name(command: NewCommand): void;
  /**
   * A command has ended, or a person has said how: stores the receipt of a completed document, and
   * gives back what was reserved for one that was not printed.
   */
  keep(command: Command, result: CommandResult, now: number): void;
  /**
   * The printer has proven that it printed the document of a command that a person called printed, and
   * under which number. The receipt takes it where the person named none: a storno has to name it. Where
   * the person named that one, it takes what else its paper tells: the day, or the number beside it.
   * @returns whether it took it
   */
  number(command: Command, result: CommandResult, now: number): boolean;
  /**
   * A person says another number of a receipt that was called printed. Of a sale that has it by now what
   * names it counts on that.
   */
  correct(command: Command, fiscalId: string): void;
  /** A receipt that was made elsewhere is stored now: what took it back before that is called its storno. */
  renewStornos(receipt: StoredReceipt): void;
  /** A command that was called not printed may have been, or was: what it reverses counts again. */
  countAgain(commandId: string): void;
}

/** Makes the keeper. It works inside the transaction of the change that it is told of. */
export function createReceiptKeeper(stores: DocumentStores, random: Random): ReceiptKeeper {
  const documents = createDocuments(stores);
  const { documentOf, originalOf, overtakenBy, reversalOf } = documents;
  const store = createStoring(stores, random, documents);

  return {
    originalOf,
    overtakenBy,
    requireAllowed(command) {
      reversalOf(command);
    },
    reserve(command) {
      // The storno of a receipt was stored by who asked for it, who knows the receipt itself.
      if (!isReversing(command) || stores.reversals.of(command.id)) return;
      stores.reversals.add(reversalOf(command));
    },
    name(command) {
      const voided = originalOf(command);
      if (voided) stores.reversals.name(command.id, namedPaper(toVoidingDocument(voided)));
    },
    keep(command, result, now) {
      if (effectOf(command.type) !== "document") return;
      if (result.success) store(command, result, now);
      if (!isReversing(command)) return;
      const isOver = result.success || result.data?.outcome === "not_printed";
      if (isOver) stores.reversals.setStands(command.id, result.success);
    },
    number(command, result, now) {
      const { fiscalId } = result;
      const stored = stores.receipts.ofCommand(command.id);
      const found = fiscalId === undefined ? undefined : documentOf(command);
      if (!stored || fiscalId === undefined || !found) return false;
      const renew = () => {
        const known = stores.receipts.ofCommand(command.id);
        if (known?.type === "sale") renewOriginals(stores, known);
      };
      // Of two numbers nobody knows here which is right.
      const said = stored.fiscalId;
      if (said !== null && !isOnPaper(result, said)) {
        renew();
        return false;
      }
      // One number for two receipts: one of them is wrong, and a storno would take back the other.
      if (isGivenToAnother(stores, command, fiscalId)) return false;
      const printer = documentPrinter(stores, command);
      const told = receiptOf(command, found.document, { result, printer, now });
      const paper = toldPaper(stored, told, { ...result, fiscalId });
      if (Bun.deepEquals({ ...stored, ...paper }, stored)) return false;
      stores.receipts.number(stored.id, paper);
      renew();
      return true;
    },
    correct(command, fiscalId) {
      const receipt = stores.receipts.ofCommand(command.id);
      if (receipt === undefined) return;
      const { receiptNumber, zReportNumber: day } = paperNumbers(fiscalId);
      const zReportNumber = day ?? dayOfWord(stores, command);
      stores.receipts.correct(receipt.id, { fiscalId, receiptNumber, zReportNumber });
      const corrected = stores.receipts.ofCommand(command.id);
      if (corrected?.type === "sale") renewOriginals(stores, corrected);
    },
    renewStornos(receipt) {
      if (receipt.type === "sale") renewOriginals(stores, receipt);
    },
    countAgain(commandId) {
      stores.reversals.setStands(commandId, true);
    },
  };
}

/** Makes what stores the receipt of a completed document. */
function createStoring(
  stores: DocumentStores,
  random: Random,
  { documentOf }: ReturnType<typeof createDocuments>,
): (command: Command, result: CommandResult, now: number) => void {
  return (command, result, now) => {
    const found = documentOf(command);
    if (found === undefined) return;
    const reversal = isReversing(command) ? stores.reversals.of(command.id) : undefined;
    const { acceptedFor = null } = reversal ?? {};
    const accepted =
      acceptedFor === null ? undefined : stores.receipts.get(command.orgId, acceptedFor);
    const printer = documentPrinter(stores, command);
    const told = receiptOf(command, found.document, { result, printer, now });
    const id = random.id("rct");
    stores.receipts.insert({
      ...{ ...told, id },
      zReportNumber: told.zReportNumber ?? (isWord(result) ? dayOfWord(stores, command) : null),
      locationId: documentLocation(stores, command),
      // What was asked for, though the shop sells in another one meanwhile.
      currency: accepted
        ? paidBackIn(stores, accepted, { command, document: found.document })
        : soldIn(stores, command),
      originalReceiptId: reversal ? originalIdOf(stores, reversal) : null,
    });
    const stored = told.type === "sale" ? stores.receipts.get(command.orgId, id) : undefined;
    if (stored) renewOriginals(stores, stored);
  };
}

/** True where a person said the number. */
function isWord(result: CommandResult): boolean {
  return isSettled(result) && result.fiscalId !== undefined;
}

/** What a sale was asked for in, else what its shop sells in. */
function soldIn(stores: DocumentStores, command: Command): string {
  return currencyOf(stores, command) ?? stores.organizations.get(command.orgId)?.currency ?? "";
}

/** What the paper of a stored receipt shows, by what its printer told later. */
function toldPaper(
  stored: StoredReceipt,
  told: Pick<StoredReceipt, Exclude<keyof PaperNumbers, "fiscalId" | "issuedAt">>,
  result: CommandResult & { readonly fiscalId: string },
): PaperNumbers {
  const { fiscalMemorySerialNumber, payments } = told;
  return {
    // Tills keep the number that a person said, as it was said.
    ...{ fiscalId: stored.fiscalId ?? result.fiscalId, fiscalMemorySerialNumber, payments },
    receiptNumber: told.receiptNumber ?? stored.receiptNumber,
    zReportNumber: told.zReportNumber ?? stored.zReportNumber,
    // Without the printer's own time that of the person's word stays.
    issuedAt: instantField(result, "issuedAt") ?? stored.issuedAt,
  };
}

/** What command and result tell of the receipt. */
function receiptOf(
  command: Command,
  document: FiscalDocument,
  {
    result,
    printer,
    now,
  }: {
    readonly result: CommandResult;
    readonly printer: Printer;
    readonly now: number;
  },
): Omit<StoredReceipt, "id" | "currency" | "locationId" | "originalReceiptId"> {
  const { id: commandId, orgId, deviceId, apiKeyId } = command;
  // A person who says what was printed tells neither.
  const memory = textField(result, "fiscalMemorySerialNumber") ?? printer.fiscalMemorySerialNumber;
  const { fiscalId = null } = result;
  const said = isSettled(result) && fiscalId !== null ? paperNumbers(fiscalId) : undefined;
  const modifiers = document.kind === "sale" ? document.modifiers : [];
  const totalMinor = documentTotalMinor(document.items, modifiers);
  return {
    ...{ orgId, deviceId, commandId, apiKeyId },
    type: document.kind,
    fiscalId,
    receiptNumber: textField(result, "receiptNumber") ?? said?.receiptNumber ?? null,
    uniqueSaleNumber: document.uniqueSaleNumber ?? null,
    fiscalMemorySerialNumber: memory,
    zReportNumber: textField(result, "zReportNumber") ?? said?.zReportNumber ?? null,
    issuedAt: instantField(result, "issuedAt") ?? printedAt(command, now),
    items: document.items,
    subtotalModifiers: modifiers,
    // As they stand on paper: sums by tender are those of the printer.
    payments:
      toldPayments(result.data, totalMinor) ??
      balancedPayments(document.payments, totalMinor) ??
      document.payments,
    totalMinor,
    customerCif: document.kind === "sale" ? (document.customerCif ?? null) : null,
    source: "command",
    createdAt: now,
    simulated: command.simulated,
    printerSerialNumber: tellingNumber(printer.serialNumber),
    numberBy: numberTeller(result),
  };
}

/**
 * When a document was printed, as near as its marks say: its printer may be asked hours later, and not
 * tell. UTC milliseconds.
 */
function printedAt({ mark, processingAt, updatedAt, finishedAt }: Command, now: number): number {
  // The end of one that nobody could tell of has taken the place of its last mark's time.
  if (finishedAt !== null) return processingAt ?? finishedAt;
  return mark === null ? now : updatedAt;
}

/** By whose word a document has its number. */
function numberTeller(result: CommandResult): NumberTeller {
  if (result.fiscalId === undefined && textField(result, "receiptNumber") === null) return "none";
  return isWord(result) ? "person" : "printer";
}

function textField(result: CommandResult, name: string): string | null {
  const value = result.data?.[name];
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : null;
}

function instantField(result: CommandResult, name: string): number | undefined {
  const text = textField(result, name);
  const instant = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}
