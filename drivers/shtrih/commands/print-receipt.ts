/** `print_receipt`: open, items, total, close with the payments. */

import { printReceiptOn } from "../../shared/document-commands.ts";
import type { ShtrihCommand } from "../command.ts";
import { documents } from "../fiscal-document.ts";

export const printReceipt: ShtrihCommand = printReceiptOn(documents);
