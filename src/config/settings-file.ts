/**
 * Reading a settings file: TOML, one table per area, every key known. Other than in TOML, a table may
 * go on further below: lines put at the end of a file count there, whatever stands above.
 */

import { accessSync, constants, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { isSettingKey, type SettingKey, settingOf } from "../config.ts";
import { strangeOwner } from "../platform/strange-owner.ts";
import { errorCode, errorText } from "../platform/thrown.ts";
import { showPlain } from "./settings-text.ts";

/** The line that begins a table. */
const TABLE = /^\s*\[\s*[\w-]+\s*\]\s*(#.*)?$/;
/** A setting whose value begins like a text, an address or a path that nobody has put in quotes. */
const BARE_TEXT = /^\s*[\w.-]+\s*=\s*(?!(true|false|[+-]?\d[\d_]*(\.\d+)?)\s*(#|$))[^\s"'[{#]/;
/** How a file of two bytes a character looks, as some editors of other systems write it. */
const TWO_BYTES = /^\uFFFD\uFFFD|\0/;
/** Each is tried as the end of a part: more are no settings that a person wrote. */
const LINES_TRIED_MAX = 2_000;

/** What a settings file says, and what is wrong with it. */
export interface SettingsFile {
  readonly path: string;
  readonly values: ReadonlyMap<SettingKey, unknown>;
  readonly faults: readonly string[];
}

/**
 * Reads a settings file. Faults are returned, not thrown, so that all can be told at once.
 * @param isRequired a missing file is a fault; otherwise the answer is undefined
 */
export function readSettingsFile(path: string, isRequired: boolean): SettingsFile | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (!isRequired && isOutOfReach(path, error)) return undefined;
    return {
      path,
      values: new Map(),
      faults: [`${path}: cannot be read: ${reasonOf(path, error)}`],
    };
  }
  return parseSettings(path, text);
}

/**
 * True when there is no file, or when its folder is closed to us: that is the state directory's
 * fault, which whoever takes the directory into use tells better.
 */
function isOutOfReach(path: string, error: unknown): boolean {
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return true;
  return code === "EACCES" && !isSearchable(dirname(path));
}

function isSearchable(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What root has made in a state directory, its user cannot read. */
function reasonOf(path: string, error: unknown): string {
  const strange = errorCode(error) === "EACCES" ? strangeOwner(path) : undefined;
  return strange ?? errorText(error);
}

/** Takes the text of a settings file apart. */
export function parseSettings(path: string, text: string): SettingsFile {
  const values = new Map<SettingKey, unknown>();
  const faults: string[] = [];
  if (TWO_BYTES.test(text)) {
    return { path, values, faults: [`${path}: it is not written in UTF-8: save it so`] };
  }
  let root: ReadonlyMap<string, unknown>;
  try {
    root = readTables(text);
  } catch (error) {
    return { path, values, faults: [`${path}: ${errorText(error)}`] };
  }
  for (const [area, table] of root) {
    if (!isTable(table)) {
      faults.push(`${path}: ${area}: settings stand in tables, as in [http] listen = "..."`);
      continue;
    }
    for (const [name, raw] of Object.entries(table)) {
      const key = `${area}.${name}`;
      if (!isSettingKey(key)) {
        faults.push(`${path}: ${key}: there is no such setting`);
        continue;
      }
      const { kind } = settingOf(key);
      const value = kind.fromFile(raw);
      if (value === undefined) {
        faults.push(`${path}: ${key} must be ${kind.accepts}, not ${showPlain(key, raw)}`);
      } else {
        values.set(key, value);
      }
    }
  }
  return { path, values, faults };
}

/** @throws Error with the line and what is wrong there */
function readTables(text: string): ReadonlyMap<string, unknown> {
  if (isToml(text)) return new Map(Object.entries(Bun.TOML.parse(text)));
  const root = new Map<string, unknown>();
  const lines = text.split("\n");
  // A table that stands twice is none to the parser, so each part is one file to it.
  const starts = lines.flatMap((line, index) => (index === 0 || TABLE.test(line) ? [index] : []));
  for (const [index, start] of starts.entries()) {
    const part = lines.slice(start, starts[index + 1]);
    for (const [area, table] of Object.entries(parsedPart(part, start))) {
      const before = root.get(area);
      // What stands last counts.
      root.set(area, isTable(before) && isTable(table) ? { ...before, ...table } : table);
    }
  }
  return root;
}

function parsedPart(lines: readonly string[], start: number): object {
  try {
    return Bun.TOML.parse(lines.join("\n"));
  } catch (error) {
    const fault = faultyLine(lines);
    const place = fault === undefined ? "" : `line ${start + fault}: `;
    const isBare = fault !== undefined && BARE_TEXT.test(lines[fault - 1] ?? "");
    const cure = isBare ? `; text stands in quotes, as in name = "text"` : "";
    throw new Error(`${place}${errorText(error)}${cure}`, { cause: error });
  }
}

/**
 * Where what is wrong begins, counted from 1, which the parser does not say: what is above it can be
 * read. Undefined where that is nowhere, or there are too many lines.
 */
function faultyLine(lines: readonly string[]): number | undefined {
  if (lines.length > LINES_TRIED_MAX) return undefined;
  for (let line = lines.length; line > 0; line--) {
    if (isToml(lines.slice(0, line - 1).join("\n"))) return line;
  }
  return undefined;
}

function isToml(text: string): boolean {
  try {
    Bun.TOML.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}
