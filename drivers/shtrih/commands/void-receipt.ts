/** `void_receipt`: returns, for operator error, a receipt that the gateway knows. */

import { toVoidingDocument } from "#core/command/types/void-receipt.ts";
import type { DriverCommand } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import { executeDocument, recoverDocument } from "../fiscal-document.ts";

export const voidReceipt = {
  type: "void_receipt",
  execute: async (context) => {
    const success = await executeDocument(context, documentOf(context.command));
    return withVoided(success, context.command);
  },
  resolve: async (context) => {
    const resolution = await recoverDocument(context, documentOf(context.command));
    if (resolution.outcome !== "printed") return resolution;
    return { ...resolution, success: withVoided(resolution.success, context.command) };
  },
} satisfies ShtrihCommand;

function documentOf({ original }: DriverCommand) {
  if (!original) {
    throw new FiscalError("E401", "The receipt to void is unknown: use print_reversal_receipt");
  }
  return toVoidingDocument(original);
}

function withVoided<T extends { readonly data: Record<string, unknown> }>(
  success: T,
  command: DriverCommand,
): T {
  const { receiptId } = readPayload("void_receipt", command.payload);
  return { ...success, data: { ...success.data, voidedReceiptId: receiptId } };
}
