/** `non_fiscal_receipt`: a slip of free text. */

import { readPayload } from "../../shared/payload.ts";
import { centred, inOpenSlip } from "../../shared/slip.ts";
import type { IslCommand } from "../command.ts";
import type { IslDevice } from "../device.ts";
import { lastDocumentNumber } from "../last-receipt.ts";
import { clearTheWay, slipOn } from "../put-away.ts";

export const nonFiscalReceipt = {
  type: "non_fiscal_receipt",
  needs: ["openSlip", "slipLine", "closeSlip", "transaction"],
  execute: async ({ device, command, progress }) => {
    const { header, lines } = readPayload("non_fiscal_receipt", command.payload);
    const width = device.facts.lineWidth;
    const title = header === undefined ? undefined : device.fit(header, width);
    const texts = lines.map((line) => device.fit(line, width));
    await clearTheWay(device);
    await progress.mark("committing");
    await device.ask("openSlip");
    const print = async () => {
      if (title !== undefined) await printTitle(device, title);
      for (const text of texts) await device.ask("slipLine", { text });
    };
    await inOpenSlip(slipOn(device).close, print);
    return { data: await lastDocumentNumber(device) };
  },
} satisfies IslCommand;

/** Bold and centred where the device can; otherwise centred with blanks. */
async function printTitle(device: IslDevice, text: string): Promise<void> {
  if (device.can("slipTitle")) await device.ask("slipTitle", { text });
  else await device.ask("slipLine", { text: centred(text, device.facts.lineWidth) });
}
