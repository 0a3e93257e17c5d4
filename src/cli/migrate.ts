/** `fiscald migrate`: brings the database to this version's schema without serving. */

import { Command } from "commander";
import { openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { loadConfig } from "../config/load-config.ts";
import { stateFiles } from "../config/state-files.ts";
import { systemClock } from "../platform/clock.ts";
import { printLine } from "./output.ts";
import { addSettings, configRequest } from "./settings-options.ts";
import { setUpIfNew, takeStateDirectory } from "./state.ts";

export function migrateCommand(): Command {
  const command = new Command("migrate").description(
    "bring the database to this version's schema (serve does it too)",
  );
  return addSettings(command, ["state.dir"]).action(() => {
    const request = configRequest(command);
    const stateDir = loadConfig(request).config["state.dir"];
    const lock = takeStateDirectory(stateDir);
    try {
      const written = setUpIfNew(stateDir, request);
      if (written !== undefined) printLine(`wrote ${written}, with limits for one shop`);
      const names = migrateFile(stateFiles(stateDir).database);
      for (const name of names) printLine(`applied ${name}`);
      if (names.length === 0) printLine("the database is up to date");
    } finally {
      lock.release();
    }
  });
}

/** Brings a database to this version's schema, making it where there is none. @returns the steps */
export function migrateFile(path: string): string[] {
  const database = openDatabase(path);
  try {
    return migrate(database, systemClock.now());
  } finally {
    database.close();
  }
}
