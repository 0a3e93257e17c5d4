/**
 * Logos: sent as lines of 320 dots, which the device keeps.
 * Source: Shtrih-M "FR protocol" 1.10, command C0h. UNCONFIRMED on a device: that lines count from
 * 1 where the device does not say so, that the leftmost dot is the lowest bit, and that a logo is
 * printed above receipts without a setting of the model's own table.
 */

import { type Bitmap, readBitmap } from "../shared/bitmap.ts";
import type { ShtrihDevice } from "./device.ts";
import { join } from "./fields.ts";

const LINES = 200;
const LINE_BYTES = 40;

/** Reads a logo. @throws FiscalError E400 when it is no such BMP, or too large */
export function parseLogo(file: Uint8Array): Bitmap {
  return readBitmap(file, { kind: "rows", rows: LINES, rowBytes: LINE_BYTES });
}

/**
 * Writes all lines, so that nothing of a larger logo stays below a smaller one.
 * @throws FiscalError E201 when the model takes no logo
 */
export async function uploadLogo(device: ShtrihDevice, rows: readonly Uint8Array[]): Promise<void> {
  const { firstLogoLine, logoLeftIsLow } = device.facts;
  for (let line = 0; line < LINES; line += 1) {
    const dots = new Uint8Array(LINE_BYTES);
    dots.set(
      (rows[line] ?? new Uint8Array(0)).map((byte) => (logoLeftIsLow ? mirror(byte) : byte)),
    );
    const { fault } = await device.send("logoLine", join(firstLogoLine + line, dots));
    if (fault) throw fault;
  }
}

/** The bits of a byte in the opposite order. */
function mirror(byte: number): number {
  let mirrored = 0;
  for (let bit = 0; bit < 8; bit += 1) mirrored = mirrored * 2 + ((byte >> bit) & 1);
  return mirrored;
}
