/**
 * Signatures in minisign's format, to check what a release consists of.
 * https://jedisct1.github.io/minisign/ ("Signature format", "Public key format")
 *
 * Two Ed25519 signatures in one file: one of the BLAKE2b-512 digest of what is signed, and one of
 * that signature with the trusted comment.
 */

import { createPublicKey, verify } from "node:crypto";
import { createReadStream } from "node:fs";

/** Of the signature of a digest; "Ed", of the whole file, is what minisign made before 2018. */
const DIGEST_ALGORITHM = "ED";
const KEY_ALGORITHM = "Ed";
const KEY_ID_BYTES = 8;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const TRUSTED = "trusted comment: ";

/** Before the 32 bytes of an Ed25519 key in DER, RFC 8410. */
const PUBLIC_KEY_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** A signature is missing its form, is of another key, or is not of this file. */
export class SignatureFault extends Error {
  override readonly name = "SignatureFault";
}

export interface SigningKey {
  /** What minisign shows as the key's number, as its 8 bytes. */
  readonly id: Buffer;
  readonly key: Buffer;
}

/**
 * Reads a public key: the line of base64 alone, or a file with its comment above.
 * @throws SignatureFault when it is none
 */
export function readPublicKey(text: string): SigningKey {
  const line = text.trim().split("\n").at(-1) ?? "";
  const bytes = Buffer.from(line.trim(), "base64");
  const isKey = bytes.subarray(0, 2).toString("latin1") === KEY_ALGORITHM;
  if (!isKey || bytes.length !== 2 + KEY_ID_BYTES + KEY_BYTES) {
    throw new SignatureFault("this is no public key of minisign");
  }
  return { id: bytes.subarray(2, 2 + KEY_ID_BYTES), key: bytes.subarray(2 + KEY_ID_BYTES) };
}

/**
 * Checks that a file is what the owner of a key has signed.
 * @param signature the text of its `.minisig`
 * @returns the trusted comment, which is signed too
 * @throws SignatureFault when anything is wrong
 */
export async function verifyFile(
  path: string,
  signature: string,
  { id, key }: SigningKey,
): Promise<string> {
  const { keyId, ofDigest, comment, ofComment } = readSignature(signature);
  if (!keyId.equals(id)) {
    throw new SignatureFault(`signed with the key ${numberOf(keyId)}, not with ${numberOf(id)}`);
  }
  const spki = Buffer.concat([PUBLIC_KEY_PREFIX, key]);
  const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
  const isOfFile = verify(null, await digestOf(path), publicKey, ofDigest);
  if (!isOfFile) throw new SignatureFault("the signature is not of this file: it was changed");
  const signed = Buffer.concat([ofDigest, Buffer.from(comment)]);
  if (!verify(null, signed, publicKey, ofComment)) {
    throw new SignatureFault("the trusted comment of the signature was changed");
  }
  return comment;
}

/** What is signed of a file. */
export async function digestOf(path: string): Promise<Buffer> {
  const hasher = new Bun.CryptoHasher("blake2b512");
  for await (const chunk of createReadStream(path)) hasher.update(chunk);
  return hasher.digest();
}

/** As minisign writes it: the bytes as one little-endian number. */
export function numberOf(keyId: Buffer): string {
  return Buffer.from(keyId).reverse().toString("hex").toUpperCase();
}

function readSignature(text: string) {
  const [, first = "", trusted = "", second = ""] = text.split(/\r?\n/);
  const bytes = Buffer.from(first, "base64");
  const ofComment = Buffer.from(second, "base64");
  const algorithm = bytes.subarray(0, 2).toString("latin1");
  const isWhole =
    bytes.length === 2 + KEY_ID_BYTES + SIGNATURE_BYTES &&
    trusted.startsWith(TRUSTED) &&
    ofComment.length === SIGNATURE_BYTES;
  if (!isWhole || algorithm !== DIGEST_ALGORITHM) {
    throw new SignatureFault("this is no signature of minisign that is made of a digest");
  }
  return {
    keyId: bytes.subarray(2, 2 + KEY_ID_BYTES),
    ofDigest: bytes.subarray(2 + KEY_ID_BYTES),
    comment: trusted.slice(TRUSTED.length),
    ofComment,
  };
}
