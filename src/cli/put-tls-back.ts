/** What puts the keys and certificates of HTTPS back from a backup: the line, and what it did. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readOutcome } from "../backup/kept-backups.ts";
import type { BackupHome } from "../backup/newest-backup.ts";
import type { RestoredTls } from "../backup/restore-tls.ts";
import { stateFiles } from "../config/state-files.ts";
import { SERVICE_STATE_DIR } from "../config/surroundings.ts";
import type { Config } from "../config.ts";
import { lineOfUser } from "../platform/user-line.ts";
import { hasService } from "../update/machine-paths.ts";
import { folded } from "./fitted.ts";
import { knownBackups } from "./known-backups.ts";
import { printLine } from "./output.ts";
import { lineOn } from "./settings-options.ts";

/** Of `fiscald restore --only`. */
export const TLS_PART = "tls";

/** What to do where the authority that tills trust is lost, with the last good backup by name. */
export function putTlsBackCure(home: BackupHome): string {
  const stateDir = home["state.dir"];
  const { there, away } = knownBackups(home);
  // Those that were made since the authority is gone do not hold it.
  const file = readOutcome(stateDir).authority ?? (there ?? away)?.file ?? "FILE";
  const restore = lineOn(stateDir, "restore", "--only", TLS_PART, file);
  if (resolve(stateDir) !== SERVICE_STATE_DIR || !hasService()) {
    return `with the gateway stopped: ${restore}`;
  }
  const [stop, start] = ["stop", "start"].map((word) =>
    lineOfUser("root", ["systemctl", word, "fiscald"]),
  );
  // The gateway is to run again also where the passphrase was mistyped.
  return `${stop}; ${restore}; ${start}`;
}

/**
 * Where there is no certificate of the own authority, though a gateway has run on the state: with the folder of
 * both, what tills have come to trust may be gone, and the next start makes another authority.
 * @returns what to say of it; undefined where it is the first certificate that is to come
 */
export function lostAuthority(config: Config): { text: string; cure: string } | undefined {
  const { there, away } = knownBackups(config);
  const hasBackup = (there ?? away) !== undefined;
  const hasRun = hasBackup || existsSync(stateFiles(config["state.dir"]).reserve);
  if (config["https.certificate"] !== "own" || !hasRun) return undefined;
  return {
    text: "there is no certificate: where this gateway has served HTTPS, the authority that tills trust is gone",
    cure: `${putTlsBackCure(config)}; or start the gateway for a new authority, which every till has to trust anew`,
  };
}

/** @param start line that starts the gateway */
export function tellTlsBack({ manifest, aside }: RestoredTls, start: string): void {
  const say = (label: string, text: string): void => {
    for (const line of folded(label.padEnd(10), text)) printLine(line);
  };
  say("Backup", `of ${manifest.createdAt}`);
  say("Restored", "the keys and certificates of HTTPS, and nothing else");
  if (aside !== undefined) say("Old ones", `are kept in ${aside}; remove it when nobody needs it`);
  printLine("");
  printLine(`Then: ${start}`);
}
