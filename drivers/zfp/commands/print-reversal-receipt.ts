/** `print_reversal_receipt`: the device's storno document, opened with the original's data. */

import { printReversalReceiptOn } from "../../shared/document-commands.ts";
import type { ZfpCommand } from "../command.ts";
import { documents } from "../fiscal-document.ts";

export const printReversalReceipt: ZfpCommand = printReversalReceiptOn(documents);
