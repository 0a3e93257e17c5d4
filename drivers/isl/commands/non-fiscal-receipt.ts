/** `non_fiscal_receipt`: a slip of free text. */

import { FiscalError } from "#core/errors.ts";
import { readPayload } from "../../shared/payload.ts";
import type { IslCommand } from "../command.ts";
import type { IslDevice } from "../device.ts";
import { lastDocumentNumber } from "../last-receipt.ts";
import { clearTheWay } from "../put-away.ts";

export const nonFiscalReceipt = {
  type: "non_fiscal_receipt",
  needs: ["openSlip", "slipLine", "closeSlip", "transaction"],
  execute: async ({ device, command, progress }) => {
    const { header, lines } = readPayload("non_fiscal_receipt", command.payload);
    await clearTheWay(device);
    await progress.mark("committing");
    await device.ask("openSlip");
    try {
      if (header !== undefined) await printTitle(device, header);
      for (const line of lines) {
        await device.ask("slipLine", { text: device.fit(line, device.facts.lineWidth) });
      }
    } catch (error) {
      // A refused line leaves the slip open, which would stand in the way of the next receipt.
      if (error instanceof FiscalError && error.device) await device.send("closeSlip");
      throw error;
    }
    await device.ask("closeSlip");
    return { data: await lastDocumentNumber(device) };
  },
} satisfies IslCommand;

/** Bold and centred where the device can; otherwise centred with blanks. */
async function printTitle(device: IslDevice, header: string): Promise<void> {
  const width = device.facts.lineWidth;
  const text = device.fit(header, width);
  if (device.can("slipTitle")) {
    await device.ask("slipTitle", { text });
    return;
  }
  const margin = Math.floor((width - text.length) / 2);
  await device.ask("slipLine", { text: " ".repeat(margin) + text });
}
