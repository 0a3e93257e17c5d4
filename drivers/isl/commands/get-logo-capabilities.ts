/** `get_logo_capabilities`: how large a logo may be. */

import { FiscalError } from "#core/errors.ts";
import type { IslCommand } from "../command.ts";

export const getLogoCapabilities = {
  type: "get_logo_capabilities",
  needs: ["logoPart", "logoOn"],
  execute: async ({ device }) => {
    const format = device.facts.logo;
    if (!format) throw new FiscalError("E201", "These devices take no logo");
    return {
      data:
        format.kind === "file"
          ? { maxWidth: null, maxHeight: null, maxBytes: format.bytesMax }
          : { maxWidth: format.rowBytes * 8, maxHeight: format.rows, maxBytes: null },
    };
  },
} satisfies IslCommand;
