/** `set_header_footer`: replaces all lines; those not given become blank. */

import { requireRoom } from "../../shared/header-footer.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ZfpCommand } from "../command.ts";
import { LIMITS } from "../dialect.ts";
import { fitText, printed } from "../text.ts";

export const setHeaderFooter = {
  type: "set_header_footer",
  execute: async ({ device, command, progress }) => {
    const { header, footer } = readPayload("set_header_footer", command.payload);
    const { line: columns } = LIMITS;
    requireRoom("header", header.map(printed), { lines: LIMITS.headerLines, columns });
    requireRoom("footer", footer.map(printed), { lines: LIMITS.footerLines, columns });
    await progress.mark("committing");
    const lines = Array.from({ length: LIMITS.headerLines }, (_, index) => header[index] ?? "");
    for (const [index, line] of [...lines, footer[0] ?? ""].entries()) {
      await device.ask("setLine", `${index + 1};${fitText(line, LIMITS.line)}`);
    }
    return { data: {} };
  },
} satisfies ZfpCommand;
