/** `print_receipt`: open, sales, adjustments, payments, close. */

import { printReceiptOn } from "../../shared/document-commands.ts";
import type { ZfpCommand } from "../command.ts";
import { documents } from "../fiscal-document.ts";

export const printReceipt: ZfpCommand = printReceiptOn(documents);
