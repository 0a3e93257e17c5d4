/** `fiscald setup`: what whoever installed the gateway needs for the first registration. */

import { Command } from "commander";
import { createSetupCode } from "../modules/auth/setup-code.ts";
import { withBox } from "./box.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { printLine } from "./output.ts";
import { addSettings } from "./settings-options.ts";

export function setupCommand(): Command {
  const command = new Command("setup")
    .description("show what the first registration needs, at the box")
    .requiredOption("--code", "print the set-up code");
  return addSettings(command, ["state.dir"]).action(() =>
    withBox(command, ({ stores, random }) => {
      if (stores.organizations.exists()) {
        throw new CliFailure(EXIT.usage, "there is an organization already: no code is needed");
      }
      printLine(createSetupCode(stores.appliance, random).text());
    }),
  );
}
