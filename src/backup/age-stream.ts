/**
 * Encryption with a passphrase, in the age format (https://age-encryption.org/v1): whoever has the
 * passphrase reads a backup with the program `age` too.
 */

import { Decrypter, Encrypter } from "age-encryption";
import { errorText } from "../platform/thrown.ts";

/** Of a header; ours has 150 bytes. */
const HEADER_BYTES_MAX = 65_536;
const FIRST_LINE = Buffer.from("age-encryption.org/v1\n");
/** What its last line begins with, which is followed by 43 letters. */
const LAST_LINE = "\n--- ";

/** The passphrase is not that of the file. */
export class WrongPassphrase extends Error {
  override readonly name = "WrongPassphrase";

  constructor(message = "the passphrase is not the one that the backup was made with") {
    super(message);
  }
}

/** It was changed, broke off, or never was a file of this format. */
export class NotDecipherable extends Error {
  override readonly name = "NotDecipherable";
}

export interface EncryptionOptions {
  readonly passphrase: string;
  /** Base-2 logarithm of the cost of a guess; the key takes 2 to its power KiB of memory. */
  readonly workFactor: number;
}

/** Encrypts a stream. It takes the processor, and the memory of the key, of its own process. */
export async function encrypt(
  plain: AsyncIterable<Uint8Array>,
  { passphrase, workFactor }: EncryptionOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  return encrypter.encrypt(readable(plain));
}

/**
 * Decrypts a stream. What it yields was authenticated; only its end tells that it is all.
 * @throws WrongPassphrase, or NotDecipherable, also while it is read
 */
export async function decrypt(
  sealed: AsyncIterable<Uint8Array>,
  passphrase: string,
): Promise<AsyncIterable<Uint8Array>> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  let plain: AsyncIterable<Uint8Array>;
  try {
    plain = await decrypter.decrypt(readable(withHeader(sealed)));
  } catch (error) {
    // The library tells this one failure from all others by its words alone.
    if (/no identity matched/.test(errorText(error))) throw new WrongPassphrase();
    throw new NotDecipherable(`it is no backup of fiscald, or damaged: ${errorText(error)}`);
  }
  return named(plain);
}

/** The library keeps all of a file in mind until a header has ended: here it has to. */
async function* withHeader(sealed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const part of sealed) {
    if (start === undefined) {
      yield part;
      continue;
    }
    start = Buffer.concat([start, part]);
    const isBegun = start
      .subarray(0, FIRST_LINE.length)
      .equals(FIRST_LINE.subarray(0, start.length));
    const isWhole = start.subarray(0, HEADER_BYTES_MAX).includes(LAST_LINE);
    if (!isBegun) throw new Error("it does not begin like one");
    if (!isWhole && start.length >= HEADER_BYTES_MAX) throw new Error("its header has no end");
    if (!isWhole) continue;
    yield start;
    start = undefined;
  }
  if (start !== undefined) yield start;
}

async function* named(plain: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* plain;
  } catch (error) {
    throw new NotDecipherable(`the backup is damaged: ${errorText(error)}`);
  }
}

/** Reads on only when somebody wants more. */
function readable(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const parts = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await parts.next();
        if (next.done === true) controller.close();
        // The library's type wants bytes of their own.
        else controller.enqueue(new Uint8Array(next.value));
      },
      async cancel() {
        await parts.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
