/** A picture for commands that take one. */

/**
 * A BMP of 8 x 2 dots, as base64: the first row half black.
 * @param bitsPerPixel what its header says: one, as its dots have, unless given
 */
export function sampleBitmap(bitsPerPixel = 1): string {
  const file = Buffer.alloc(70);
  file.write("BM");
  file.writeUInt32LE(62, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(8, 18);
  file.writeInt32LE(2, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(bitsPerPixel, 28);
  file.writeUInt32LE(0xffffff, 58);
  file[62] = 0xf0;
  return file.toString("base64");
}
