/** `print_reversal_receipt`: the storno of a receipt that the device looks up in its own journal. */

import { printReversalReceiptOn } from "../../shared/document-commands.ts";
import type { CustomCommand } from "../command.ts";
import { DOCUMENTS } from "../fiscal-document.ts";

export const printReversalReceipt: CustomCommand = printReversalReceiptOn(DOCUMENTS);
