/** Files with private keys, in a folder of their own. */

import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder, writeDurably } from "../platform/durable-file.ts";
import { errorCode } from "../platform/thrown.ts";
import {
  type KeyAndCertificate,
  readServerCertificate,
  type ServerCertificate,
  splitPem,
} from "./pem.ts";

const NAMES_LINE = /^names: (.*)$/m;

/** A server's certificate as it was kept, and the names that were asked for when it was made. */
export interface KeptCertificate {
  readonly text: string;
  readonly madeFor: readonly string[];
  readonly read: ServerCertificate;
}

/**
 * Keeps a text in a file of its owner alone, whole or not at all. The folder is made unless it is
 * there. @throws the system's error
 */
export function keepPrivately(path: string, text: string): void {
  makeFolder(dirname(path));
  writeDurably(path, text);
}

/** The text of a file; undefined where there is none. @throws the system's error */
export function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** One file for a certificate and its key, so that no power cut leaves two that do not fit. */
export function certificateText(names: readonly string[], pair: KeyAndCertificate): string {
  return `names: ${names.join(" ")}\n${pair.key}${pair.certificate}`;
}

/** Reads what `certificateText` made; undefined where there is none, or a damaged one. */
export function readKeptCertificate(path: string): KeptCertificate | undefined {
  const text = textIfThere(path);
  const pair = text === undefined ? undefined : splitPem(text);
  if (text === undefined || pair === undefined) return undefined;
  try {
    const madeFor = NAMES_LINE.exec(text)?.[1]?.split(" ") ?? [];
    return { text, madeFor, read: readServerCertificate(pair) };
  } catch {
    // A damaged one is made anew.
    return undefined;
  }
}
