/** `set_header_footer`: replaces all lines; those not given become blank. */

import { requireRoom } from "../../shared/header-footer.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import { writeTexts } from "../texts.ts";

export const setHeaderFooter = {
  type: "set_header_footer",
  execute: async ({ device, command, progress }) => {
    const { header, footer } = readPayload("set_header_footer", command.payload);
    requireRoom("header", header, device.facts.texts.header.count);
    requireRoom("footer", footer, device.facts.texts.footer.count);
    await progress.mark("committing");
    await writeTexts(device, device.facts.texts.header, header);
    await writeTexts(device, device.facts.texts.footer, footer);
    return { data: {} };
  },
} satisfies ShtrihCommand;
