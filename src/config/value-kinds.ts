/** The kinds of values a setting can have: how each is read and written, and what it accepts. */

import { isIP } from "node:net";
import { resolve } from "node:path";
import { PORT_MAX } from "#core/limits.ts";

/** A value as TOML and the command line can hold it. */
export type PlainValue = string | number | boolean | readonly string[];

/** How the values of one kind are read and shown. */
export interface ValueKind<T> {
  /** Completes the sentence "must be ...". */
  readonly accepts: string;
  /** Behind `accepts`, of a flag or an environment variable. */
  readonly acceptsAsText?: string;
  /** Stands for the value in the help. */
  readonly placeholder: string;
  /** Reads a flag or an environment variable; undefined when it is not acceptable. */
  fromText(text: string): T | undefined;
  /** Reads what a TOML file holds; undefined when type or range is wrong. */
  fromFile(value: unknown): T | undefined;
  toPlain(value: T): PlainValue;
}

/** Characters of a free text. */
const TEXT_MAX = 1_000;

/** One line of free text; empty for none. */
export const text: ValueKind<string> = {
  accepts: `a line of at most ${TEXT_MAX} characters`,
  placeholder: "TEXT",
  fromText: readLine,
  fromFile: readLine,
  toPlain: (value) => value,
};

function readLine(value: unknown): string | undefined {
  const isLine = typeof value === "string" && value.length <= TEXT_MAX && !/\p{Cc}/u.test(value);
  return isLine ? value : undefined;
}

/** Where a server listens. Port 0 lets the system pick one. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number): ValueKind<number> {
  const inRange = (value: unknown): number | undefined =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max
      ? value
      : undefined;
  return {
    accepts: `an integer from ${min} to ${max}`,
    placeholder: "N",
    fromText: (text) => (/^-?\d{1,15}$/.test(text) ? inRange(Number(text)) : undefined),
    fromFile: inRange,
    toPlain: (value) => value,
  };
}

/** Yes or no. */
export const boolean: ValueKind<boolean> = {
  accepts: "true or false",
  placeholder: "BOOL",
  fromText: (text) => (text === "true" ? true : text === "false" ? false : undefined),
  fromFile: (value) => (typeof value === "boolean" ? value : undefined),
  toPlain: (value) => value,
};

/** One of a few words. */
export function choice<const T extends string>(choices: readonly T[]): ValueKind<T> {
  const find = (value: unknown): T | undefined => choices.find((word) => word === value);
  return {
    accepts: `one of ${choices.join(", ")}`,
    placeholder: "WORD",
    fromText: find,
    fromFile: find,
    toPlain: (value) => value,
  };
}

/** A folder; a relative one starts at the working directory. The value is absolute. */
export const folder: ValueKind<string> = {
  accepts: "a folder",
  placeholder: "DIR",
  fromText: readFolder,
  fromFile: readFolder,
  toPlain: (value) => value,
};

/** A file, or the empty text for none; a relative one starts at the working directory. */
export const optionalFile: ValueKind<string> = {
  accepts: "a file, or nothing",
  placeholder: "FILE",
  fromText: readOptionalFile,
  fromFile: readOptionalFile,
  toPlain: (value) => value,
};

/** Where backups go: a folder, which is made absolute, a USB stick, or the empty text for none. */
export const backupPlace: ValueKind<string> = {
  accepts: "a folder, usb, usb:NAME, or nothing",
  placeholder: "PLACE",
  fromText: readBackupPlace,
  fromFile: readBackupPlace,
  toPlain: (value) => value,
};

function readBackupPlace(value: unknown): string | undefined {
  const line = readLine(value);
  if (line === "usb" || line?.startsWith("usb:")) return line;
  return readOptionalFile(line);
}

/** A time of day as `03:00`, or `off`. */
export const timeOfDay: ValueKind<string> = {
  accepts: "a time from 00:00 to 23:59, or off",
  placeholder: "HH:MM",
  fromText: readTimeOfDay,
  fromFile: readTimeOfDay,
  toPlain: (value) => value,
};

function readTimeOfDay(value: unknown): string | undefined {
  const isTime = typeof value === "string" && /^(off|([01]\d|2[0-3]):[0-5]\d)$/.test(value);
  return isTime ? value : undefined;
}

