/** Logos: reading a black-and-white BMP and sending it as the device takes it. */

import { FiscalError } from "#core/errors.ts";
import type { IslDevice } from "./device.ts";
import type { LogoFormat } from "./dialect.ts";

/** A black-and-white image. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** Rows from the top, 8 dots a byte, the leftmost in bit 7; 1 is black. */
  readonly rows: readonly Uint8Array[];
  /** The file as it came. */
  readonly file: Uint8Array;
}

const ACCEPTED = "expected a BMP file with 1 bit per pixel, uncompressed";
const FILE_HEADER_BYTES = 14;
const INFO_HEADER_BYTES = 40;

/**
 * Reads a logo and checks that the device takes it.
 * @throws FiscalError E400 when it is no such BMP, or too large
 */
export function readBitmap(file: Uint8Array, format: LogoFormat): Bitmap {
  const bitmap = parseBitmap(file);
  if (format.kind === "file" && file.length > format.bytesMax) {
    throw new FiscalError("E400", `logo: at most ${format.bytesMax} bytes`);
  }
  if (
    format.kind === "rows" &&
    (bitmap.height > format.rows || Math.ceil(bitmap.width / 8) > format.rowBytes)
  ) {
    throw new FiscalError("E400", `logo: at most ${format.rowBytes * 8} x ${format.rows} dots`);
  }
  return bitmap;
}

function parseBitmap(file: Uint8Array): Bitmap {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < FILE_HEADER_BYTES + INFO_HEADER_BYTES + 8 || view.getUint16(0) !== 0x424d) {
    throw new FiscalError("E400", `logo: ${ACCEPTED}`);
  }
  const pixelsAt = view.getUint32(10, true);
  const paletteAt = FILE_HEADER_BYTES + view.getUint32(14, true);
  const width = view.getInt32(18, true);
  const signedHeight = view.getInt32(22, true);
  const isPlain = view.getUint16(28, true) === 1 && view.getUint32(30, true) === 0;
  const height = Math.abs(signedHeight);
  const stride = Math.ceil(width / 32) * 4;
  const isWhole = pixelsAt + stride * height <= file.length && paletteAt + 8 <= pixelsAt;
  if (!isPlain || width < 1 || height < 1 || !isWhole) {
    throw new FiscalError("E400", `logo: ${ACCEPTED}`);
  }
  // The darker of the two colours is the one that is printed.
  const blackIsOne = lightness(file, paletteAt + 4) < lightness(file, paletteAt);
  const rows = Array.from({ length: height }, (_, row) => {
    // A positive height means that the file begins with the bottom row.
    const at = pixelsAt + stride * (signedHeight > 0 ? height - 1 - row : row);
    return readRow(file.subarray(at, at + stride), width, blackIsOne);
  });
  return { width, height, rows, file };
}

function lightness(file: Uint8Array, at: number): number {
  return (file[at] ?? 0) + (file[at + 1] ?? 0) + (file[at + 2] ?? 0);
}

function readRow(source: Uint8Array, width: number, blackIsOne: boolean): Uint8Array {
  const row = new Uint8Array(Math.ceil(width / 8));
  for (let at = 0; at < row.length; at += 1) {
    row[at] = blackIsOne ? (source[at] ?? 0) : ~(source[at] ?? 0) & 0xff;
  }
  // Dots beyond the width are padding and stay white.
  const spare = row.length * 8 - width;
  const last = row.length - 1;
  row[last] = ((row[last] ?? 0) >> spare) << spare;
  return row;
}

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
