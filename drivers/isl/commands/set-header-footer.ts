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
    const columns = device.facts.lineWidth;
    const written = (texts: readonly string[]) => texts.map((text) => device.written(text));
    requireRoom("header", written(header), { lines: device.dialect.header.lines, columns });
    requireRoom("footer", written(footer), { lines: device.dialect.footer.lines, columns });
    await progress.mark("committing");
    await writeLines(device, { action: "setHeader", lines: header, place: device.dialect.header });
    await writeLines(device, { action: "setFooter", lines: footer, place: device.dialect.footer });
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
