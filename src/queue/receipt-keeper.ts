/** What a completed fiscal document leaves among the stored receipts. */

import { effectOf } from "#core/command/catalogue.ts";
import type { Command, CommandResult } from "#core/command/command.ts";
import { type PrintReceiptPayload, toSaleDocument } from "#core/command/types/print-receipt.ts";
import {
  type PrintReversalReceiptPayload,
  toStornoDocument,
} from "#core/command/types/print-reversal-receipt.ts";
import { toVoidingDocument, type VoidReceiptPayload } from "#core/command/types/void-receipt.ts";
import type { FiscalDocument } from "#core/receipt.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Random } from "../platform/random.ts";

type KeeperStores = Pick<Stores, "devices" | "organizations" | "receipts">;

export interface ReceiptKeeper {
  /** The receipt that a `void_receipt` names, where the gateway has it. */
  originalOf(command: NewCommand): StoredReceipt | undefined;
  /** Stores the receipt of a completed document; does nothing for other commands. */
  keep(command: Command, result: CommandResult, now: number): void;
}

/** Makes the keeper. Its `keep` runs inside the transaction that completes the command. */
export function createReceiptKeeper(stores: KeeperStores, random: Random): ReceiptKeeper {
  const find = (command: NewCommand, id: string) =>
    stores.receipts.findByIdOrFiscalId(command.orgId, command.deviceId, id);

  const originalOf = (command: NewCommand): StoredReceipt | undefined => {
    if (command.type !== "void_receipt") return undefined;
    const { receiptId } = command.payload as VoidReceiptPayload;
    return find(command, receiptId);
  };

  /** The document as it was printed, and the stored sale it reverses. */
  const printed = (
    command: Command,
  ): { document: FiscalDocument; original: StoredReceipt | undefined } | undefined => {
    switch (command.type) {
      case "print_receipt": {
        const document = toSaleDocument(command.payload as PrintReceiptPayload);
        return { document, original: undefined };
      }
      case "print_reversal_receipt": {
        const { timezone = "UTC" } = stores.organizations.get(command.orgId) ?? {};
        const document = toStornoDocument(command.payload as PrintReversalReceiptPayload, timezone);
        return { document, original: find(command, document.original.receiptNumber) };
      }
      case "void_receipt": {
        const original = originalOf(command);
        return original && { document: toVoidingDocument(original), original };
      }
      default:
        return undefined;
    }
  };

  return {
    originalOf,
    keep(command, result, now) {
      if (effectOf(command.type) !== "document" || !result.success) return;
      const found = printed(command);
      if (found === undefined) return;
      const { document, original } = found;
      const organization = stores.organizations.get(command.orgId);
      const modifiers = document.kind === "sale" ? document.modifiers : [];
      stores.receipts.insert({
        id: random.id("rct"),
        orgId: command.orgId,
        deviceId: command.deviceId,
        locationId: stores.devices.get(command.orgId, command.deviceId)?.locationId ?? null,
        commandId: command.id,
        apiKeyId: command.apiKeyId,
        type: document.kind,
        fiscalId: result.fiscalId ?? null,
        receiptNumber: textField(result, "receiptNumber"),
        uniqueSaleNumber: document.uniqueSaleNumber ?? null,
        fiscalMemorySerialNumber: textField(result, "fiscalMemorySerialNumber"),
        zReportNumber: textField(result, "zReportNumber"),
        issuedAt: instantField(result, "issuedAt") ?? now,
        currency: organization?.currency ?? "",
        items: document.items,
        subtotalModifiers: modifiers,
        payments: document.payments,
        totalMinor: documentTotalMinor(document.items, modifiers),
        customerCif: document.kind === "sale" ? (document.customerCif ?? null) : null,
        originalReceiptId: original?.id ?? null,
        source: "command",
        createdAt: now,
      });
    },
  };
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
