/** `non_fiscal_receipt`: a slip of free text. */

import { readPayload } from "../../shared/payload.ts";
import { centred, folded, inOpenSlip } from "../../shared/slip.ts";
import type { CustomCommand } from "../command.ts";
import type { CustomDevice } from "../device.ts";
import { clearTheWay, slipOn } from "../put-away.ts";
import { deviceText, slipColumns } from "../text.ts";

export const nonFiscalReceipt = {
  type: "non_fiscal_receipt",
  execute: async ({ device, command, progress }) => {
    const { header, lines } = readPayload("non_fiscal_receipt", command.payload);
    device.require("slipOpen", "slipLine", "slipClose");
    const columns = slipColumns(device.profile);
    const linesOf = (text: string, field: string) =>
      folded(deviceText(text, field, device.profile), columns).map((line) => line || " ");
    const texts = lines.flatMap((line, index) => linesOf(line, `lines.${index}`));
    const headings = header === undefined ? [] : linesOf(header, "header");
    await clearTheWay(device);
    await progress.mark("committing");
    await openSlip(device);
    const print = async () => {
      const name = device.can("slipHeading") ? "slipHeading" : "slipLine";
      for (const heading of headings) {
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
