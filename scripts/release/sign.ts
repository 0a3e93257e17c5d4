/** Signs files as minisign does, with a key that minisign made: `minisign -G -W`. */

import { createPrivateKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { digestOf, numberOf, type SigningKey } from "#src/platform/minisign.ts";

/** Before the 32 bytes of an Ed25519 seed in DER, RFC 8410. */
const PRIVATE_KEY_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Where the parts of a secret key are: algorithm, encryption, checksum, cost; then the key itself. */
const ENCRYPTION_AT = 2;
const ID_AT = 54;
const SEED_AT = 62;
const PUBLIC_AT = 94;
const SECRET_BYTES = 158;

/** A key that signs, and the public one that belongs to it. */
export interface SecretKey extends SigningKey {
  readonly seed: Buffer;
}

/**
 * Reads a secret key of minisign.
 * @throws Error when it is none, or is encrypted with a password
 */
export function readSecretKey(path: string): SecretKey {
  const [, line = ""] = readFileSync(path, "utf8").split(/\r?\n/);
  const bytes = Buffer.from(line, "base64");
  if (bytes.length !== SECRET_BYTES || bytes.subarray(0, 2).toString("latin1") !== "Ed") {
    throw new Error(`${path} is no secret key of minisign`);
  }
  if (bytes.readUInt16LE(ENCRYPTION_AT) !== 0) {
    throw new Error(`${path} has a password: a copy without one is made by minisign -C -W -s COPY`);
  }
  return {
    id: bytes.subarray(ID_AT, SEED_AT),
    seed: bytes.subarray(SEED_AT, PUBLIC_AT),
    key: bytes.subarray(PUBLIC_AT, PUBLIC_AT + 32),
  };
}

/** The text of the public key's file. */
export function publicKeyText({ id, key }: SigningKey): string {
  const line = Buffer.concat([Buffer.from("Ed"), id, key]).toString("base64");
  return `untrusted comment: minisign public key ${numberOf(id)}\n${line}\n`;
}

/**
 * Writes the signature of a file beside it, as `<file>.minisig`.
 * @param comment one line that is signed too
 */
export async function signFile(path: string, secret: SecretKey, comment: string): Promise<string> {
  const der = Buffer.concat([PRIVATE_KEY_PREFIX, secret.seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const ofDigest = sign(null, await digestOf(path), key);
  const ofComment = sign(null, Buffer.concat([ofDigest, Buffer.from(comment)]), key);
  const first = Buffer.concat([Buffer.from("ED"), secret.id, ofDigest]);
  const lines = [
    `untrusted comment: signature of fiscald's release key ${numberOf(secret.id)}`,
    first.toString("base64"),
    `trusted comment: ${comment}`,
    ofComment.toString("base64"),
  ];
  writeFileSync(`${path}.minisig`, `${lines.join("\n")}\n`);
  return `${path}.minisig`;
}
