/** The settings file of a new installation. */

import { existsSync } from "node:fs";
import { SETTING_KEYS, type SettingKey, settingOf } from "../config.ts";
import { writeDurably } from "../platform/durable-file.ts";
import { helpText } from "./settings-text.ts";
import { SHOP_LIMITS } from "./shop-limits.ts";
import { stateFiles } from "./state-files.ts";
import { currentSurroundings, isService, type Surroundings } from "./surroundings.ts";
import type { PlainValue } from "./value-kinds.ts";

const HEADER = `# Settings of fiscald, written at the first start. Lines that begin with # show defaults.
# The limits below are meant for one shop's own tills; the defaults are far lower.
# Changes count from the next start. "fiscald config" shows what is in force and why.
`;

/**
 * What a service of a shop begins with. They stand in the file, and are no defaults that depend on
 * who asks: a command at the box has to see what the service sees.
 */
const SERVICE_SETTINGS: ReadonlyMap<SettingKey, PlainValue> = new Map<SettingKey, PlainValue>([
  ["https.certificate", "own"],
  ["mdns.name", "fiscald"],
]);

/**
 * Writes a commented settings file into a state directory that is new, that is, has neither a
 * database nor a settings file. The directory must exist.
 * @returns the path of the file; undefined when the directory is not new
 * @throws the system's error when the file cannot be written
 */
export function writeFirstSetup(
  stateDir: string,
  surroundings: Surroundings = currentSurroundings(),
): string | undefined {
  const { database, settings } = stateFiles(stateDir);
  if (existsSync(database) || existsSync(settings)) return undefined;
  writeFirstSettings(settings, surroundings);
  return settings;
}

/** Writes the first settings where there is no file: whole, or not at all. @throws the system's error */
export function writeFirstSettings(
  path: string,
  surroundings: Surroundings = currentSurroundings(),
): void {
  const values = isService(surroundings) ? [...SHOP_LIMITS, ...SERVICE_SETTINGS] : SHOP_LIMITS;
  writeDurably(path, firstSettings(new Map(values)));
}

/** The text of the file: every setting with its meaning, these values in force. */
export function firstSettings(values: ReadonlyMap<SettingKey, PlainValue> = SHOP_LIMITS): string {
  const lines: string[] = [HEADER];
  let area = "";
  for (const key of SETTING_KEYS) {
    // The file is looked for in the state directory, so it cannot say where that is.
    if (key === "state.dir") continue;
    const [nextArea = "", name = ""] = key.split(".");
    if (nextArea !== area) {
      area = nextArea;
      lines.push(`[${area}]`);
    }
    const { kind, initial } = settingOf(key);
    const shopValue = values.get(key);
    const plain = shopValue ?? kind.toPlain(initial({ environment: {}, pid: 0 }));
    const mark = shopValue === undefined ? "# " : "";
    // For strings, integers, booleans and lists of strings JSON and TOML are written alike.
    lines.push(`# ${helpText(key)}`, `${mark}${name} = ${JSON.stringify(plain)}`, "");
  }
  return lines.join("\n");
}
