/** Where what is only looked at is unpacked, or stored while it is verified. */

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText } from "../platform/thrown.ts";
import { UpdateRefused } from "./failures.ts";

/** What helps where the usual folder does not do. */
export const OTHER_FOLDER = "TMPDIR may name another folder, from which programs may run";

/** Makes one, which the caller removes. @throws UpdateRefused where none can be made */
export function temporaryFolder(): string {
  return written(() => mkdtempSync(join(tmpdir(), "fiscald-update-")));
}

/** Writes a file into one. @throws UpdateRefused where that does not go, as without room */
export function writeTemporary(path: string, text: string): void {
  written(() => writeFileSync(path, text));
}

function written<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    const message = `${tmpdir()} cannot be written to: ${errorText(error)}; ${OTHER_FOLDER}`;
    throw new UpdateRefused(message, { cause: error });
  }
}
