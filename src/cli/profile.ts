/** `fiscald profile`: profiles of devices of `custom.serial`, for whoever writes one. */

import { Command } from "commander";
import { BUILT_IN_PROFILES } from "#drivers/custom-serial/dialects/index.ts";
import { type ProfileEntry, ProfileSet } from "#drivers/custom-serial/profile-set.ts";
import { publishedSchema } from "#drivers/custom-serial/published-schema.ts";
import { readProfileFile, readProfileFolder } from "../app/profile-files.ts";
import { stateFiles } from "../config/state-files.ts";
import { printRecords } from "./box.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { printError, printJson, printLine } from "./output.ts";
import { serviceHint } from "./service-state.ts";
import { addSettings, loadSettings } from "./settings-options.ts";

export function profileCommand(): Command {
  return new Command("profile")
    .description("profiles of devices of custom.serial: list, show, check")
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(checkCommand())
    .addCommand(schemaCommand());
}

function listCommand(): Command {
  const command = new Command("list")
    .description("list the profiles, and what is wrong with them")
    .option("--json", "print JSON");
  return addSettings(command, ["state.dir"]).action((options: { readonly json?: true }) => {
    const { entries } = ProfileSet.of(readProfileFolder(folderOf(command)));
    const rows = entries.map(({ id, source, title, models, faults }) => ({
      ...{ id, source, title, models, faults },
    }));
    printRecords(rows, options, {
      ID: (row) => row.id,
      SOURCE: (row) => row.source,
      FAULTS: (row) => String(row.faults.length),
      MODELS: (row) => row.models.join(", "),
    });
    const elsewhere = serviceHint(command);
    if (elsewhere !== undefined) printError(elsewhere);
  });
}

function showCommand(): Command {
  return new Command("show")
    .description("print a built-in profile as the file it would be, to start from")
    .argument("<id>", "its id")
    .action((id: string) => {
      const found = BUILT_IN_PROFILES.find(
        (value) => typeof value === "object" && value !== null && "id" in value && value.id === id,
      );
      if (found === undefined) throw new CliFailure(EXIT.usage, `no built-in profile ${id}`);
      printJson(found);
    });
}

function schemaCommand(): Command {
  return new Command("schema")
    .description("print the JSON Schema of profile files, for editors")
    .action(() => printJson(publishedSchema()));
}

function checkCommand(): Command {
  const command = new Command("check")
    .description("check profile files; each fault with its place in the file")
    .argument("<files...>", "JSON files");
  return addSettings(command, ["state.dir"]).action((files: readonly string[]) => {
    const given = files.map((file) => ({ ...readProfileFile(file), source: file }));
    // Files may extend those that are installed already.
    const set = ProfileSet.of([...given, ...readProfileFolder(folderOf(command))]);
    const faulty = set.entries.slice(0, given.length).filter(hasFaults).length;
    if (faulty > 0) throw new CliFailure(EXIT.usage, `${faulty} of ${given.length} are faulty`);
  });
}

/** Tells of one file. @returns true when it is faulty */
function hasFaults({ id, source, faults }: ProfileEntry): boolean {
  for (const { path, message } of faults) {
    printLine(`${source}: ${path === "" ? "" : `${path}: `}${message}`);
  }
  if (faults.length === 0) printLine(`${source}: right, profile ${id}`);
  return faults.length > 0;
}

function folderOf(command: Command): string {
  return stateFiles(loadSettings(command).config["state.dir"]).profiles;
}
