/** A picture as a printer takes it: black dots on white paper, in a BMP file of one bit a dot. */

/** A picture as canvases give it: red, green, blue and opacity of each point, 0 to 255. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** Dots in rows from the top; true is black. */
export interface Dots {
  readonly width: number;
  readonly height: number;
  readonly black: readonly boolean[];
}

/** How greys become black or white. */
export interface Conversion {
  /** Greys below it are black: 0 to 255. */
  readonly threshold: number;
  /** Scattered dots in place of greys, as for photographs. */
  readonly isScattered: boolean;
}

/** Turns colours into dots; what is transparent is paper. */
export function dotsOf(pixels: Pixels, { threshold, isScattered }: Conversion): Dots {
  const { width, height } = pixels;
  const greys = greysOf(pixels);
  const black: boolean[] = [];
  for (let at = 0; at < greys.length; at += 1) {
    const grey = greys[at] ?? 255;
    black.push(grey < threshold);
    if (isScattered) spread(greys, { at, width, rest: grey - (grey < threshold ? 0 : 255) });
  }
  return { width, height, black };
}

function greysOf({ data, width, height }: Pixels): Float32Array {
  const greys = new Float32Array(width * height);
  for (let at = 0; at < greys.length; at += 1) {
    const [red = 0, green = 0, blue = 0, opacity = 0] = data.subarray(at * 4, at * 4 + 4);
    // As bright as an eye sees the colours, on white.
    const grey = 0.299 * red + 0.587 * green + 0.114 * blue;
    greys[at] = 255 - ((255 - grey) * opacity) / 255;
  }
  return greys;
}

/** Floyd and Steinberg: what a dot is too dark or too bright its neighbours make up for. */
function spread(
  greys: Float32Array,
  { at, width, rest }: { readonly at: number; readonly width: number; readonly rest: number },
): void {
  const column = at % width;
  const add = (place: number, part: number) => {
    if (place < greys.length) greys[place] = (greys[place] ?? 0) + (rest * part) / 16;
  };
  if (column + 1 < width) add(at + 1, 7);
  if (column > 0) add(at + width - 1, 3);
  add(at + width, 5);
  if (column + 1 < width) add(at + width + 1, 1);
}

const HEADER_BYTES = 14;
const INFO_BYTES = 40;
const PALETTE_BYTES = 8;
const PIXELS_AT = HEADER_BYTES + INFO_BYTES + PALETTE_BYTES;

/** Bytes of a row in the file: rows end at a multiple of four. */
const strideOf = (width: number): number => Math.ceil(width / 32) * 4;

/** Bytes of the file of a picture of that size. */
export function bitmapBytes(width: number, height: number): number {
  return PIXELS_AT + strideOf(width) * height;
}

/** The BMP file: uncompressed, from the bottom row up, 1 is white. */
export function bitmapFile({ width, height, black }: Dots): Uint8Array {
  const file = new Uint8Array(bitmapBytes(width, height));
  const view = new DataView(file.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(2, file.length, true);
  view.setUint32(10, PIXELS_AT, true);
  view.setUint32(14, INFO_BYTES, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 1, true);
  view.setUint32(34, strideOf(width) * height, true);
  view.setUint32(46, 2, true);
  // The second colour is white; the first is left black.
  view.setUint32(HEADER_BYTES + INFO_BYTES + 4, 0x00ffffff, true);
  for (let row = 0; row < height; row += 1) {
    const rowAt = PIXELS_AT + strideOf(width) * (height - 1 - row);
    for (let column = 0; column < width; column += 1) {
      if (black[row * width + column] === true) continue;
      const place = rowAt + (column >> 3);
      file[place] = (file[place] ?? 0) | (0x80 >> (column & 7));
    }
  }
  return file;
}

/** Text in base64, as the API takes it. */
export function base64Of(file: Uint8Array): string {
  let text = "";
  for (const byte of file) text += String.fromCharCode(byte);
  return btoa(text);
}

/** How large a printer takes a logo; null is no limit. */
export interface LogoLimits {
  readonly maxWidth: number | null;
  readonly maxHeight: number | null;
  readonly maxBytes: number | null;
}

/** Narrow paper has room for so many dots; wide paper for more. */
const USUAL_WIDTH = 384;

/** The widest that a printer prints. */
export function widestOf({ maxWidth }: LogoLimits): number {
  return maxWidth ?? USUAL_WIDTH;
}

/**
 * The size of a picture on paper, in its own proportions.
 * @param share of the widest that the printer prints, 0 to 1
 */
export function sizeOnPaper(
  picture: { readonly width: number; readonly height: number },
  limits: LogoLimits,
  share: number,
): { width: number; height: number } {
  const proportion = picture.height / picture.width;
  let width = Math.max(8, Math.round(widestOf(limits) * share));
  const heightOf = () => Math.max(1, Math.round(width * proportion));
  const fits = () =>
    heightOf() <= (limits.maxHeight ?? Number.POSITIVE_INFINITY) &&
    bitmapBytes(width, heightOf()) <= (limits.maxBytes ?? Number.POSITIVE_INFINITY);
  while (width > 8 && !fits()) width -= 1;
  return { width, height: Math.min(heightOf(), limits.maxHeight ?? heightOf()) };
}
