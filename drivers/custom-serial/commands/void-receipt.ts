/** `void_receipt`: a storno, for operator error, of a receipt that the gateway knows. */

import { voidReceiptOn } from "../../shared/document-commands.ts";
import type { CustomCommand } from "../command.ts";
import { DOCUMENTS } from "../fiscal-document.ts";

export const voidReceipt: CustomCommand = voidReceiptOn(DOCUMENTS);
