/** `get_header_footer`: reads the lines, without the blank ones at the end. */

import { withoutBlankEnd } from "../../shared/header-footer.ts";
import type { IslCommand } from "../command.ts";
import type { IslDevice } from "../device.ts";
import type { ActionName } from "../dialect.ts";

export const getHeaderFooter = {
  type: "get_header_footer",
  needs: ["getHeader", "getFooter"],
  execute: async ({ device }) => ({
    data: {
      header: await readLines(device, "getHeader", device.dialect.header),
      footer: await readLines(device, "getFooter", device.dialect.footer),
    },
  }),
} satisfies IslCommand;

async function readLines(
  device: IslDevice,
  action: ActionName,
  place: { readonly lines: number; readonly firstIndex: number },
): Promise<string[]> {
  const lines: string[] = [];
  for (let line = 0; line < place.lines; line += 1) {
    const answer = await device.ask(action, { index: String(place.firstIndex + line) });
    lines.push(answer.line("value"));
  }
  return withoutBlankEnd(lines);
}
