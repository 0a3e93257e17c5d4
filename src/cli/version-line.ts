/** What runs here, in one line. */

import { VERSION } from "../version.ts";

/** The version of the program, of its runtime, and the platform it was built for. */
export function versionLine(): string {
  return `fiscald ${VERSION} (bun ${Bun.version}, ${process.platform}-${process.arch})`;
}
