/**
 * The user's own profiles for `custom.serial`: JSON files in a folder, read once at the start. A
 * faulty one disables itself; the gateway starts without it and says what is wrong.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { ProfileSet, type ProfileSource } from "#drivers/custom-serial/profile-set.ts";
import type { Log } from "../platform/log.ts";
import { errorCode, errorText } from "../platform/thrown.ts";

/** Bounds of what somebody may put into the folder. */
export const PROFILE_FILES_MAX = 64;
export const PROFILE_BYTES_MAX = 262_144;
/** Faults of one file that are logged; the command line tells all of them. */
const LOGGED_FAULTS_MAX = 10;

/** Reads a file. What is wrong with it is told in the answer. */
export function readProfileFile(path: string): ProfileSource {
  const source = basename(path);
  try {
    const file = statSync(path);
    // A device or a pipe, behind a symbolic link perhaps, may have no end, or never a beginning.
    if (!file.isFile()) return { source, value: undefined, fault: "Not a file" };
    if (file.size > PROFILE_BYTES_MAX) {
      return { source, value: undefined, fault: `Larger than ${PROFILE_BYTES_MAX} bytes` };
    }
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return { source, value };
  } catch (error) {
    const reason = errorText(error);
    return { source, value: undefined, fault: `Cannot be read: ${reason}` };
  }
}

/** Reads all profiles of a folder, in the order of their names. A folder that is not there is empty. */
export function readProfileFolder(folder: string): readonly ProfileSource[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    const reason = errorText(error);
    return [{ source: folder, value: undefined, fault: `Cannot be read: ${reason}` }];
  }
  const sorted = names.sort();
  return sorted.map((name, index) =>
    index < PROFILE_FILES_MAX
      ? readProfileFile(join(folder, name))
      : { source: name, value: undefined, fault: `More than ${PROFILE_FILES_MAX} profiles` },
  );
}

/** The profiles of a gateway. Each fault of the user's own is logged. */
export function loadProfiles(folder: string, log: Log): ProfileSet {
  const own = readProfileFolder(folder);
  const profiles = ProfileSet.of(own);
  // What is built in has no faults, and is left uncompiled until a device needs it.
  if (own.length === 0) return profiles;
  for (const { id, source, faults } of profiles.entries) {
    for (const { path, message } of faults.slice(0, LOGGED_FAULTS_MAX)) {
      log.warn("profile is faulty and not used", { profile: id, file: source, path, message });
    }
  }
  return profiles;
}
