/** `print_receipt`: open, items, total, close with the payments. */

import { toSaleDocument } from "#core/command/types/print-receipt.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import { executeDocument, recoverDocument } from "../fiscal-document.ts";

export const printReceipt = {
  type: "print_receipt",
  execute: async (context) => executeDocument(context, documentOf(context.command.payload)),
  resolve: async (context) => recoverDocument(context, documentOf(context.command.payload)),
} satisfies ShtrihCommand;

function documentOf(payload: unknown) {
  return toSaleDocument(readPayload("print_receipt", payload));
}
