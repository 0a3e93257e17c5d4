/** `print_receipt`: open, sales, adjustments, payments, close. */

import { printReceiptOn } from "../../shared/document-commands.ts";
import type { IslCommand } from "../command.ts";
import { documents } from "../fiscal-document.ts";

export const printReceipt = {
  ...printReceiptOn(documents),
  needs: ["openSale", "sale", "payment", "close", "cancel", "transaction"],
} satisfies IslCommand;
