/** `print_receipt`: sales, adjustments, payments, closing, cutting off. */

import { printReceiptOn } from "../../shared/document-commands.ts";
import type { CustomCommand } from "../command.ts";
import { DOCUMENTS } from "../fiscal-document.ts";

export const printReceipt: CustomCommand = printReceiptOn(DOCUMENTS);