/** The address of an HTTP server's route, or the empty text for none. */
export const optionalUrl: ValueKind<string> = {
  accepts: "an http:// or https:// URL, or nothing",
  placeholder: "URL",
  fromText: readOptionalUrl,
  fromFile: readOptionalUrl,
  toPlain: (value) => value,
};

function readOptionalUrl(value: unknown): string | undefined {
  const line = readLine(value);
  return line === "" || (line !== undefined && /^https?:/.test(line) && URL.canParse(line))
    ? line
    : undefined;
}

function readOptionalFile(value: unknown): string | undefined {
  return value === "" ? "" : readFolder(value);
}

function readFolder(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && !value.includes("\0")
    ? resolve(value)
    : undefined;
}

/** `HOST:PORT`, an IPv6 address in brackets. */
export const listenAddress: ValueKind<ListenAddress> = {
  accepts: `HOST:PORT with a port from 0 to ${PORT_MAX}, an IPv6 address in brackets`,
  placeholder: "HOST:PORT",
  fromText: readListenAddress,
  fromFile: readListenAddress,
  toPlain: ({ host, port }) => (host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`),
};

function readListenAddress(value: unknown): ListenAddress | undefined {
  if (typeof value !== "string") return undefined;
  const match = /^(?:\[(?<six>[0-9a-fA-F:.]+)\]|(?<name>[A-Za-z0-9.-]+)):(?<port>\d{1,5})$/.exec(
    value,
  );
  const host = match?.groups?.six ?? match?.groups?.name;
  const port = Number(match?.groups?.port);
  return host === undefined || port > PORT_MAX ? undefined : { host, port };
}

/** A TOML list is none there. */
const IN_TEXT = ", separated by commas";

/** Web origins such as `https://till.example`, without path. In text separated by commas. */
export const origins: ValueKind<readonly string[]> = {
  accepts: "a list of origins such as https://till.example, without a path",
  acceptsAsText: IN_TEXT,
  placeholder: "LIST",
  fromText: (text) => readOrigins(text.split(",").map((entry) => entry.trim())),
  fromFile: readOrigins,
  toPlain: (value) => value,
};

function readOrigins(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list: readonly unknown[] = value;
  const valid = list.filter((entry) => typeof entry === "string").filter(isOrigin);
  return valid.length === list.length ? valid : undefined;
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** One label of a host name, or the empty text for none. */
export const label: ValueKind<string> = {
  accepts: "letters, digits and hyphens, or nothing",
  placeholder: "NAME",
  fromText: readLabel,
  fromFile: readLabel,
  toPlain: (value) => value,
};

function readLabel(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const name = value.toLowerCase();
  return name === "" || LABEL.test(name) ? name : undefined;
}

/** Host names and addresses. In text separated by commas. */
export const names: ValueKind<readonly string[]> = listOf({
  accepts: "a list of host names and addresses",
  reads: (entry) => {
    const isName = entry.length <= 253 && entry.split(".").every((part) => LABEL.test(part));
    return isName || isIP(entry) !== 0;
  },
});

/** Addresses, and networks such as `192.168.1.0/24`. In text separated by commas. */
export const networks: ValueKind<readonly string[]> = listOf({
  accepts: "a list of addresses and networks such as 192.168.1.0/24",
  reads: (entry) => {
    const [address = "", bits, ...more] = entry.split("/");
    const version = isIP(address);
    const isLength =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
    return version !== 0 && isLength && more.length === 0;
  },
});

function listOf(entries: {
  readonly accepts: string;
  /** @param entry in lower case */
  reads(entry: string): boolean;
}): ValueKind<readonly string[]> {
  const read = (value: unknown): readonly string[] | undefined => {
    if (!Array.isArray(value)) return undefined;
    const list: readonly unknown[] = value;
    const texts = list.filter((entry) => typeof entry === "string").map((e) => e.toLowerCase());
    return texts.length === list.length && texts.every(entries.reads) ? texts : undefined;
  };
  return {
    accepts: entries.accepts,
    acceptsAsText: IN_TEXT,
    placeholder: "LIST",
    fromText: (text) =>
      read(
        text
          .split(",")
          .map((entry) => entry.trim())
          .filter((entry) => entry !== ""),
      ),
    fromFile: read,
    toPlain: (value) => value,
  };
}
