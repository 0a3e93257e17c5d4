/** `set_logo`: uploads a black-and-white BMP, line by line. */

import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import { parseLogo, uploadLogo } from "../logo.ts";

export const setLogo = {
  type: "set_logo",
  execute: async ({ device, command, progress }) => {
    const { logo } = readPayload("set_logo", command.payload);
    const bitmap = parseLogo(Buffer.from(logo, "base64"));
    await progress.mark("committing");
    await uploadLogo(device, bitmap.rows);
    return { data: { width: bitmap.width, height: bitmap.height } };
  },
} satisfies ShtrihCommand;
