/** `void_receipt`: a storno, for operator error, of a receipt that the gateway knows. */

import { voidReceiptOn } from "../../shared/document-commands.ts";
import type { ZfpCommand } from "../command.ts";
import { documents } from "../fiscal-document.ts";

export const voidReceipt: ZfpCommand = voidReceiptOn(documents);
