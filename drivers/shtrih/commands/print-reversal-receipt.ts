/** `print_reversal_receipt`: a receipt that returns a sale; the original is printed as text. */

import { printReversalReceiptOn } from "../../shared/document-commands.ts";
import type { ShtrihCommand } from "../command.ts";
import { documents } from "../fiscal-document.ts";

export const printReversalReceipt: ShtrihCommand = printReversalReceiptOn(documents);
