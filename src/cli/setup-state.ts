/** The state directory of a set-up: made where there is none, its limits fit for a shop. */

import { existsSync } from "node:fs";
import type { Command } from "commander";
import { hasDatabase } from "../app/database-loss.ts";
import { writeFirstSettings } from "../config/first-setup.ts";
import { addShopLimits } from "../config/shop-limits.ts";
import { stateFiles } from "../config/state-files.ts";
import type { SettingKey } from "../config.ts";
import { migrateFile } from "./migrate.ts";
import { configRequest, loadSettings } from "./settings-options.ts";
import { setUpIfNew, takeStateDirectory, unusableState } from "./state.ts";

/** What was done to the settings file. */
export interface SettingsChange {
  readonly file: string;
  readonly change: "written" | "added" | "by_hand" | "none";
  /** Limits that it did not set. */
  readonly added: readonly SettingKey[];
  /** Lines that the person has to add. */
  readonly byHand: readonly string[];
}

/** True while there is no database. */
export function isFreshState(command: Command): boolean {
  return !hasDatabase(stateFiles(loadSettings(command).config["state.dir"]).database);
}

/**
 * Makes the database where there is none, and gives the settings a shop's limits. It holds the state
 * directory for no longer than that: what follows works beside a gateway.
 * @throws StateLocked, or CliFailure with code 3 when the directory cannot be used
 */
export function prepareState(command: Command): SettingsChange {
  const request = configRequest(command);
  const { config, file } = loadSettings(command);
  const stateDir = config["state.dir"];
  const { database, settings } = stateFiles(stateDir);
  if (!existsSync(database)) {
    const state = takeStateDirectory(stateDir);
    try {
      const written = setUpIfNew(stateDir, request);
      migrateFile(config);
      if (written !== undefined) return { ...UNCHANGED, file: written, change: "written" };
    } finally {
      state.release();
    }
  }
  try {
    return limitsFor(file, settings);
  } catch (error) {
    throw unusableState(stateDir, error);
  }
}

const UNCHANGED = { added: [], byHand: [] } as const;

/** @param file the settings file that counts; undefined when there is none */
function limitsFor(file: string | undefined, usual: string): SettingsChange {
  if (file === undefined) {
    writeFirstSettings(usual);
    return { ...UNCHANGED, file: usual, change: "written" };
  }
  const { added, byHand } = addShopLimits(file);
  if (byHand.length > 0) return { file, change: "by_hand", added, byHand };
  return { file, change: added.length > 0 ? "added" : "none", added, byHand };
}
