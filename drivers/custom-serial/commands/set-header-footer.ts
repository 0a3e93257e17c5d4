/**
 * `set_header_footer`: replaces the header; those lines not given become blank. What stores them is
 * one entry in the fiscal memory, which has room for so many: it is made once, at the end.
 */

import { FiscalError } from "#core/errors.ts";
import { requireRoom } from "../../shared/header-footer.ts";
import { readPayload } from "../../shared/payload.ts";
import type { CustomCommand } from "../command.ts";
import { CODE_PAGE, deviceText } from "../text.ts";

export const setHeaderFooter = {
  type: "set_header_footer",
  execute: async ({ device, command, progress }) => {
    const { header, footer } = readPayload("set_header_footer", command.payload);
    const { profile } = device;
    const { headerLines, headerText } = profile.limits;
    device.require("setHeaderLine");
    if (footer.length > 0) throw new FiscalError("E201", "This device has no footer of its own");
    const texts = requireRoom("header", header, {
      ...{ lines: headerLines, columns: headerText, codePage: CODE_PAGE },
      written: (text, field) => deviceText(text, field, profile),
    });
    // A text of no length is refused.
    const lines = Array.from({ length: headerLines }, (_, at) => texts[at]?.trimEnd() || " ");
    await progress.mark("committing");
    for (const [index, text] of lines.entries()) {
      await device.ask("setHeaderLine", { line: index + 1, text });
    }
    if (device.can("storeHeader")) await device.ask("storeHeader");
    return { data: {} };
  },
} satisfies CustomCommand;
