/** The folder that a backup works in: one backup at a time, and nothing left behind. */

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stateFiles } from "../config/state-files.ts";
import { lockStateDirectory, type StateLock, StateLocked } from "../platform/lock.ts";

/** Another backup of the same state directory is being made. */
export class BackupUnderWay extends Error {
  override readonly name = "BackupUnderWay";

  constructor() {
    super("another backup is being made");
  }
}

/** Takes the folder for this process. @throws BackupUnderWay, or the system's error */
export function lockWork(folder: string): StateLock {
  try {
    return lockStateDirectory(folder);
  } catch (error) {
    throw error instanceof StateLocked ? new BackupUnderWay() : error;
  }
}

/** Removes what was worked on, also by a backup that was broken off; the lock stays. */
export function emptyWork(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith("fiscald.lock") && name !== "fiscald.pid") {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

/**
 * Removes what a backup left behind that was broken off: as much as the database takes. Leaves alone
 * what is being made.
 * @throws the system's error
 */
export function discardWork(stateDir: string): void {
  const { backupWork } = stateFiles(stateDir);
  if (!existsSync(backupWork)) return;
  let lock: StateLock;
  try {
    lock = lockWork(backupWork);
  } catch (error) {
    if (error instanceof BackupUnderWay) return;
    throw error;
  }
  try {
    emptyWork(backupWork);
  } finally {
    lock.release();
  }
}
