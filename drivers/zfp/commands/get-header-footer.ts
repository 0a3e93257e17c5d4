/** `get_header_footer`: reads the lines, without the blank ones at the end. */

import { withoutBlankEnd } from "../../shared/header-footer.ts";
import type { ZfpCommand } from "../command.ts";
import type { ZfpDevice } from "../device.ts";
import { LIMITS } from "../dialect.ts";

export const getHeaderFooter = {
  type: "get_header_footer",
  execute: async ({ device }) => ({
    data: {
      header: await readLines(device, 1, LIMITS.headerLines),
      footer: await readLines(device, LIMITS.headerLines + 1, LIMITS.footerLines),
    },
  }),
} satisfies ZfpCommand;

/** Lines by their number from 1; the footer follows the header. */
async function readLines(device: ZfpDevice, first: number, count: number): Promise<string[]> {
  const lines: string[] = [];
  for (let line = first; line < first + count; line += 1) {
    const answer = await device.ask("line", String(line));
    // The text may hold semicolons of its own.
    lines.push(answer.list.slice(1).join(";").trimEnd());
  }
  return withoutBlankEnd(lines);
}
