/** `fiscald version`: what runs here. */

import { Command } from "commander";
import { printJson, printLine } from "./output.ts";
import { versionLine, versionParts } from "./version-line.ts";

export function versionCommand(): Command {
  return new Command("version")
    .description("print the version of the program, its runtime and platform")
    .option("--json", "print JSON")
    .action((options: { readonly json?: true }) => {
      if (options.json === true) printJson(versionParts());
      else printLine(versionLine());
    });
}
