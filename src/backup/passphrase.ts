/** The passphrase that encrypts backups: what is one, and the file that keeps it for the gateway. */

import { existsSync, readFileSync } from "node:fs";
import { type Static, Type } from "@sinclair/typebox";
import { stateFiles } from "../config/state-files.ts";
import type { Config } from "../config.ts";
import { writeDurably } from "../platform/durable-file.ts";
import { errorText } from "../platform/thrown.ts";

/** Characters. Fewer are guessed from a stolen backup, whatever a guess costs. */
export const PASSPHRASE_LENGTH = { min: 12, max: 1_000 } as const;

/** The longest one has fewer. */
const LINE_BYTES_MAX = 8_192;

export const PASSPHRASE_RULE = `${PASSPHRASE_LENGTH.min} to ${PASSPHRASE_LENGTH.max} characters`;

/** True for a passphrase that may encrypt a new backup. */
export function isGoodPassphrase({ length }: string): boolean {
  return length >= PASSPHRASE_LENGTH.min && length <= PASSPHRASE_LENGTH.max;
}

/** What a file begins with. @throws the system's error */
export function firstLineOf(file: string): string {
  const [line = ""] = readFileSync(file, "utf8").split(/\r?\n/, 1);
  return line;
}

/** The file that the settings name, else the one that the portal's owner has filled. */
export function passphraseFileOf(
  config: Pick<Config, "state.dir" | "backup.passphraseFile">,
): string {
  return config["backup.passphraseFile"] || stateFiles(config["state.dir"]).passphrase;
}

/**
 * True where backups can be encrypted. A file that the settings name counts, also while nobody can
 * read it: that it cannot is a failure, told by the backup, and no choice.
 */
export function hasPassphrase(
  config: Pick<Config, "state.dir" | "backup.passphraseFile">,
): boolean {
  return config["backup.passphraseFile"] !== "" || existsSync(passphraseFileOf(config));
}

/**
 * True where backups are to be made by themselves: where they can be, and where somebody has chosen the
 * hour, though the passphrase is gone, as on a machine that a backup was put back on, which holds none.
 */
export function isNightly({
  at,
  canEncrypt,
  isHourChosen,
}: {
  /** As the setting `backup.at`. */
  readonly at: string;
  readonly canEncrypt: boolean;
  /** False where it is the default one. */
  readonly isHourChosen: boolean;
}): boolean {
  return at !== "off" && (canEncrypt || isHourChosen);
}

/** What lies in the passphrase's file. */
export const PassphraseView = Type.Object({
  /** One that can encrypt; null where there is none. */
  line: Type.Union([Type.String(), Type.Null()]),
  /** Why nothing can be encrypted with it. */
  fault: Type.Union([Type.String(), Type.Null()]),
  /** False where its disk does not answer: then `line` is what it held before. */
  isAnswered: Type.Boolean(),
});
export type PassphraseView = Readonly<Static<typeof PassphraseView>>;

/** Looks at what a file begins with; waits for its disk. */
export async function viewPassphrase(file: string): Promise<PassphraseView> {
  try {
    const begin = await Bun.file(file).slice(0, LINE_BYTES_MAX).text();
    const [line = ""] = begin.split(/\r?\n/, 1);
    if (isGoodPassphrase(line)) return { line, fault: null, isAnswered: true };
    const fault = `the passphrase must have ${PASSPHRASE_RULE}: it is the first line of ${file}`;
    return { line: null, fault, isAnswered: true };
  } catch (error) {
    const fault = `the passphrase cannot be read: ${errorText(error)}`;
    return { line: null, fault, isAnswered: true };
  }
}

/** Keeps a passphrase there, readable to this user alone. @throws the system's error */
export function keepPassphrase(file: string, passphrase: string): void {
  writeDurably(file, `${passphrase}\n`);
}
