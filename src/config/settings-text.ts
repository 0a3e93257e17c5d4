/** The table of settings as text: one value, the help, docs/settings.md. */

import { environmentName, flagName, SETTING_KEYS, type SettingKey, settingOf } from "../config.ts";
import { isSecretName, withoutAccess } from "../platform/redaction.ts";
import type { PlainValue } from "./value-kinds.ts";

const SHOWN_CHARACTERS_MAX = 80;

/** A rejected or raw value for a message; a secret's is not shown. */
export function showPlain(key: SettingKey, value: unknown): string {
  if (isSecretName(key)) return "what was given";
  const text = withoutAccess(JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text;
}

/** A value for JSON, masked when secret, or where it is an address with a way in. */
export function plainValue(key: SettingKey, value: unknown): PlainValue {
  const isSet = value !== "";
  if (isSecretName(key) && isSet) return "[secret]";
  const plain = settingOf(key).kind.toPlain(value);
  return typeof plain === "string" ? withoutAccess(plain) : plain;
}

/** A value as text, masked when secret; a list is joined by commas. */
export function showValue(key: SettingKey, value: unknown): string {
  const plain = plainValue(key, value);
  return typeof plain === "object" ? plain.join(",") : String(plain);
}

/** The default in words. */
function defaultText(key: SettingKey): string {
  const { initial, initialText } = settingOf(key);
  return initialText ?? (showValue(key, initial({ environment: {}, pid: 0 })) || "none");
}

/** The sentence of a setting with its unit, for the help. */
export function helpText(key: SettingKey): string {
  const { doc, unit } = settingOf(key);
  const unitText = unit === undefined ? "" : ` ${unit}`;
  return `${doc} (default: ${defaultText(key)}${unitText})`;
}

/** The settings as a Markdown table, the one that stands in docs/settings.md. */
export function settingsMarkdown(): string {
  const rows = SETTING_KEYS.map((key) => {
    const { doc, unit, kind } = settingOf(key);
    const unitText = unit === undefined ? "" : ` ${unit}`;
    return `| \`${key}\` | ${kind.accepts} | ${defaultText(key)}${unitText} | ${doc} |`;
  });
  return ["| Setting | Value | Default | Meaning |", "|---|---|---|---|", ...rows].join("\n");
}

/** The settings for the end of the program's help. */
export function settingsHelp(): string {
  const names = SETTING_KEYS.map((key) => `${flagName(key)} ${settingOf(key).kind.placeholder}`);
  const width = Math.max(...names.map((name) => name.length));
  const lines = SETTING_KEYS.map(
    (key, index) => `  ${(names[index] ?? "").padEnd(width)}  ${helpText(key)}`,
  );
  const example: SettingKey = "http.listen";
  return [
    "Settings (serve, config, doctor and diagnostics take all; other commands those in their own --help):",
    ...lines,
    "",
    `Each can also be given in the environment (${environmentName(example)}) or in the settings`,
    'file ([http] listen = "..."). A flag beats the environment, which beats the file.',
    'A LIST is separated by commas; in the file it is ["...", "..."].',
  ].join("\n");
}
