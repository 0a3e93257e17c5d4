/** Logos as the protocols take them: a black-and-white BMP file, read and measured. */

import { FiscalError } from "#core/errors.ts";

/** The largest image a device takes: as a file, or as rows of dots. */
export type BitmapLimit =
  | { readonly kind: "file"; readonly bytesMax: number }
  | { readonly kind: "rows"; readonly rows: number; readonly rowBytes: number };

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
export function readBitmap(file: Uint8Array, limit: BitmapLimit): Bitmap {
  const bitmap = parseBitmap(file);
  if (limit.kind === "file" && file.length > limit.bytesMax) {
    throw new FiscalError("E400", `logo: at most ${limit.bytesMax} bytes`);
  }
  if (
    limit.kind === "rows" &&
    (bitmap.height > limit.rows || Math.ceil(bitmap.width / 8) > limit.rowBytes)
  ) {
    throw new FiscalError("E400", `logo: at most ${limit.rowBytes * 8} x ${limit.rows} dots`);
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
