/** The passphrase that encrypts backups: what is one, and the file that keeps it for the gateway. */

import { existsSync, readFileSync } from "node:fs";
import { stateFiles } from "../config/state-files.ts";
import type { Config } from "../config.ts";
import { writeDurably } from "../platform/durable-file.ts";

/** Characters. Fewer are guessed from a stolen backup, whatever a guess costs. */
export const PASSPHRASE_LENGTH = { min: 12, max: 1_000 } as const;

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

/** True where the file holds one that can encrypt. */
export function isPassphraseIn(file: string): boolean {
  try {
    return isGoodPassphrase(firstLineOf(file));
  } catch {
    return false;
  }
}

/** Keeps a passphrase there, readable to this user alone. @throws the system's error */
export function keepPassphrase(file: string, passphrase: string): void {
  writeDurably(file, `${passphrase}\n`);
}
