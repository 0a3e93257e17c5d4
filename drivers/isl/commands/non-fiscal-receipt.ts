/** `non_fiscal_receipt`: a slip of free text. */

import { writtenText } from "../../shared/codepage.ts";
import { readPayload } from "../../shared/payload.ts";
import { centred, folded, inOpenSlip } from "../../shared/slip.ts";
import type { IslCommand } from "../command.ts";
import type { IslDevice } from "../device.ts";
import { lastDocumentNumber } from "../last-receipt.ts";
import { clearTheWay, slipOn } from "../put-away.ts";

export const nonFiscalReceipt = {
  type: "non_fiscal_receipt",
  needs: ["openSlip", "slipLine", "closeSlip", "transaction"],
  execute: async ({ device, command, progress }) => {
    const { header, lines } = readPayload("non_fiscal_receipt", command.payload);
    const written = (text: string) =>
      folded(writtenText(text, device.dialect.codePage), device.facts.lineWidth);
    const titles = header === undefined ? [] : written(header);
    const texts = lines.flatMap(written);
    await clearTheWay(device);
    await progress.mark("committing");
    await device.ask("openSlip");
    const print = async () => {
      for (const title of titles) await printTitle(device, title);
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
