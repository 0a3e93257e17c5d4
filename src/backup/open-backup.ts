/** Unpacking a backup, and proving that it is whole: what a restore and each new backup do. */

import {
  chmodSync,
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import { openDatabase } from "#db/connection.ts";
import { contentOf, faultsOf, newestEventAt } from "#db/snapshot.ts";
import { isBackedUp } from "../config/state-files.ts";
import { errorCode } from "../platform/thrown.ts";
import { decrypt } from "./age-stream.ts";
import {
  DATABASE_NAME,
  FILES_PREFIX,
  MANIFEST_NAME,
  type Manifest,
  readManifest,
} from "./manifest.ts";
import { NoArchive, type TarEntry, unpackTar } from "./tar.ts";

const SQLITE_START = "SQLite format 3\0";
/** Read and written in one go. */
export const PART_BYTES = 262_144;
/** A manifest is a few kilobytes. */
const MANIFEST_BYTES_MAX = 1_048_576;
/** What stands between the slashes of a name in a backup. */
const NAME_PART = /^(?!\.{1,2}$)[^/\0]{1,255}$/;

/** It was unpacked, but is not what it says. */
export class BackupDamaged extends Error {
  override readonly name = "BackupDamaged";
}

/** A backup that was unpacked and found whole. */
export interface OpenedBackup {
  readonly manifest: Manifest;
  /** Path of the database. */
  readonly database: string;
  /** Paths of the other files, within the state directory. */
  readonly files: readonly string[];
}

/** A stream through a compressor and the like. */
export function through(
  source: AsyncIterable<Uint8Array>,
  transform: Transform,
): AsyncIterable<Uint8Array> {
  // Whoever reads the end meets the error.
  return pipeline(Readable.from(source, { objectMode: false }), transform, () => undefined);
}

/** Where the other files of an opened backup lie. */
export function filesFolder(folder: string): string {
  return join(folder, "files");
}

/**
 * Unpacks a backup into an empty folder, and proves that it is whole: by the digest of the database,
 * by SQLite's thorough check of it, and by the number of rows of each table.
 * @throws WrongPassphrase, NotDecipherable or BackupDamaged; or the system's error
 */
export async function openBackup(
  file: string,
  passphrase: string,
  folder: string,
): Promise<OpenedBackup> {
  const sealed = createReadStream(file, { highWaterMark: PART_BYTES });
  try {
    const plain = await decrypt(sealed, passphrase);
    const unpacked = await unpack(through(plain, createGunzip({ chunkSize: PART_BYTES })), folder);
    requireWhole(unpacked);
    return unpacked;
  } catch (error) {
    throw error instanceof NoArchive || isCompressionFault(error)
      ? new BackupDamaged(`the backup is damaged: ${error.message}`)
      : error;
  } finally {
    sealed.destroy();
  }
}

/** True for a bare database, as other tools make copies of one. @throws the system's error */
export function isBareDatabase(file: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const start = Buffer.alloc(SQLITE_START.length);
    readSync(descriptor, start, 0, start.length, 0);
    return start.toString("latin1") === SQLITE_START;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The same for a bare database: it is copied, and proven by SQLite's thorough check alone. It is of
 * the moment of its newest event.
 * @param file path of a database that nobody has open
 * @throws BackupDamaged, or the system's error
 */
export function openBareDatabase(file: string, folder: string): OpenedBackup {
  const database = join(folder, DATABASE_NAME);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // What was not folded into it yet lies beside it.
  for (const part of ["", "-wal"]) {
    if (part !== "" && !existsSync(`${file}${part}`)) continue;
    copyFileSync(`${file}${part}`, `${database}${part}`);
    chmodSync(`${database}${part}`, 0o600);
  }
  const bytes = statSync(database).size;
  const opened = openDatabase(database);
  try {
    const faults = faultsOf(opened, "thorough");
    if (faults.length > 0) throw new BackupDamaged(`${file} is damaged: ${faults.join("; ")}`);
    const createdAt = new Date(newestEventAt(opened) ?? statSync(file).mtimeMs).toISOString();
    const content = contentOf(opened);
    const sized = { bytes, sha256: "" };
    const manifest = { format: 1, version: null, createdAt, database: sized, ...content } as const;
    return { manifest, database, files: [] };
  } finally {
    opened.close();
  }
}

interface Unpacked extends OpenedBackup {
  readonly sha256: string;
}

async function unpack(archive: AsyncIterable<Uint8Array>, folder: string): Promise<Unpacked> {
  const files: string[] = [];
  const found = new Set<string>();
  const database = join(folder, DATABASE_NAME);
  let manifest: Manifest | undefined;
  let sha256 = "";
  for await (const entry of unpackTar(archive)) {
    const path = placeOf(entry.name, folder);
    if (found.has(path)) throw new BackupDamaged(`the backup holds ${entry.name} twice`);
    found.add(path);
    if (entry.name === MANIFEST_NAME) {
      if (entry.size > MANIFEST_BYTES_MAX) throw new BackupDamaged("its manifest is too long");
      await write(entry, path);
      manifest = readManifest(readFileSync(path, "utf8"));
      continue;
    }
    const digest = await write(entry, path);
    if (path === database) sha256 = digest;
    else files.push(entry.name.slice(FILES_PREFIX.length));
  }
  if (manifest === undefined) {
    throw new BackupDamaged("the backup is of a version that this one does not know");
  }
  return { manifest, database, files, sha256 };
}

/** @throws BackupDamaged for a name that no backup has, also of what is ours and stays out of it */
function placeOf(name: string, folder: string): string {
  if (name === MANIFEST_NAME || name === DATABASE_NAME) return join(folder, name);
  const parts = name.split("/");
  const [, top = "", ...inside] = parts;
  const isOfBackup =
    name.startsWith(FILES_PREFIX) &&
    parts.every((part) => NAME_PART.test(part)) &&
    isBackedUp(top) &&
    inside.length <= 1;
  if (!isOfBackup) throw new BackupDamaged(`a backup holds no ${name}`);
  return join(folder, name);
}

/** @returns the SHA-256 of what was written, in hexadecimal */
async function write({ content }: TarEntry, path: string): Promise<string> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const hasher = new Bun.CryptoHasher("sha256");
  const descriptor = openSync(path, "wx", 0o600);
  try {
    for await (const part of content) {
      hasher.update(part);
      for (let at = 0; at < part.length; ) at += writeSync(descriptor, part, at);
    }
  } finally {
    closeSync(descriptor);
  }
  return hasher.digest("hex");
}

function requireWhole({ manifest, database, sha256 }: Unpacked): void {
  if (sha256 !== manifest.database.sha256) {
    throw new BackupDamaged("the database in the backup is not the one that was packed");
  }
  const opened = openDatabase(database);
  try {
    const faults = faultsOf(opened, "thorough");
    if (faults.length > 0) {
      throw new BackupDamaged(`the database in the backup is damaged: ${faults.join("; ")}`);
    }
    const { rows, schema } = contentOf(opened);
    if (schema !== manifest.schema) {
      const told = `is of the schema ${schema}, not ${manifest.schema}`;
      throw new BackupDamaged(`the database in the backup ${told}`);
    }
    for (const [table, count] of Object.entries(manifest.rows)) {
      if (rows[table] === count) continue;
      throw new BackupDamaged(`${table} in the backup has ${rows[table]} rows, not ${count}`);
    }
  } finally {
    opened.close();
  }
}

function isCompressionFault(error: unknown): error is Error {
  return errorCode(error)?.startsWith("Z_") === true;
}
