/** `set_header_footer`: replaces all lines; those not given become blank. */

import { requireRoom } from "../../shared/header-footer.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import { CODE_PAGE } from "../fields.ts";
import { textWidth, writeTexts } from "../texts.ts";

export const setHeaderFooter = {
  type: "set_header_footer",
  execute: async ({ device, command, progress }) => {
    const { header, footer } = readPayload("set_header_footer", command.payload);
    const { texts } = device.facts;
    const paper = { columns: await textWidth(device), codePage: CODE_PAGE } as const;
    requireRoom("header", header, { ...paper, lines: texts.header.count });
    requireRoom("footer", footer, { ...paper, lines: texts.footer.count });
    await progress.mark("committing");
    await writeTexts(device, texts.header, header);
    await writeTexts(device, texts.footer, footer);
    return { data: {} };
  },
} satisfies ShtrihCommand;
