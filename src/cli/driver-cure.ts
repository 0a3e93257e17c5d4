/** What helps where the executable cannot unpack what works on a database. */

import { currentSurroundings } from "../config/surroundings.ts";

/** In words. */
export function driverCure(): string {
  const { BUN_TMPDIR, TMPDIR } = currentSurroundings().environment;
  // Where the runtime unpacks it.
  const folder = BUN_TMPDIR || TMPDIR || "/tmp";
  const other = "have BUN_TMPDIR name another folder, from which programs may run";
  return `make room in ${folder}, or ${other}: /docs/troubleshooting.html of the gateway`;
}
