/**
 * Making a backup beside a gateway that runs. It is a process of its own: the key, the cipher and the
 * checks take seconds to minutes of a processor, and a receipt waits for none of them.
 *
 *   snapshot of the database ─▶ tar ─▶ gzip ─▶ age ─▶ NAME.part ─▶ opened and checked ─▶ NAME
 */

import { createReadStream, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { createGzip } from "node:zlib";
import { openDatabase } from "#db/connection.ts";
import { lostFrom } from "#db/own-schema.ts";
import { contentOf, copySnapshot } from "#db/snapshot.ts";
import { isBackedUp, stateFiles } from "../config/state-files.ts";
import { putInPlace } from "../platform/durable-file.ts";
import { forgetCached } from "../platform/page-cache.ts";
import { type EncryptionOptions, encrypt } from "./age-stream.ts";
import {
  backupName,
  discardUnfinished,
  noteOutcome,
  rotate,
  unfinishedName,
} from "./kept-backups.ts";
import { makerOf } from "./maker.ts";
import { DATABASE_NAME, FILES_PREFIX, MANIFEST_NAME, type Manifest } from "./manifest.ts";
import { newestOwn } from "./newest-backup.ts";
import { BackupDamaged, openBackup, PART_BYTES, through } from "./open-backup.ts";
import { requireRoom, shareDisk, unwrittenFile } from "./place.ts";
import { NAME_BYTES, packTar, type TarEntry } from "./tar.ts";
import { emptyWork, lockWork } from "./work-folder.ts";

/** Never taken from the disk that the gateway writes to. */
const SPARE_BYTES = 268_435_456;
/** What a database comes to at the most, compressed, where no earlier backup tells. */
const COMPRESSION = 4;
/** Fast: the disk and the cipher take longer. */
const COMPRESSION_LEVEL = 1;

export interface BackupRequest {
  readonly stateDir: string;
  /** Folder that it goes to; must exist. */
  readonly folder: string;
  readonly encryption: EncryptionOptions;
  /** A person has it made, and not the gateway by itself. */
  readonly isByHand: boolean;
  /** Tills trust an authority of the gateway's own. */
  readonly isOwnAuthority: boolean;
  /** It goes where they usually go, and so is that of its day. */
  readonly isUsual: boolean;
  /** Days of which one is kept in that folder, as `rotate` does; nothing is removed unless given. */
  readonly keepDays?: number;
  /** Version of this program. */
  readonly version: string;
  /** UTC milliseconds. */
  readonly now: () => number;
}

/** The state holds what no backup can; the message says what to do. */
export class StateUnfit extends Error {
  override readonly name = "StateUnfit";
}

/** A backup that was verified. */
export interface MadeBackup {
  /** Path of the file. */
  readonly file: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  /** Names of older ones that were removed. */
  readonly removed: readonly string[];
  /** The authority that tills trust is gone from the state, and so it is in no backup from now on. */
  readonly lacksAuthority: boolean;
}

/**
 * Makes a backup and proves it by restoring it beside the state. It is noted beside the database as
 * the last good one.
 * @throws BackupUnderWay, PlaceUnusable, StateUnfit, DatabaseDoubted, BackupDamaged, or the system's error
 */
export async function makeBackup(request: BackupRequest): Promise<MadeBackup> {
  const { stateDir } = request;
  const { backupWork } = stateFiles(stateDir);
  const lock = lockWork(backupWork);
  try {
    const made = await makeLocked(request);
    const { file, bytes, manifest } = made;
    const last = { file, bytes, createdAt: manifest.createdAt };
    const hasAuthority = existsSync(stateFiles(stateDir).authority);
    noteOutcome(stateDir, {
      last,
      ...(request.isUsual ? { usual: last } : {}),
      ...(hasAuthority ? { authority: file } : {}),
    });
    return made;
  } finally {
    emptyWork(backupWork);
    lock.release();
  }
}

async function makeLocked(request: BackupRequest): Promise<MadeBackup> {
  const { stateDir, folder, encryption, isByHand, keepDays, now } = request;
  const { backupWork: work } = stateFiles(stateDir);
  emptyWork(work);
  const createdAt = now();
  const maker = makerOf(stateDir);
  discardUnfinished(folder, maker, createdAt);
  requireNames(stateDir);
  requireRooms(request);
  const name = backupName(folder, { maker, at: createdAt, isByHand });
  const unfinished = join(folder, unfinishedName(name));
  try {
    const snapshot = join(work, DATABASE_NAME);
    const manifest = await takeSnapshot(request, snapshot, createdAt);
    const plain = packTar(entriesOf(stateDir, snapshot, manifest), createdAt);
    const packed = through(plain, createGzip({ level: COMPRESSION_LEVEL, chunkSize: PART_BYTES }));
    await writeFile(unfinished, await encrypt(packed, encryption)).catch((error: unknown) => {
      throw unwrittenFile(folder, error);
    });
    // One copy of the database at a time.
    emptyWork(work);
    await forgetCached(unfinished);
    const tried = join(work, "tried");
    await openBackup(unfinished, encryption.passphrase, tried);
    const file = join(folder, name);
    putInPlace(unfinished, file);
    const about = { maker, now: createdAt, made: name };
    // An older one may be the last that has it.
    const lacksAuthority = request.isOwnAuthority && lacksIt(stateDir);
    const removesNone = keepDays === undefined || lacksAuthority;
    const removed = removesNone ? [] : rotate(folder, { ...about, days: keepDays });
    return { file, bytes: statSync(file).size, manifest, removed, lacksAuthority };
  } finally {
    rmSync(unfinished, { force: true });
  }
}

async function takeSnapshot(
  { stateDir, version }: BackupRequest,
  snapshot: string,
  createdAt: number,
): Promise<Manifest> {
  await copySnapshot(stateFiles(stateDir).database, snapshot);
  const database = openDatabase(snapshot);
  const content = contentOf(database);
  const lost = lostFrom(database);
  database.close();
  if (lost.length > 0) throw new BackupDamaged(`the database is damaged: ${lost.join("; ")}`);
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const part of partsOf(snapshot)) hasher.update(part);
  return {
    format: 1,
    version,
    createdAt: new Date(createdAt).toISOString(),
    database: { bytes: statSync(snapshot).size, sha256: hasher.digest("hex") },
    ...content,
  };
}

