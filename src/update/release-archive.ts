/** The archive of a release: whether it is one, and what is in it. */

import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import {
  readPublicKey,
  SignatureFault,
  type SigningKey,
  verifyFile,
} from "../platform/minisign.ts";
import { readSmallFile } from "../platform/small-file.ts";
import { errorCode } from "../platform/thrown.ts";
import { UpdateRefused } from "./failures.ts";
import { run } from "./run-program.ts";

/** What the owner of the key has signed: program, version and name of the file. */
const ARCHIVE_COMMENT = /^fiscald (\S+) fiscald-\1-linux-(x64|arm64)\.tar\.gz$/;

/** A signature or a key has a few hundred. */
const SIGNATURE_BYTES_MAX = 65_536;

/** A file that is signed, as it is verified, and as the person knows it. */
interface SignedFile {
  readonly path: string;
  readonly name: string;
}

/** A verified archive. */
export interface ReleaseArchive {
  readonly version: string;
  /** As Node calls it. */
  readonly architecture: string;
  /** Where it is unpacked; empty while it is not. */
  readonly folder: string;
}

/**
 * Reads whose releases are taken.
 * @param otherWay how a newer version comes here without a key
 * @throws UpdateRefused when there is no such key
 */
export function readKey(path: string, otherWay: string): SigningKey {
  try {
    return readPublicKey(readSmallFile(path, SIGNATURE_BYTES_MAX));
  } catch (error) {
    const reason = error instanceof SignatureFault ? error.message : errorCode(error);
    const how =
      "it says whose releases this machine takes; --key FILE names another one. Without one, " +
      `${otherWay} upgrades too`;
    throw new UpdateRefused(`no public key in ${path} (${reason}): ${how}`);
  }
}

async function verifyArchive(
  file: SignedFile,
  key: SigningKey,
  signature: string,
): Promise<ReleaseArchive> {
  const comment = await verified(file, signature, key);
  const [, version = "", architecture = ""] = ARCHIVE_COMMENT.exec(comment) ?? [];
  if (version !== "") return { version, architecture, folder: "" };
  throw new UpdateRefused(`${file.name} is signed, but as something else: ${comment}`);
}

/**
 * Copies an archive to where others cannot change it, verifies the copy and unpacks it.
 * @throws UpdateRefused when it is not what the owner of the key signed as one
 */
export async function openArchive(
  file: string,
  key: SigningKey,
  work: string,
): Promise<ReleaseArchive> {
  requireFile(file);
  const copy = join(work, "archive.tar.gz");
  try {
    copyFileSync(file, copy);
  } catch (error) {
    throw new UpdateRefused(`${file} cannot be copied to ${work}: ${errorCode(error)}`);
  }
  const signature = `${file}.minisig`;
  if (!existsSync(signature)) {
    const message = `${file} is not taken: its signature ${signature} is missing beside it`;
    throw new UpdateRefused(message);
  }
  const archive = await verifyArchive({ path: copy, name: file }, key, signature);
  const unpacked = join(work, "unpacked");
  mkdirSync(unpacked);
  // It is what was signed: what goes wrong is of this machine, as a disk that another program has filled.
  const { code, said } = await run(["tar", "-xzf", copy, "-C", unpacked, "--no-same-owner"]);
  if (code !== 0) throw new UpdateRefused(`${file} cannot be unpacked in ${work}: ${said}`);
  const [name = ""] = readdirSync(unpacked);
  return { ...archive, folder: join(unpacked, name) };
}

/** @throws UpdateRefused unless it is a file that this user may read */
function requireFile(file: string): void {
  try {
    if (!statSync(file).isFile()) throw new UpdateRefused(`${file} is no file`);
    accessSync(file, constants.R_OK);
  } catch (error) {
    if (error instanceof UpdateRefused) throw error;
    throw new UpdateRefused(`${file} cannot be read: ${errorCode(error)}`);
  }
}

/**
 * Verifies a file.
 * @returns the signed comment
 * @throws UpdateRefused when the signature is not there or not right
 */
export async function verified(
  { path, name }: SignedFile,
  signature: string,
  key: SigningKey,
): Promise<string> {
  try {
    return await verifyFile(path, readSmallFile(signature, SIGNATURE_BYTES_MAX), key);
  } catch (error) {
    const isFault = error instanceof SignatureFault;
    const reason = isFault ? error.message : `${signature}: ${errorCode(error) ?? error}`;
    throw new UpdateRefused(`${name} is not taken: ${reason}`, { cause: error });
  }
}
