/**
 * Puts the settings together: flag beats environment beats file beats what was chosen in the portal
 * beats default.
 */

import {
  type Config,
  environmentName,
  flagName,
  SETTING_KEYS,
  type SettingKey,
  settingOf,
} from "../config.ts";
import { readChosen } from "./chosen-settings.ts";
import { readSettingsFile, type SettingsFile } from "./settings-file.ts";
import { showPlain } from "./settings-text.ts";
import { stateFiles } from "./state-files.ts";
import { currentSurroundings, type Surroundings } from "./surroundings.ts";

/** What the command line says about settings. */
export interface ConfigRequest {
  readonly flags: ReadonlyMap<SettingKey, string>;
  /** The file given with `--config`. */
  readonly file: string | undefined;
}

/** Where a value comes from. */
export type ConfigSource = "flag" | "environment" | "file" | "portal" | "default";

export interface LoadedConfig {
  readonly config: Config;
  readonly sources: ReadonlyMap<SettingKey, ConfigSource>;
  /** The settings file that was read; undefined when there is none. */
  readonly file: string | undefined;
}

/** Everything that is wrong with the settings, found before anything was touched. */
export class ConfigFaults extends Error {
  override readonly name = "ConfigFaults";

  /** @param faults one line each, where it stands first */
  constructor(readonly faults: readonly string[]) {
    super(`the configuration has faults:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
  }
}

interface Found {
  readonly value: unknown;
  readonly source: ConfigSource;
}

/**
 * Reads all settings. Reads files, but writes and makes nothing.
 * @throws ConfigFaults with every fault of flags, environment and file
 */
export function loadConfig(
  request: ConfigRequest,
  surroundings: Surroundings = currentSurroundings(),
): LoadedConfig {
  const faults: string[] = [];
  const found = new Map<SettingKey, Found>();
  for (const key of SETTING_KEYS) {
    const text = readTexts(key, { request, surroundings, faults });
    found.set(key, text ?? { value: settingOf(key).initial(surroundings), source: "default" });
  }
  const take = ({ faults: wrong, values }: SettingsFile, source: ConfigSource): void => {
    faults.push(...wrong);
    for (const [key, value] of values) {
      if (found.get(key)?.source === "default") found.set(key, { value, source });
    }
  };
  const file = findFile(request, found);
  if (file !== undefined) take(file, "file");
  const stateDir = found.get("state.dir")?.value;
  const chosen = typeof stateDir === "string" ? readChosen(stateDir) : undefined;
  if (chosen !== undefined) take(chosen, "portal");
  if (faults.length > 0) throw new ConfigFaults(faults);
  return {
    // Each value was read by the kind of its own row, which is what the type says.
    config: Object.fromEntries([...found].map(([key, { value }]) => [key, value])) as Config,
    sources: new Map([...found].map(([key, { source }]) => [key, source])),
    file: file?.path,
  };
}

interface TextSources {
  readonly request: ConfigRequest;
  readonly surroundings: Surroundings;
  readonly faults: string[];
}

/** The value from the command line or the environment; both are checked, the first one counts. */
function readTexts(key: SettingKey, { request, surroundings, faults }: TextSources) {
  const { kind } = settingOf(key);
  const read = (text: string | undefined, name: string, source: ConfigSource) => {
    if (text === undefined) return undefined;
    const value = kind.fromText(text);
    if (value !== undefined) return { value, source };
    const accepts = `${kind.accepts}${kind.acceptsAsText ?? ""}`;
    faults.push(`${name} must be ${accepts}, not ${showPlain(key, text)}`);
    return undefined;
  };
  const name = environmentName(key);
  // An empty variable counts as unset: that is how process supervisors leave one out.
  const environmentText = surroundings.environment[name] || undefined;
  const fromEnvironment = read(environmentText, `environment ${name}`, "environment");
  return read(request.flags.get(key), `flag ${flagName(key)}`, "flag") ?? fromEnvironment;
}

/** `--config FILE`, else the one in the state directory, else none. */
function findFile(
  request: ConfigRequest,
  found: ReadonlyMap<SettingKey, Found>,
): SettingsFile | undefined {
  if (request.file !== undefined) return readSettingsFile(request.file, true);
  const stateDir = found.get("state.dir")?.value;
  if (typeof stateDir !== "string") return undefined;
  const file = readSettingsFile(stateFiles(stateDir).settings, false);
  if (file === undefined || !file.values.has("state.dir")) return file;
  const fault = `${file.path}: state.dir cannot be set by the file that is looked for in it`;
  return { ...file, faults: [...file.faults, fault] };
}
