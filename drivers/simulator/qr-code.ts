/**
 * QR codes as receipts carry them: bytes, error correction level M, versions 1 to 10.
 * Source: ISO/IEC 18004:2015, sections 7.3 to 7.9 and annexes A, C and D.
 */

import { pictureOf } from "./paper-dots.ts";
import type { Picture } from "./paper-line.ts";

/** Blocks of level M by version: check bytes of a block, and data bytes of each block. */
const VERSIONS: readonly { readonly check: number; readonly data: readonly number[] }[] = [
  { check: 10, data: [16] },
  { check: 16, data: [28] },
  { check: 26, data: [44] },
  { check: 18, data: [32, 32] },
  { check: 24, data: [43, 43] },
  { check: 16, data: [27, 27, 27, 27] },
  { check: 18, data: [31, 31, 31, 31] },
  { check: 22, data: [38, 38, 39, 39] },
  { check: 22, data: [36, 36, 36, 37, 37] },
  { check: 26, data: [43, 43, 43, 43, 44] },
];
/** Centres of the alignment patterns by version. */
const ALIGNMENT: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];
/** Most bytes that fit. */
export const QR_BYTES_MAX = 213;

const BYTE_MODE = 0b0100;
const LEVEL_M = 0b00;
const FORMAT_POLYNOMIAL = 0x537;
const FORMAT_MASK = 0x5412;
const VERSION_POLYNOMIAL = 0x1f25;

/**
 * The code of a text, without a quiet zone around it.
 * @throws RangeError when the text is longer than `QR_BYTES_MAX` bytes of UTF-8
 */
export function qrCode(text: string): Picture {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex(({ data }, index) => {
    const countBits = index + 1 < 10 ? 8 : 16;
    return 4 + countBits + 8 * bytes.length <= 8 * sum(data);
  });
  if (version < 0) throw new RangeError(`a QR code holds at most ${QR_BYTES_MAX} bytes`);
  const words = interleave(encodeData(bytes, version), version);
  let best: Matrix | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let mask = 0; mask < MASKS.length; mask += 1) {
    const matrix = new Matrix(version);
    matrix.place(words, mask);
    const penalty = matrix.penalty();
    if (penalty < least) {
      least = penalty;
      best = matrix;
    }
  }
  const matrix = best ?? new Matrix(version);
  return pictureOf(matrix.size, matrix.size, (x, y) => matrix.isDark(x, y));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Mode, length and bytes as bits, filled up to what the version holds. */
function encodeData(bytes: Uint8Array, version: number): Uint8Array {
  const capacity = sum(VERSIONS[version]?.data ?? []);
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  put(BYTE_MODE, 4);
  put(bytes.length, version + 1 < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, capacity * 8 - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < capacity * 8; pad ^= 0xec ^ 0x11) put(pad, 8);
  const words = new Uint8Array(capacity);
  for (const [at, bit] of bits.entries())
    words[at >> 3] = (words[at >> 3] ?? 0) | (bit << (7 - (at & 7)));
  return words;
}

/** Cuts the data into blocks, adds their check bytes, and deals them out in turn. */
function interleave(data: Uint8Array, version: number): number[] {
  const { check, data: sizes } = VERSIONS[version] ?? { check: 0, data: [] };
  let at = 0;
  const blocks = sizes.map((size) => {
    const block = data.subarray(at, at + size);
    at += size;
    return { block, check: checkBytes(block, check) };
  });
  const dealt: number[] = [];
  for (let index = 0; index < Math.max(...sizes); index += 1) {
    for (const { block } of blocks) if (index < block.length) dealt.push(block[index] ?? 0);
  }
  for (let index = 0; index < check; index += 1) {
    for (const block of blocks) dealt.push(block.check[index] ?? 0);
  }
  return dealt;
}

/** Reed-Solomon over GF(256) with the polynomial 11Dh. */
function checkBytes(block: Uint8Array, count: number): number[] {
  let generator = [1];
  let root = 1;
  for (let degree = 0; degree < count; degree += 1) {
    const next = [...generator, 0];
    for (const [index, factor] of generator.entries()) {
      next[index + 1] = (next[index + 1] ?? 0) ^ multiply(factor, root);
    }
    generator = next;
    root = multiply(root, 2);
  }
  const rest = new Array<number>(count).fill(0);
  for (const byte of block) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (const [index, term] of generator.slice(1).entries()) {
      rest[index] = (rest[index] ?? 0) ^ multiply(term, factor);
    }
  }
  return rest;
}

function multiply(left: number, right: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ (product & 0x80 ? 0x11d : 0);
    if ((right >> bit) & 1) product ^= left;
  }
  return product;
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => ((x / 3) | 0) % 2 === ((y / 2) | 0) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The modules of a code: those with a fixed meaning first, then the data around them. */
class Matrix {
  readonly size: number;
  readonly #version: number;
  readonly #dark: boolean[];
  readonly #fixed: boolean[];

  constructor(version: number) {
    this.#version = version;
    this.size = 21 + 4 * version;
    this.#dark = new Array<boolean>(this.size ** 2).fill(false);
    this.#fixed = new Array<boolean>(this.size ** 2).fill(false);
    this.#drawPatterns();
  }

