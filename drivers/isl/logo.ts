/** Logos: sending a black-and-white image as the device takes it. */

import type { Bitmap } from "../shared/bitmap.ts";
import type { IslDevice } from "./device.ts";
import type { LogoFormat } from "./dialect.ts";

/** Sends a logo. @throws FiscalError */
export async function uploadLogo(
  device: IslDevice,
  bitmap: Bitmap,
  format: LogoFormat,
): Promise<void> {
  if (format.kind === "file") {
    await device.ask("logoStart");
    const text = Buffer.from(bitmap.file).toString("base64");
    for (let at = 0; at < text.length; at += format.partCharacters) {
      await device.ask("logoPart", { part: text.slice(at, at + format.partCharacters) });
    }
    await device.ask("logoEnd");
    return;
  }
  // All rows are written, so that nothing of a larger logo stays below a smaller one.
  for (let row = 0; row < format.rows; row += 1) {
    const dots = Buffer.alloc(format.rowBytes);
    dots.set(bitmap.rows[row] ?? []);
    await device.ask("logoPart", { row: String(row), part: dots.toString("hex").toUpperCase() });
  }
}
