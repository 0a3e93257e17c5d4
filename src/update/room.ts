/** Room on the disks that an update writes to. */

import { readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { UpdateRefused } from "./failures.ts";

/** What updates that went back have left of the database in the state directory, not one that goes back now. */
const FAILED = /^failed-update(-\d.*)?$/;

/**
 * @param folder on the disk in question
 * @param wanted bytes that have to be free there, and the state directory
 * @throws UpdateRefused where there is less; names what updates that went back have left on that disk
 */
export function requireRoom(
  folder: string,
  { bytes, state }: Readonly<{ bytes: number; state: string }>,
): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= bytes) return;
  const megabytes = Math.ceil(bytes / 1_048_576);
  const needs = `an update needs ${megabytes} MB of room on the disk of ${folder}`;
  const left = failedUpdates(state).filter((path) => statSync(path).dev === statSync(folder).dev);
  const also = `; updates that went back have left ${left.join(" ")}: remove what nobody needs`;
  throw new UpdateRefused(left.length === 0 ? needs : `${needs}${also}`);
}

function failedUpdates(state: string): string[] {
  try {
    const names = readdirSync(state).filter((name) => FAILED.test(name));
    return names.toSorted().map((name) => join(state, name));
  } catch {
    // There is no state yet.
    return [];
  }
}

/** Bytes of the file; 0 where there is none. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
