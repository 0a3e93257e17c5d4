/** `set_logo`: uploads a black-and-white BMP. */

import { FiscalError } from "#core/errors.ts";
import { readBitmap } from "../../shared/bitmap.ts";
import { readPayload } from "../../shared/payload.ts";
import type { IslCommand } from "../command.ts";
import { uploadLogo } from "../logo.ts";

export const setLogo = {
  type: "set_logo",
  needs: ["logoPart", "logoOn"],
  execute: async ({ device, command, progress }) => {
    const { logo } = readPayload("set_logo", command.payload);
    const format = device.facts.logo;
    if (!format) throw new FiscalError("E201", "These devices take no logo");
    const bitmap = readBitmap(Buffer.from(logo, "base64"), format);
    await progress.mark("committing");
    await uploadLogo(device, bitmap, format);
    await device.ask("logoOn");
    if (device.can("logoRestart")) await device.ask("logoRestart");
    return { data: { width: bitmap.width, height: bitmap.height } };
  },
} satisfies IslCommand;
