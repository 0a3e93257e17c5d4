/** `non_fiscal_receipt`: a slip of free text. */

import { readPayload } from "../../shared/payload.ts";
import { centred, inOpenSlip } from "../../shared/slip.ts";
import type { CustomCommand } from "../command.ts";
import type { CustomDevice } from "../device.ts";
import { clearTheWay, slipOn } from "../put-away.ts";
import { fitText } from "../text.ts";

export const nonFiscalReceipt = {
  type: "non_fiscal_receipt",
  execute: async ({ device, command, progress }) => {
    const { header, lines } = readPayload("non_fiscal_receipt", command.payload);
    device.require("slipOpen", "slipLine", "slipClose");
    const { slipLine, headerText } = device.profile.limits;
    // A line takes more than stands beside each other on the paper, where that is known.
    const columns = headerText > 0 ? Math.min(slipLine, headerText) : slipLine;
    const texts = lines.map((line, index) => textOf(line, `lines.${index}`, device));
    const heading = header === undefined ? undefined : textOf(header, "header", device);
    await clearTheWay(device);
    await progress.mark("committing");
    await openSlip(device);
    const print = async () => {
      if (heading !== undefined) {
        const name = device.can("slipHeading") ? "slipHeading" : "slipLine";
        await device.ask(name, { text: centred(heading, columns) });
      }
      for (const text of texts) await device.ask("slipLine", { text });
    };
    await inOpenSlip(slipOn(device).close, print);
    return { data: {} };
  },
} satisfies CustomCommand;

/** Some devices want the fields for copies and amount, though this kind of slip has neither. */
async function openSlip(device: CustomDevice): Promise<void> {
  const { fault } = await device.send("slipOpen");
  if (!fault) return;
  if (fault.code !== "E305" || !device.can("slipOpenLong")) throw fault;
  await device.ask("slipOpenLong");
}

function textOf(text: string, field: string, { profile }: CustomDevice): string {
  return fitText(text, { field, width: profile.limits.slipLine }, profile) || " ";
}