function* entriesOf(stateDir: string, snapshot: string, manifest: Manifest): Generator<TarEntry> {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  yield { name: MANIFEST_NAME, size: text.length, content: [text] };
  for (const path of filesOf(stateDir)) {
    const bytes = readFileSync(join(stateDir, path));
    yield { name: `${FILES_PREFIX}${path}`, size: bytes.length, content: [bytes] };
  }
  const size = statSync(snapshot).size;
  yield { name: DATABASE_NAME, size, content: partsOf(snapshot) };
}

/**
 * Paths, within the state directory, of the files that go along with the database. What a link leads to
 * is taken as if it lay there: settings are no less the gateway's where somebody keeps them elsewhere.
 */
function filesOf(stateDir: string): string[] {
  const kindOf = (path: string) => statSync(join(stateDir, path), { throwIfNoEntry: false });
  return readdirSync(stateDir)
    .filter(isBackedUp)
    .flatMap((name) => {
      const kind = kindOf(name);
      if (kind?.isFile() === true) return [name];
      if (kind?.isDirectory() !== true) return [];
      return readdirSync(join(stateDir, name))
        .map((inner) => `${name}/${inner}`)
        .filter((path) => kindOf(path)?.isFile() === true);
    })
    .sort();
}

/** True where a certificate is there, and the authority that has made it is not. */
function lacksIt(stateDir: string): boolean {
  const { authority, ownCertificate } = stateFiles(stateDir);
  return !existsSync(authority) && existsSync(ownCertificate);
}

/** @throws StateUnfit for a file whose name has no room in the archive's format */
function requireNames(stateDir: string): void {
  const bytesMax = NAME_BYTES - FILES_PREFIX.length;
  const long = filesOf(stateDir).find((path) => Buffer.byteLength(path) > bytesMax);
  if (long === undefined) return;
  throw new StateUnfit(
    `${join(stateDir, long)} cannot be backed up: ${long} is too long a name: give it one of ` +
      `${bytesMax} bytes or less with its folder, or take it out of there`,
  );
}

function partsOf(file: string): AsyncIterable<Uint8Array> {
  return createReadStream(file, { highWaterMark: PART_BYTES });
}

async function writeFile(path: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const part of parts) await file.writeFile(part);
  } finally {
    await file.close();
  }
}

/** The copy and its trial need as much room as the database; a full disk would stop the shop. */
function requireRooms({ stateDir, folder, now }: BackupRequest): void {
  const { database } = stateFiles(stateDir);
  const log = statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const bytes = statSync(database).size + log;
  const earlier = newestOwn(folder, stateDir, now());
  const packed = earlier === undefined ? bytes / COMPRESSION : 1.2 * earlier.bytes;
  const here = shareDisk(stateDir, folder) ? bytes + packed : bytes;
  requireRoom(stateDir, here + SPARE_BYTES);
  requireRoom(folder, packed);
}
