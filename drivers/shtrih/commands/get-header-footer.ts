/** `get_header_footer`: reads the lines, without the blank ones at the end. */

import type { ShtrihCommand } from "../command.ts";
import { readTexts } from "../texts.ts";

export const getHeaderFooter = {
  type: "get_header_footer",
  execute: async ({ device }) => ({
    data: {
      header: await readTexts(device, device.facts.texts.header),
      footer: await readTexts(device, device.facts.texts.footer),
    },
  }),
} satisfies ShtrihCommand;
