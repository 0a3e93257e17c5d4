/**
 * Logos: sent as lines of 320 dots, which the device keeps.
 * The leftmost dot of eight is the lowest bit, on every model: bit 26 of the model parameters speaks
 * of single lines (C5h) only. Lines count from 1 where the device does not say so.
 * Source: Shtrih-M "FR protocol" 1.10 and "KKT protocol" 2.0, command C0h; for the order of the dots
 * shtrih-m/opos, FiscalPrinterDevice.pas, and for the first line shtrih-m/javapos_shtrih,
 * SMFiscalPrinterImpl.java. UNCONFIRMED on a device: that a logo is printed above receipts without
 * a setting of the model's own table.
 */

import { type Bitmap, readBitmap } from "../shared/bitmap.ts";
import type { ShtrihDevice } from "./device.ts";
import { join } from "./fields.ts";

const LINES = 200;
const LINE_BYTES = 40;

/** The largest logo that devices take, in dots. */
export const LOGO_SIZE = { width: LINE_BYTES * 8, height: LINES } as const;

/** Reads a logo. @throws FiscalError E400 when it is no such BMP, or too large */
export function parseLogo(file: Uint8Array): Bitmap {
  return readBitmap(file, { kind: "rows", rows: LINES, rowBytes: LINE_BYTES });
}

/**
 * Writes all lines, so that nothing of a larger logo stays below a smaller one.
 * @throws FiscalError E201 when the model takes no logo
 */
export async function uploadLogo(device: ShtrihDevice, rows: readonly Uint8Array[]): Promise<void> {
  const { firstLogoLine } = device.facts;
  const lines = firstLogoLine > 1 ? LINES - 1 : LINES;
  for (let line = 0; line < lines; line += 1) {
    const dots = new Uint8Array(LINE_BYTES);
    dots.set((rows[line] ?? new Uint8Array(0)).map(mirror));
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
