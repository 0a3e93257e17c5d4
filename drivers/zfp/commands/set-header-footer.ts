/** `set_header_footer`: replaces all lines; those not given become blank. */

import { requireRoom } from "../../shared/header-footer.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ZfpCommand } from "../command.ts";
import { LIMITS } from "../dialect.ts";
import { CODE_PAGE, fitText } from "../text.ts";

export const setHeaderFooter = {
  type: "set_header_footer",
  execute: async ({ device, command, progress }) => {
    const { header, footer } = readPayload("set_header_footer", command.payload);
    const paper = { columns: LIMITS.line, codePage: CODE_PAGE } as const;
    requireRoom("header", header, { ...paper, lines: LIMITS.headerLines });
    requireRoom("footer", footer, { ...paper, lines: LIMITS.footerLines });
    await progress.mark("committing");
    const lines = Array.from({ length: LIMITS.headerLines }, (_, index) => header[index] ?? "");
    for (const [index, line] of [...lines, footer[0] ?? ""].entries()) {
      await device.ask("setLine", `${index + 1};${fitText(line, LIMITS.line)}`);
    }
    return { data: {} };
  },
} satisfies ZfpCommand;
