/** `non_fiscal_receipt`: a slip of free text. */

import { FiscalError } from "#core/errors.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ZfpCommand } from "../command.ts";
import { LIMITS } from "../dialect.ts";
import { operatorFields } from "../operator.ts";
import { clearTheWay } from "../put-away.ts";

export const nonFiscalReceipt = {
  type: "non_fiscal_receipt",
  execute: async ({ device, command, progress }) => {
    const { header, lines } = readPayload("non_fiscal_receipt", command.payload);
    await clearTheWay(device);
    await progress.mark("committing");
    await device.ask("openSlip", operatorFields());
    try {
      if (header !== undefined) await device.ask("text", centred(device.fit(header, LIMITS.line)));
      // A text of no length is a syntax error.
      for (const line of lines) await device.ask("text", device.fit(line, LIMITS.line) || " ");
    } catch (error) {
      // A refused line leaves the slip open, which would stand in the way of the next receipt.
      if (error instanceof FiscalError && error.device) await device.send("closeSlip");
      throw error;
    }
    await device.ask("closeSlip");
    return { data: {} };
  },
} satisfies ZfpCommand;

function centred(text: string): string {
  return " ".repeat(Math.floor((LIMITS.line - text.length) / 2)) + text || " ";
}
