/**
 * The state of this machine's service, which whoever stands in another folder and names no state
 * directory means most of the time.
 */

import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { hasDatabase } from "../app/database-loss.ts";
import { stateFiles } from "../config/state-files.ts";
import { SERVICE_STATE_DIR } from "../config/surroundings.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { lineOn, loadSettings } from "./settings-options.ts";
import { requireItsUser } from "./state-keeper.ts";

/** Where it is and how to run there what was asked here; undefined where no other one may be meant. */
export function serviceHint(command: Command): string | undefined {
  if (!isServiceElsewhere(command)) return undefined;
  return `the service of this machine keeps its state in ${SERVICE_STATE_DIR}: ${lineThere()}`;
}

/**
 * For commands that make a state directory, asked before anything else.
 * @throws CliFailure where it would be a second one beside the service's that nobody has asked for, or
 * is another user's than root, who asks
 */
export function requireRightState(command: Command): void {
  const stateDir = loadSettings(command).config["state.dir"];
  requireItsUser(stateDir);
  if (!isServiceElsewhere(command) || hasDatabase(stateFiles(stateDir).database)) return;
  const message =
    `the service of this machine keeps its state in ${SERVICE_STATE_DIR}. Type for that one:\n` +
    `  ${lineThere()}\n` +
    `For a new one, in ${stateDir}:\n` +
    `  ${lineOn(stateDir, ...process.argv.slice(2))}`;
  throw new CliFailure(EXIT.usage, message);
}

function isServiceElsewhere(command: Command): boolean {
  const { config, sources } = loadSettings(command);
  const isGiven = sources.get("state.dir") !== "default";
  if (isGiven || resolve(config["state.dir"]) === SERVICE_STATE_DIR) return false;
  return statSync(SERVICE_STATE_DIR, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** What was typed, on the service's state directory. */
const lineThere = (): string => lineOn(SERVICE_STATE_DIR, ...process.argv.slice(2));
