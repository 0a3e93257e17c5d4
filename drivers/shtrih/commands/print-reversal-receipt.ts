/** `print_reversal_receipt`: a receipt that returns a sale; the original is printed as text. */

import { toStornoDocument } from "#core/command/types/print-reversal-receipt.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import { executeDocument, recoverDocument } from "../fiscal-document.ts";

export const printReversalReceipt = {
  type: "print_reversal_receipt",
  execute: async (context) => executeDocument(context, documentOf(context.command.payload)),
  resolve: async (context) => recoverDocument(context, documentOf(context.command.payload)),
} satisfies ShtrihCommand;

function documentOf(payload: unknown) {
  return toStornoDocument(readPayload("print_reversal_receipt", payload));
}
