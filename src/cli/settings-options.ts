/** Settings as command-line options, made from the table of settings. */

import { type Command, Option } from "commander";
import { type ConfigRequest, type LoadedConfig, loadConfig } from "../config/load-config.ts";
import { helpText } from "../config/settings-text.ts";
import { flagName, SETTING_KEYS, type SettingKey, settingOf } from "../config.ts";
import { programLine } from "./shell-line.ts";
import { keeperForLine } from "./state-keeper.ts";

const HEADING = "Settings:";

function optionOf(key: SettingKey): Option {
  const option = new Option(`${flagName(key)} <${settingOf(key).kind.placeholder}>`, helpText(key));
  return option.helpGroup(HEADING);
}

/** Gives a command `--config` and one option for each of the settings, all of them by default. */
export function addSettings(command: Command, keys: readonly SettingKey[] = SETTING_KEYS): Command {
  const file = new Option("--config <FILE>", "settings file instead of <state.dir>/fiscald.toml");
  command.addOption(file.helpGroup(HEADING));
  for (const key of keys) command.addOption(optionOf(key));
  return command;
}

/** What the parsed options of a command say about settings. */
export function configRequest(command: Command): ConfigRequest {
  const given: Record<string, unknown> = command.opts();
  const flags = new Map<SettingKey, string>();
  for (const key of SETTING_KEYS) {
    const value = given[optionOf(key).attributeName()];
    if (typeof value === "string") flags.set(key, value);
  }
  return { flags, file: typeof given.config === "string" ? given.config : undefined };
}

/**
 * Loads the settings for a command that has them as options.
 * @throws ConfigFaults with everything that is wrong
 */
export function loadSettings(command: Command): LoadedConfig {
  return loadConfig(configRequest(command));
}

function stateOf(command: Command): string {
  try {
    return loadSettings(command).config["state.dir"];
  } catch {
    // Faults in the settings, which are told elsewhere.
    return configRequest(command).flags.get("state.dir") ?? ".";
  }
}

/** A line to be pasted that runs a command on another state directory. */
export function lineOn(stateDir: string, ...asked: readonly string[]): string {
  return programLine(keeperForLine(stateDir), [...asked, flagName("state.dir"), stateDir]);
}

/** A line to be pasted that runs another command on what this one was pointed at. */
export function nextLine(command: Command, ...words: readonly string[]): string {
  const { flags, file } = configRequest(command);
  const stateDir = flags.get("state.dir");
  // The state directory is readable to its owner alone, who need not be who is at the terminal.
  return programLine(keeperForLine(stateOf(command)), [
    ...words,
    ...(stateDir === undefined ? [] : [flagName("state.dir"), stateDir]),
    ...(file === undefined ? [] : ["--config", file]),
  ]);
}
