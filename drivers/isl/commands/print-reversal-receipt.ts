/** `print_reversal_receipt`: the device's storno document, opened with the original's data. */

import { printReversalReceiptOn } from "../../shared/document-commands.ts";
import type { IslCommand } from "../command.ts";
import { documents } from "../fiscal-document.ts";

export const printReversalReceipt = {
  ...printReversalReceiptOn(documents),
  needs: ["openStorno", "sale", "payment", "close", "cancel", "transaction"],
} satisfies IslCommand;
