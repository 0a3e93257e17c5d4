/** Putting the keys and certificates of HTTPS back from a backup, and nothing else of it. */

import { existsSync, lstatSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { stateFiles } from "../config/state-files.ts";
import { flush, flushAll, makeFolder, writeDurably } from "../platform/durable-file.ts";
import { asideFolder } from "./exchange-state.ts";
import type { Manifest } from "./manifest.ts";
import { filesFolder, openBackup } from "./open-backup.ts";
import { RestoreRefused, type RestoreRequest } from "./restore-backup.ts";

export interface RestoredTls {
  readonly manifest: Manifest;
  /** Folder that what lay there was put into; undefined where there was nothing. */
  readonly aside: string | undefined;
}

/**
 * Restores the folder `tls`. The backup is proven as a whole first; database and settings stay as they
 * are, so that nothing of what was printed is doubted.
 * @throws RestoreRefused, WrongPassphrase, NotDecipherable or BackupDamaged, and nothing was changed
 * then; or the system's error, after which it is to be done again
 */
export async function restoreTls({
  file,
  stateDir,
  passphrase = "",
  now,
}: RestoreRequest): Promise<RestoredTls> {
  const { tls, tlsRestore: note, restoreWork: work } = stateFiles(stateDir);
  rmSync(work, { recursive: true, force: true });
  try {
    const { manifest } = await openBackup(file, passphrase, work);
    const came = join(filesFolder(work), basename(tls));
    if (!existsSync(came)) {
      throw new RestoreRefused(
        "the backup holds no keys of HTTPS: it was off, or of other files, when that was made",
      );
    }
    flushAll(came);
    // Between the two names there is no authority, and a start would make another one.
    writeDurably(note, `${new Date(now).toISOString()} ${file}\n`);
    const aside = putAside(tls, asideFolder(stateDir, "restore", now));
    renameSync(came, tls);
    flush(stateDir);
    rmSync(note);
    flush(stateDir);
    return { manifest, aside };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function putAside(path: string, aside: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  makeFolder(aside);
  renameSync(path, join(aside, basename(path)));
  flush(aside);
  return aside;
}
