/** Pictures made of dots: put together, read from BMP files, written as PNG files. */

import { crc32, deflateSync } from "node:zlib";
import type { Picture } from "./line.ts";

/** A picture from a function that tells which dots are black. */
export function pictureOf(
  width: number,
  height: number,
  isBlack: (x: number, y: number) => boolean,
): Picture {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = new Uint8Array(Math.ceil(width / 8));
    for (let x = 0; x < width; x += 1) {
      if (isBlack(x, y)) row[x >> 3] = (row[x >> 3] ?? 0) | (0x80 >> (x & 7));
    }
    return row;
  });
  return { width, height, rows };
}

/** Whether a dot is black; dots outside the picture are not. */
export function isBlack({ width, rows }: Picture, x: number, y: number): boolean {
  return x >= 0 && x < width && (((rows[y]?.[x >> 3] ?? 0) >> (7 - (x & 7))) & 1) === 1;
}

/**
 * The picture whose rows are these bytes in hexadecimal, less the white rows at its end: devices
 * that take a logo row by row are sent all the rows that they have.
 */
export function pictureOfRows(hexRows: readonly string[]): Picture | undefined {
  const rows = hexRows.map((hex) => Uint8Array.from(Buffer.from(hex, "hex")));
  while (rows.at(-1)?.every((byte) => byte === 0)) rows.pop();
  if (rows.length === 0) return undefined;
  const bytes = Math.max(...rows.map((row) => row.length));
  const filled = rows.map((row) => {
    const whole = new Uint8Array(bytes);
    whole.set(row);
    return whole;
  });
  return { width: 8 * bytes, height: rows.length, rows: filled };
}

const FILE_HEADER_BYTES = 14;
const BMP_SIDE_MAX = 4_096;

/**
 * The rows of an uncompressed black-and-white BMP file, in hexadecimal from the top.
 * @returns undefined when it is no such file
 * Source: Windows bitmap format, BITMAPINFOHEADER.
 */
export function bitmapRows(file: Uint8Array): string[] | undefined {
  if (file.length < FILE_HEADER_BYTES + 40 + 8 || file[0] !== 0x42 || file[1] !== 0x4d) {
    return undefined;
  }
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const width = view.getInt32(18, true);
  const height = view.getInt32(22, true);
  const isOneBit = view.getUint16(28, true) === 1 && view.getUint32(30, true) === 0;
  const rowCount = Math.abs(height);
  if (!isOneBit || width < 1 || width > BMP_SIDE_MAX) return undefined;
  if (rowCount < 1 || rowCount > BMP_SIDE_MAX) return undefined;
  const stride = 4 * Math.ceil(width / 32);
  const at = view.getUint32(10, true);
  if (at + stride * rowCount > file.length) return undefined;
  const palette = FILE_HEADER_BYTES + view.getUint32(14, true);
  const brightness = (colour: number) =>
    [0, 1, 2].reduce((sum, part) => sum + (file[palette + 4 * colour + part] ?? 0), 0);
  const inverted = brightness(1) > brightness(0) ? 0xff : 0;
  const bytes = Math.ceil(width / 8);
  return Array.from({ length: rowCount }, (_, y) => {
    // A positive height tells that the last row comes first.
    const from = at + stride * (height > 0 ? rowCount - 1 - y : y);
    const row = file.slice(from, from + bytes).map((byte) => byte ^ inverted);
    const used = width % 8;
    if (used !== 0) row[bytes - 1] = (row[bytes - 1] ?? 0) & (0xff << (8 - used));
    return Buffer.from(row).toString("hex");
  });
}

const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const ONE_BIT_PALETTE = Uint8Array.of(1, 3, 0, 0, 0);

/**
 * A picture as a PNG file: black dots in the colour of the ink, white ones see-through.
 * @param ink red, green and blue
 * Source: Portable Network Graphics, third edition (W3C).
 */
export function pngOf({ width, height, rows }: Picture, ink: readonly number[]): Uint8Array {
  const head = new DataView(new ArrayBuffer(8));
  head.setUint32(0, width);
  head.setUint32(4, height);
  // Each row begins with its filter, which is none.
  const lines = Buffer.concat(rows.flatMap((row) => [Uint8Array.of(0), row]));
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk("IHDR", Buffer.concat([new Uint8Array(head.buffer), ONE_BIT_PALETTE])),
    chunk("PLTE", Uint8Array.of(255, 255, 255, ...ink)),
    chunk("tRNS", Uint8Array.of(0, 255)),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(named.length + 8);
  frame.writeUInt32BE(data.length, 0);
  frame.set(named, 4);
  frame.writeUInt32BE(crc32(named), named.length + 4);
  return frame;
}
