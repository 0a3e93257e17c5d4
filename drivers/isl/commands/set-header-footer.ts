/** `set_header_footer`: replaces all lines; those not given become blank. */

import { requireRoom } from "../../shared/header-footer.ts";
import { readPayload } from "../../shared/payload.ts";
import type { IslCommand } from "../command.ts";
import type { IslDevice } from "../device.ts";
import type { ActionName } from "../dialect.ts";

export const setHeaderFooter = {
  type: "set_header_footer",
  needs: ["setHeader", "setFooter"],
  execute: async ({ device, command, progress }) => {
    const { header, footer } = readPayload("set_header_footer", command.payload);
    const { dialect, facts } = device;
    const paper = { columns: facts.lineWidth, codePage: dialect.codePage };
    requireRoom("header", header, { ...paper, lines: dialect.header.lines });
    requireRoom("footer", footer, { ...paper, lines: dialect.footer.lines });
    await progress.mark("committing");
    await writeLines(device, { action: "setHeader", lines: header, place: dialect.header });
    await writeLines(device, { action: "setFooter", lines: footer, place: dialect.footer });
    return { data: {} };
  },
} satisfies IslCommand;

async function writeLines(
  device: IslDevice,
  what: {
    readonly action: ActionName;
    readonly lines: readonly string[];
    readonly place: { readonly lines: number; readonly firstIndex: number };
  },
): Promise<void> {
  for (let line = 0; line < what.place.lines; line += 1) {
    // A blank, because some devices take an empty text for the wish to read the line.
    const text = device.fit(what.lines[line] ?? "", device.facts.lineWidth) || " ";
    await device.ask(what.action, { index: String(what.place.firstIndex + line), text });
  }
}
