/** Where what is only looked at is unpacked, or stored while it is verified. */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText } from "../platform/thrown.ts";
import { UpdateRefused } from "./failures.ts";

/** What helps where the usual folder does not do. */
export const OTHER_FOLDER = "TMPDIR may name another folder, from which programs may run";

/** Makes one, which the caller removes. @throws UpdateRefused where none can be made */
export function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "fiscald-update-"));
  } catch (error) {
    const message = `${tmpdir()} cannot be written to: ${errorText(error)}; ${OTHER_FOLDER}`;
    throw new UpdateRefused(message, { cause: error });
  }
}
