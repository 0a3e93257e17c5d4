/** What runs here, in one line. */

import { VERSION } from "../version.ts";

/** The version of the program, of its runtime, and the platform it was built for. */
export function versionLine(): string {
  const { version, runtime, platform } = versionParts();
  return `fiscald ${version} (${runtime}, ${platform})`;
}

/** The same, taken apart. */
export function versionParts() {
  return {
    version: VERSION,
    runtime: `bun ${Bun.version}`,
    platform: `${process.platform}-${process.arch}`,
  };
}
