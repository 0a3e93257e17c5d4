/**
 * `set_logo`: uploads a BMP file as hexadecimal text, a part of fifty characters at a time. The
 * device prints it from the next Z report on.
 */

import { FiscalError } from "#core/errors.ts";
import { readBitmap } from "../../shared/bitmap.ts";
import { readPayload } from "../../shared/payload.ts";
import type { CustomCommand } from "../command.ts";

/** The count in front of a part is that of its bytes. UNCONFIRMED: an example counts characters. */
const PART_BYTES = 25;

export const setLogo = {
  type: "set_logo",
  execute: async ({ device, command, progress }) => {
    const { logo } = readPayload("set_logo", command.payload);
    const { logoBytes: bytesMax, logoWidthDots } = device.profile.limits;
    device.require("logoBegin", "logoPart", "logoEnd");
    const { file, width, height } = readBitmap(Buffer.from(logo, "base64"), {
      kind: "file",
      bytesMax,
    });
    if (width > logoWidthDots) {
      throw new FiscalError("E400", `logo: at most ${logoWidthDots} dots wide`);
    }
    await progress.mark("committing");
    await device.ask("logoBegin", { size: file.length });
    for (let at = 0; at < file.length; at += PART_BYTES) {
      const part = file.subarray(at, at + PART_BYTES);
      const text = Buffer.from(part).toString("hex").toUpperCase();
      await device.ask("logoPart", { count: part.length, text });
    }
    await device.ask("logoEnd");
    return { data: { width, height } };
  },
} satisfies CustomCommand;
