/** `fiscald version`: what runs here. */

import { Command } from "commander";
import { printLine } from "./output.ts";
import { versionLine } from "./version-line.ts";

export function versionCommand(): Command {
  return new Command("version")
    .description("print the version of the program, its runtime and platform")
    .action(() => {
      printLine(versionLine());
    });
}
