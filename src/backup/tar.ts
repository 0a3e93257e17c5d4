/**
 * The tar format, as far as a backup needs it: plain files of any size, read and written as streams.
 * What is written is POSIX ustar; a size beyond its eleven octal digits stands in binary, as GNU tar,
 * libarchive and busybox read it.
 */

const BLOCK = 512;
/** The longest name, in UTF-8. */
export const NAME_BYTES = 100;
/** The largest size that the header holds in octal digits: 8 GiB less one byte. */
const OCTAL_MAX = 8 ** 11 - 1;
const FILE_MODE = 0o600;
const ZERO_BLOCK = new Uint8Array(BLOCK);
const REGULAR = 48;

/** A file to be packed, or one that was found. */
export interface TarEntry {
  /** Path with slashes, below the archive's root. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Exactly so many bytes, to be read before the next entry. */
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** It is no tar archive, or one of another kind than is written here. */
export class NoArchive extends Error {
  override readonly name = "NoArchive";
}

/**
 * Packs files.
 * @param modifiedAt UTC milliseconds, of all of them
 * @throws RangeError when a name is too long for the format, or a content has another size
 */
export async function* packTar(
  entries: AsyncIterable<TarEntry> | Iterable<TarEntry>,
  modifiedAt: number,
): AsyncGenerator<Uint8Array> {
  for await (const { name, size, content } of entries) {
    yield headerOf(name, size, modifiedAt);
    let left = size;
    for await (const part of content) {
      left -= part.length;
      if (left < 0) break;
      yield part;
    }
    if (left !== 0) throw new RangeError(`${name} is not of ${size} bytes any more`);
    yield ZERO_BLOCK.subarray(0, paddingOf(size));
  }
  yield ZERO_BLOCK;
  yield ZERO_BLOCK;
}

/**
 * The files of an archive, in order. What of a content was not read is passed over.
 * @throws NoArchive when it is none, breaks off or holds anything but files
 */
export async function* unpackTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(source);
  for (;;) {
    const header = await bytes.take(BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const { name, size } = readHeader(header);
    const content = bytes.parts(size);
    yield { name, size, content };
    for await (const _ of content) {
      // What nobody wanted to read.
    }
    await bytes.take(paddingOf(size));
  }
  // To its end, so that whoever deciphers it has seen its last, authenticated part.
  await bytes.drain();
}

function headerOf(name: string, size: number, modifiedAt: number): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const put = (text: string, at: number): void => {
    header.set(new TextEncoder().encode(text), at);
  };
  if (Buffer.byteLength(name) > NAME_BYTES) throw new RangeError(`the name ${name} is too long`);
  put(name, 0);
  put(octal(FILE_MODE, 7), 100);
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  putSize(header, size);
  put(octal(Math.floor(modifiedAt / 1_000), 11), 136);
  put("        ", 148);
  header[156] = REGULAR;
  put("ustar\u000000", 257);
  put(octal(sumOf(header), 6), 148);
  header[154] = 0;
  return header;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function putSize(header: Uint8Array, size: number): void {
  if (size <= OCTAL_MAX) {
    header.set(new TextEncoder().encode(octal(size, 11)), 124);
    return;
  }
  const view = new DataView(header.buffer);
  view.setUint8(124, 0x80);
  view.setBigUint64(128, BigInt(size));
}

function readHeader(header: Uint8Array): { name: string; size: number } {
  const told = Number.parseInt(textAt(header, 148, 8), 8);
  const checked = header.slice();
  checked.fill(32, 148, 156);
  if (textAt(header, 257, 5) !== "ustar" || told !== sumOf(checked)) {
    throw new NoArchive("the archive is damaged, or none");
  }
  const name = textAt(header, 0, NAME_BYTES);
  // A name ends at its first zero. What another reader might take for the rest of it is no name of ours.
  const field = header.subarray(0, NAME_BYTES);
  const end = field.indexOf(0);
  if (end !== -1 && field.subarray(end).some((byte) => byte !== 0)) {
    throw new NoArchive(`more stands behind the name ${name}`);
  }
  if (header[156] !== REGULAR) throw new NoArchive(`${name} of the archive is no file`);
  const size =
    (header[124] ?? 0) & 0x80
      ? Number(new DataView(header.buffer, header.byteOffset).getBigUint64(128))
      : Number.parseInt(textAt(header, 124, 12), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new NoArchive(`${name} has no size`);
  return { name, size };
}

function textAt(header: Uint8Array, at: number, length: number): string {
  const text = Buffer.from(header.subarray(at, at + length)).toString("utf8");
  return text.split("\0", 1)[0] ?? "";
}

function sumOf(header: Uint8Array): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** Reads a stream by numbers of bytes. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = ZERO_BLOCK.subarray(0, 0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Uint8Array> {
    const taken: Uint8Array[] = [];
    for await (const part of this.parts(length)) taken.push(part);
    return Buffer.concat(taken);
  }

  async *parts(length: number): AsyncGenerator<Uint8Array> {
    let left = length;
    while (left > 0) {
      if (this.#rest.length === 0) await this.#more();
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async drain(): Promise<void> {
    while ((await this.#source.next()).done !== true);
  }

  async #more(): Promise<void> {
    const next = await this.#source.next();
    if (next.done === true) throw new NoArchive("the archive breaks off");
    this.#rest = next.value;
  }
}
