/** `get_header_footer`: reads the header; these devices have no footer of their own. */

import { withoutBlankEnd } from "../../shared/header-footer.ts";
import type { CustomCommand } from "../command.ts";

export const getHeaderFooter = {
  type: "get_header_footer",
  execute: async ({ device }) => {
    device.require("headerLine");
    const lines: string[] = [];
    for (let line = 1; line <= device.profile.limits.headerLines; line += 1) {
      // A line that was never written is refused.
      const fields = await device.tryAsk("headerLine", { line });
      lines.push((fields?.get("text") ?? "").trimEnd());
    }
    return { data: { header: withoutBlankEnd(lines), footer: [] } };
  },
} satisfies CustomCommand;
