/** `set_header_footer`: replaces all lines; those not given become blank. */

import { requireRoom } from "../../shared/header-footer.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import { printed } from "../fields.ts";
import { textWidth, writeTexts } from "../texts.ts";

export const setHeaderFooter = {
  type: "set_header_footer",
  execute: async ({ device, command, progress }) => {
    const { header, footer } = readPayload("set_header_footer", command.payload);
    const { texts } = device.facts;
    const columns = await textWidth(device);
    requireRoom("header", header.map(printed), { lines: texts.header.count, columns });
    requireRoom("footer", footer.map(printed), { lines: texts.footer.count, columns });
    await progress.mark("committing");
    await writeTexts(device, texts.header, header);
    await writeTexts(device, texts.footer, footer);
    return { data: {} };
  },
} satisfies ShtrihCommand;
