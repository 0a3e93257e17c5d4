/**
 * What fiscal documents leave among the stored receipts, and what stornos take from the sales there:
 * it counts from the acceptance of their command until that ends without having been printed.
 */

import { type CommandType, effectOf } from "#core/command/catalogue.ts";
import type { Command, CommandResult } from "#core/command/command.ts";
import { type PrintReceiptPayload, toSaleDocument } from "#core/command/types/print-receipt.ts";
import {
  type PrintReversalReceiptPayload,
  toStornoDocument,
} from "#core/command/types/print-reversal-receipt.ts";
import { toVoidingDocument, type VoidReceiptPayload } from "#core/command/types/void-receipt.ts";
import { printerBefore } from "#core/device/printer.ts";
import { meantSale, namedBy } from "#core/named-sale.ts";
import type { FiscalDocument, StornoDocument } from "#core/receipt.ts";
import { countedAs } from "#core/receipt-left.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Random } from "../platform/random.ts";

type KeeperStores = Pick<Stores, "devices" | "organizations" | "receipts" | "reversals">;

export interface ReceiptKeeper {
  /** The receipt that a `void_receipt` names, where the gateway has it. */
  originalOf(command: NewCommand): StoredReceipt | undefined;
  /** Counts what a command that is being accepted reverses of a stored sale. */
  reserve(command: NewCommand): void;
  /**
   * A command has ended, or a person has said how: stores the receipt of a completed document, and
   * gives back what was reserved for one that was not printed.
   */
  keep(command: Command, result: CommandResult, now: number): void;
  /** A command that was called not printed may have been, or was: what it reverses counts again. */
  countAgain(commandId: string): void;
}

const REVERSING: readonly CommandType[] = ["print_reversal_receipt", "void_receipt"];

/** A document, and the stored receipt that it reverses. */
interface Printed {
  readonly document: FiscalDocument;
  readonly original: StoredReceipt | undefined;
}

/** Makes the keeper. It works inside the transaction of the change that it is told of. */
export function createReceiptKeeper(stores: KeeperStores, random: Random): ReceiptKeeper {
  const find = (command: NewCommand, id: string) =>
    stores.receipts.findByIdOrFiscalId(command.orgId, command.deviceId, id);

  const originalOf = (command: NewCommand): StoredReceipt | undefined => {
    if (command.type !== "void_receipt") return undefined;
    const { receiptId } = command.payload as VoidReceiptPayload;
    return find(command, receiptId);
  };

  /** The sale that a reversal names, where the gateway has it. */
  const saleOf = (command: NewCommand, document: StornoDocument): StoredReceipt | undefined => {
    const named = namedBy(command.deviceId, document);
    const byId = stores.receipts.get(command.orgId, document.original.receiptNumber);
    if (byId?.type === "sale") return byId;
    return meantSale(named, stores.receipts.listNamed(command.orgId, named));
  };

  /** What a command prints, and the stored receipt that it reverses. */
  const documentOf = (command: NewCommand): Printed | undefined => {
    switch (command.type) {
      case "print_receipt": {
        const document = toSaleDocument(command.payload as PrintReceiptPayload);
        return { document, original: undefined };
      }
      case "print_reversal_receipt": {
        const { timezone = "UTC" } = stores.organizations.get(command.orgId) ?? {};
        const document = toStornoDocument(command.payload as PrintReversalReceiptPayload, timezone);
        return { document, original: saleOf(command, document) };
      }
      case "void_receipt": {
        const original = originalOf(command);
        return original && { document: toVoidingDocument(original), original };
      }
      default:
        return undefined;
    }
  };

  const store = (command: Command, result: CommandResult, now: number): void => {
    const found = documentOf(command);
    if (found === undefined) return;
    // By its acceptance the sale is known that was meant: numbers may come again.
    const reversed = REVERSING.includes(command.type) ? stores.reversals.of(command.id) : undefined;
    const original = reversed?.originalReceiptId ?? found.original?.id;
    const device = stores.devices.get(command.orgId, command.deviceId);
    stores.receipts.insert({
      ...receiptOf(command, found.document, { result, device, now }),
      id: random.id("rct"),
      currency: stores.organizations.get(command.orgId)?.currency ?? "",
      originalReceiptId: original ?? null,
    });
  };

  return {
    originalOf,
    reserve(command) {
      if (!REVERSING.includes(command.type)) return;
      const { document, original } = documentOf(command) ?? {};
      if (document === undefined || original?.type !== "sale") return;
      const { id: commandId, orgId } = command;
      const reversal = { commandId, orgId, originalReceiptId: original.id };
      stores.reversals.reserve({ ...reversal, ...countedAs(document) });
    },
    keep(command, result, now) {
      if (effectOf(command.type) !== "document") return;
      if (result.success) store(command, result, now);
      const isOver = result.success || result.data?.outcome === "not_printed";
      if (isOver && REVERSING.includes(command.type)) stores.reversals.setStands(command.id, false);
    },
    countAgain(commandId) {
      if (!stores.receipts.hasCommand(commandId)) stores.reversals.setStands(commandId, true);
    },
  };
}

/** What command and result tell of the receipt. */
function receiptOf(
  command: Command,
  document: FiscalDocument,
  {
    result,
    device,
    now,
  }: {
    readonly result: CommandResult;
    readonly device: Device | undefined;
    readonly now: number;
  },
): Omit<StoredReceipt, "id" | "currency" | "originalReceiptId"> {
  const { id: commandId, orgId, deviceId, apiKeyId } = command;
  // A person who says what was printed tells neither.
  const printer = device && printerBefore(device, command.baseline);
  const memory =
    textField(result, "fiscalMemorySerialNumber") ?? printer?.fiscalMemorySerialNumber ?? null;
  const endedAt = command.finishedAt ?? (isSettled(result) ? command.processingAt : null);
  const modifiers = document.kind === "sale" ? document.modifiers : [];
  return {
    ...{ orgId, deviceId, commandId, apiKeyId },
    locationId: device?.locationId ?? null,
    type: document.kind,
    fiscalId: result.fiscalId ?? null,
    receiptNumber: textField(result, "receiptNumber"),
    uniqueSaleNumber: document.uniqueSaleNumber ?? null,
    fiscalMemorySerialNumber: memory,
    zReportNumber: textField(result, "zReportNumber"),
    issuedAt: instantField(result, "issuedAt") ?? endedAt ?? now,
    items: document.items,
    subtotalModifiers: modifiers,
    payments: document.payments,
    totalMinor: documentTotalMinor(document.items, modifiers),
    customerCif: document.kind === "sale" ? (document.customerCif ?? null) : null,
    source: "command",
    createdAt: now,
  };
}

/** True when a person said it while the command was still under way. */
function isSettled({ data }: CommandResult): boolean {
  return data?.settledBy !== undefined;
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
