/** `fiscald config`: every setting, its value and where that comes from. */

import { Command } from "commander";
import type { ConfigSource, LoadedConfig } from "../config/load-config.ts";
import { plainValue, showValue } from "../config/settings-text.ts";
import { SETTING_KEYS, type SettingKey } from "../config.ts";
import { printError, printJson, printLine, printTable } from "./output.ts";
import { serviceHint } from "./service-state.ts";
import { addSettings, loadSettings } from "./settings-options.ts";
import { requireOpen } from "./state-keeper.ts";

export function configCommand(): Command {
  const command = new Command("config")
    .description("show every setting with its value and source, secrets masked")
    .option("--json", "print JSON");
  return addSettings(command).action((options: { json?: true }) => {
    const loaded = loadSettings(command);
    // Of a settings file that nobody may read, it would say that there is none.
    requireOpen(loaded.config["state.dir"]);
    if (options.json === true) printJson(asJson(loaded));
    else printAsTable(loaded);
    const elsewhere = serviceHint(command);
    if (elsewhere !== undefined) printError(elsewhere);
  });
}

function sourceOf({ sources }: LoadedConfig, key: SettingKey): ConfigSource {
  return sources.get(key) ?? "default";
}

function asJson(loaded: LoadedConfig) {
  const rows = SETTING_KEYS.map((key) => {
    const value = plainValue(key, loaded.config[key]);
    return [key, { value, source: sourceOf(loaded, key) }] as const;
  });
  return { file: loaded.file ?? null, settings: Object.fromEntries(rows) };
}

function printAsTable(loaded: LoadedConfig): void {
  printTable(
    SETTING_KEYS.map((key) => {
      const value = showValue(key, loaded.config[key]);
      return [key, value === "" ? "none" : value, sourceOf(loaded, key)];
    }),
  );
  printLine(`settings file: ${loaded.file ?? "none"}`);
}