  isDark(x: number, y: number): boolean {
    return this.#dark[y * this.size + x] ?? false;
  }

  /** Places the words in columns of two from the right, up and down in turn. */
  place(words: readonly number[], mask: number): void {
    const isMasked = MASKS[mask] ?? (() => false);
    let at = 0;
    let up = true;
    for (let right = this.size - 1; right > 0; right -= 2) {
      // The column of the timing pattern holds no data.
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step += 1) {
        const y = up ? this.size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.#fixed[y * this.size + x]) continue;
          const bit = ((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
          at += 1;
          this.#dark[y * this.size + x] = (bit === 1) !== isMasked(x, y);
        }
      }
      up = !up;
    }
    this.#drawFormat(mask);
  }

  /** How hard the code is to read: runs, blocks, look-alikes of finders, too much of a colour. */
  penalty(): number {
    const { size } = this;
    let points = 0;
    let dark = 0;
    for (let line = 0; line < size; line += 1) {
      points += this.#linePenalty((at) => this.isDark(at, line));
      points += this.#linePenalty((at) => this.isDark(line, at));
      for (let at = 0; at < size; at += 1) {
        const here = this.isDark(at, line);
        if (here) dark += 1;
        if (at === 0 || line === 0) continue;
        const isBlock =
          this.isDark(at - 1, line) === here &&
          this.isDark(at, line - 1) === here &&
          this.isDark(at - 1, line - 1) === here;
        if (isBlock) points += 3;
      }
    }
    return points + 10 * Math.floor(Math.abs((dark * 20) / size ** 2 - 10));
  }

  #linePenalty(isDark: (at: number) => boolean): number {
    let points = 0;
    let run = 0;
    let text = "";
    for (let at = 0; at < this.size; at += 1) {
      const here = isDark(at);
      run = at > 0 && here === isDark(at - 1) ? run + 1 : 1;
      if (run === 5) points += 3;
      else if (run > 5) points += 1;
      text += here ? "1" : "0";
    }
    for (const finder of ["10111010000", "00001011101"]) {
      for (let at = text.indexOf(finder); at >= 0; at = text.indexOf(finder, at + 1)) points += 40;
    }
    return points;
  }

  #set(x: number, y: number, isDark: boolean): void {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.#dark[y * this.size + x] = isDark;
    this.#fixed[y * this.size + x] = true;
  }

  #drawPatterns(): void {
    for (let at = 0; at < this.size; at += 1) {
      this.#set(at, 6, at % 2 === 0);
      this.#set(6, at, at % 2 === 0);
    }
    const far = this.size - 4;
    for (const [x, y] of [
      [3, 3],
      [far, 3],
      [3, far],
    ] as const) {
      this.#drawSquares(x, y, { reach: 4, light: [2, 4] });
    }
    const centres = ALIGNMENT[this.#version] ?? [];
    const last = centres.length - 1;
    for (const [row, y] of centres.entries()) {
      for (const [column, x] of centres.entries()) {
        const isFinder = (row === 0 && column === 0) || row + column === last;
        const isCorner = isFinder && (row === 0 || column === 0);
        if (!isCorner) this.#drawSquares(x, y, { reach: 2, light: [1] });
      }
    }
    this.#drawFormat(0);
    this.#drawVersion();
  }

  /** Squares within squares; those at the distances in `light` are light. */
  #drawSquares(x: number, y: number, squares: { reach: number; light: readonly number[] }): void {
    const { reach, light } = squares;
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        const distance = Math.max(Math.abs(dx), Math.abs(dy));
        this.#set(x + dx, y + dy, !light.includes(distance));
      }
    }
  }

  #drawFormat(mask: number): void {
    const data = (LEVEL_M << 3) | mask;
    const bits = withRemainder(data, FORMAT_POLYNOMIAL, 10) ^ FORMAT_MASK;
    const { size } = this;
    for (let at = 0; at < 15; at += 1) {
      const isDark = ((bits >> at) & 1) === 1;
      // Once around the finder at the top left, once along the two others.
      if (at < 6) this.#set(8, at, isDark);
      else if (at < 8) this.#set(8, at + 1, isDark);
      else if (at === 8) this.#set(7, 8, isDark);
      else this.#set(14 - at, 8, isDark);
      if (at < 8) this.#set(size - 1 - at, 8, isDark);
      else this.#set(8, size - 15 + at, isDark);
    }
    this.#set(8, size - 8, true);
  }

  #drawVersion(): void {
    const version = this.#version + 1;
    if (version < 7) return;
    const bits = withRemainder(version, VERSION_POLYNOMIAL, 12);
    for (let at = 0; at < 18; at += 1) {
      const isDark = ((bits >> at) & 1) === 1;
      const far = this.size - 11 + (at % 3);
      const near = Math.floor(at / 3);
      this.#set(far, near, isDark);
      this.#set(near, far, isDark);
    }
  }
}

/** A value with the remainder of its division by a polynomial of this degree behind it. */
function withRemainder(value: number, polynomial: number, degree: number): number {
  let rest = value << degree;
  for (let bit = 31 - Math.clz32(rest); bit >= degree; bit = 31 - Math.clz32(rest)) {
    rest ^= polynomial << (bit - degree);
    if (rest === 0) break;
  }
  return (value << degree) | rest;
}
