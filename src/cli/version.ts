/** `fiscald version`: what runs here. */

import { Command } from "commander";
import { VERSION } from "../version.ts";
import { printLine } from "./output.ts";

/** The version of the program, of its runtime, and the platform it was built for. */
export function versionLine(): string {
  return `fiscald ${VERSION} (bun ${Bun.version}, ${process.platform}-${process.arch})`;
}

export function versionCommand(): Command {
  return new Command("version")
    .description("print the version of the program, its runtime and platform")
    .action(() => {
      printLine(versionLine());
    });
}
