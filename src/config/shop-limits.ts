/** Request limits that suit a shop, and how they get into a settings file that is there already. */

import { readFileSync, realpathSync, statSync } from "node:fs";
import type { SettingKey } from "../config.ts";
import { writeDurably } from "../platform/durable-file.ts";
import { errorCode } from "../platform/thrown.ts";
import { parseSettings } from "./settings-file.ts";

/**
 * Limits for a shop. The defaults are those of a service shared by strangers: they would stop a
 * till after 50 receipts in ten minutes, and all tills of an organization share one bucket.
 */
export const SHOP_LIMITS: ReadonlyMap<SettingKey, number> = new Map<SettingKey, number>([
  ["limits.globalMax", 20_000],
  ["limits.authMax", 60],
  ["limits.commandsMax", 10_000],
  ["limits.windowSeconds", 600],
]);

/** What became of the file. */
export interface LimitsAdded {
  /** The limits that the file did not set, as they now stand in it. */
  readonly added: readonly SettingKey[];
  /** Lines that the file lacks, and that could not be put in without changing what it says, or whose it is. */
  readonly byHand: readonly string[];
}

const NOT_OURS: ReadonlySet<string> = new Set(["EPERM", "EACCES", "EROFS"]);

/**
 * Adds the limits that a settings file does not set, below its own `[limits]` or at its end. What it
 * says stays as it is, and so do its comments, its owner and its mode.
 * @throws the system's error when the file cannot be read or written
 */
export function addShopLimits(path: string): LimitsAdded {
  const text = readFileSync(path, "utf8");
  const before = parseSettings(path, text).values;
  const missing = new Map([...SHOP_LIMITS].filter(([key]) => !before.has(key)));
  if (missing.size === 0) return { added: [], byHand: [] };
  const lines = [...missing].map(([key, value]) => `${key.replace("limits.", "")} = ${value}`);
  const changed = withLimits(text, lines);
  const after = parseSettings(path, changed);
  // TOML has more than one way to write a table; where ours does not fit, the file is left alone.
  const isRight =
    after.faults.length === 0 &&
    Bun.deepEquals([...after.values].sort(byKey), [...before, ...missing].sort(byKey));
  if (!isRight) return { added: [], byHand: lines };
  // A link stays a link.
  const target = realpathSync(path);
  try {
    writeDurably(target, changed, statSync(target));
  } catch (error) {
    // Somebody else keeps it, as root does below /etc, or a group that this user is not in.
    if (!NOT_OURS.has(errorCode(error) ?? "")) throw error;
    return { added: [], byHand: lines };
  }
  return { added: [...missing.keys()], byHand: [] };
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

const HEADER = /^[ \t]*\[[ \t]*limits[ \t]*\][ \t]*(#.*)?\r?$/m;

function withLimits(text: string, settings: readonly string[]): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = ["# For one shop's own tills, added by fiscald setup; the defaults are far lower."];
  lines.push(...settings);
  const header = HEADER.exec(text);
  if (header === null) {
    const gap = text === "" || text.endsWith("\n") ? "" : end;
    return `${text}${gap}${["", "[limits]", ...lines, ""].join(end)}`;
  }
  const at = header.index + header[0].replace(/\r$/, "").length;
  return `${text.slice(0, at)}${["", ...lines].join(end)}${text.slice(at)}`;
}
