/** `void_receipt`: returns, for operator error, a receipt that the gateway knows. */

import { voidReceiptOn } from "../../shared/document-commands.ts";
import type { ShtrihCommand } from "../command.ts";
import { documents } from "../fiscal-document.ts";

export const voidReceipt: ShtrihCommand = voidReceiptOn(documents);
