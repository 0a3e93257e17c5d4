/**
 * The settings that an owner may choose in the portal while the gateway runs. They have a file of
 * their own beside the settings file, which stays the person's who writes it: whatever that, the
 * environment or the command line says counts first.
 */

import type { SettingKey } from "../config.ts";
import { settingOf } from "../config.ts";
import { writeDurably } from "../platform/durable-file.ts";
import { readSettingsFile, type SettingsFile } from "./settings-file.ts";
import { stateFiles } from "./state-files.ts";

export const CHOSEN_KEYS = ["backup.to", "backup.at"] as const satisfies readonly SettingKey[];
export type ChosenKey = (typeof CHOSEN_KEYS)[number];

const HEADER = "# Chosen in the portal. What fiscald.toml says counts first.\n";

/** What was chosen; undefined where nothing was. Other settings in the file are faults. */
export function readChosen(stateDir: string): SettingsFile | undefined {
  const file = readSettingsFile(stateFiles(stateDir).chosen, false);
  if (file === undefined) return undefined;
  const foreign = [...file.values.keys()].filter((key) => !isChosenKey(key));
  const faults = foreign.map((key) => `${file.path}: ${key} belongs into fiscald.toml`);
  const found = [...file.faults, ...faults];
  if (found.length > 0) {
    found.push(`${file.path} is the portal's: remove it, and choose anew there what was chosen`);
  }
  return { ...file, faults: found };
}

/** Keeps what is chosen, in place of what was. @throws the system's error */
export function writeChosen(stateDir: string, values: ReadonlyMap<ChosenKey, unknown>): void {
  // Dotted keys, so that areas need no tables; strings are written alike in JSON and TOML.
  const lines = [...values].map(([key, value]) => {
    return `${key} = ${JSON.stringify(settingOf(key).kind.toPlain(value))}\n`;
  });
  writeDurably(stateFiles(stateDir).chosen, `${HEADER}${lines.join("")}`);
}

function isChosenKey(key: SettingKey): boolean {
  return CHOSEN_KEYS.some((one) => one === key);
}
