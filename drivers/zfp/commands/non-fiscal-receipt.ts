/** `non_fiscal_receipt`: a slip of free text. */

import { writtenText } from "../../shared/codepage.ts";
import { readPayload } from "../../shared/payload.ts";
import { centred, folded, inOpenSlip } from "../../shared/slip.ts";
import type { ZfpCommand } from "../command.ts";
import { LIMITS } from "../dialect.ts";
import { operatorFields } from "../operator.ts";
import { clearTheWay, slipOn } from "../put-away.ts";
import { CODE_PAGE } from "../text.ts";

export const nonFiscalReceipt = {
  type: "non_fiscal_receipt",
  execute: async ({ device, command, progress }) => {
    const { header, lines } = readPayload("non_fiscal_receipt", command.payload);
    const written = (text: string) => folded(writtenText(text, CODE_PAGE), LIMITS.line);
    const titles = header === undefined ? [] : written(header);
    const texts = [
      ...titles.map((title) => centred(title, LIMITS.line)),
      ...lines.flatMap(written),
    ];
    await clearTheWay(device);
    await progress.mark("committing");
    await device.ask("openSlip", operatorFields());
    const print = async () => {
      // A text of no length is a syntax error.
      for (const text of texts) await device.ask("text", text || " ");
    };
    await inOpenSlip(slipOn(device).close, print);
    return { data: {} };
  },
} satisfies ZfpCommand;
