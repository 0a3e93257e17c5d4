/** `set_header_footer`: replaces all lines; those not given become blank. */

import { FiscalError } from "#core/errors.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import { FACTORY } from "../dialects/factory.ts";
import { writeTexts } from "../texts.ts";

export const setHeaderFooter = {
  type: "set_header_footer",
  execute: async ({ device, command, progress }) => {
    const { header, footer } = readPayload("set_header_footer", command.payload);
    requireRoom("header", header, FACTORY.header.count);
    requireRoom("footer", footer, FACTORY.footer.count);
    await progress.mark("committing");
    await writeTexts(device, FACTORY.header, header);
    await writeTexts(device, FACTORY.footer, footer);
    return { data: {} };
  },
} satisfies ShtrihCommand;

function requireRoom(name: string, lines: readonly string[], most: number): void {
  if (lines.length > most) throw new FiscalError("E400", `${name}: this device has ${most} lines`);
}
