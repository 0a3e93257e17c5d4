/**
 * The state of this machine's service, which whoever stands in another folder and names no state
 * directory means most of the time.
 */

import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { hasDatabase } from "../app/database-loss.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { stateFiles } from "../config/state-files.ts";
import { currentSurroundings, isService, SERVICE_STATE_DIR } from "../config/surroundings.ts";
import { flagName } from "../config.ts";
import { lineOfUser } from "../platform/user-line.ts";
import { hasService } from "../update/machine-paths.ts";
import { VERSION } from "../version.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { lineOn, loadSettings, nextLine } from "./settings-options.ts";
import { programLine } from "./shell-line.ts";
import { isClosed, keeperForLine, requireItsUser, requireOpen } from "./state-keeper.ts";

/**
 * Where it is and how to run there what was asked here; undefined where no other one may be meant.
 * @param as whom that line runs as; its user unless given
 */
export function serviceHint(command: Command, as?: string): string | undefined {
  if (!isServiceMeant(command)) return undefined;
  return `the service of this machine keeps its state in ${SERVICE_STATE_DIR}: ${lineThere(as)}`;
}

/**
 * The settings, for commands that look at what a gateway has stored.
 * @param as whom the line runs as that looks at the service's; its user unless given
 * @throws ConfigFaults, or CliFailure with code 3 where nothing is here and the service's state is
 * elsewhere: all that such a command could tell would be of a gateway that nobody has
 */
export function settingsOfState(command: Command, as?: string): LoadedConfig {
  const hint = serviceHint(command, as);
  if (hint !== undefined) throw new CliFailure(EXIT.state, hint);
  return loadSettings(command);
}

const serviceStart = () => lineOfUser("root", ["systemctl", "start", "fiscald"]);
type LinesAs = (keeper: string) => readonly string[];

/** A line to be pasted that starts the gateway on what a command was pointed at. */
export function startLine(command: Command): string {
  const stateDir = resolve(loadSettings(command).config["state.dir"]);
  // Begun by hand it would end with the terminal, and keep the service from starting.
  if (stateDir === SERVICE_STATE_DIR && hasService()) return serviceStart();
  return nextLine(command, "serve");
}

/** The same for one that runs, where it has to be started anew. */
export function restartLine(command: Command): string {
  const stateDir = resolve(loadSettings(command).config["state.dir"]);
  if (stateDir === SERVICE_STATE_DIR && hasService()) {
    return lineOfUser("root", ["systemctl", "restart", "fiscald"]);
  }
  return `end it, then ${nextLine(command, "serve")}`;
}

/** What is wrong where another version than this program's runs, as after an upgrade that restarted none. */
export function otherVersionText(running: string | null): string | undefined {
  if (running === null || running === VERSION) return undefined;
  return `${running} runs, and this program is ${VERSION}: once installed, it runs from the next start on`;
}

/**
 * For commands that make a state directory, asked before anything else.
 * @param linesAs what root is to type, by the name of the state's user; what was typed unless given
 * @throws CliFailure where it would be a second one beside the service's that nobody has asked for, or
 * is another user's than root, who asks
 */
export function requireRightState(command: Command, linesAs?: LinesAs): void {
  const stateDir = loadSettings(command).config["state.dir"];
  requireItsUser(stateDir, linesAs);
  requireOpen(stateDir);
  if (isServiceMeant(command)) throw secondState(stateDir, lineThere());
}

/**
 * The same for the command that runs the gateway, which the service does where there is one. A folder
 * alone is no service then: a container may have it for the gateway that is being started.
 */
export function requireRightStart(command: Command): void {
  const stateDir = resolve(loadSettings(command).config["state.dir"]);
  const isTheServices = stateDir === SERVICE_STATE_DIR && hasService();
  requireItsUser(stateDir, isTheServices ? () => [serviceStart()] : undefined);
  requireOpen(stateDir);
  if (hasService() && isOpen(command)) throw secondState(stateDir, serviceStart());
}

function secondState(stateDir: string, line: string): CliFailure {
  const message =
    `the service of this machine keeps its state in ${SERVICE_STATE_DIR}. Type for that one:\n` +
    `  ${line}\n` +
    `For a new one, in ${stateDir}:\n` +
    `  ${lineOn(stateDir, ...process.argv.slice(2))}`;
  return new CliFailure(EXIT.usage, message);
}

function isServiceMeant(command: Command): boolean {
  if (!isOpen(command)) return false;
  return statSync(SERVICE_STATE_DIR, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * True where nobody has named a state directory and there is none in this folder. A settings file alone
 * is none: a start that fails leaves one behind.
 */
function isOpen(command: Command): boolean {
  const { config, sources } = loadSettings(command);
  const stateDir = config["state.dir"];
  const isGiven = sources.get("state.dir") !== "default" || isService(currentSurroundings());
  if (isGiven || resolve(stateDir) === SERVICE_STATE_DIR) return false;
  return !hasDatabase(stateFiles(stateDir).database) && !isClosed(stateDir);
}

/** What was typed, on the service's state directory. */
function lineThere(as = keeperForLine(SERVICE_STATE_DIR)): string {
  return programLine(as, [...process.argv.slice(2), flagName("state.dir"), SERVICE_STATE_DIR]);
}
