/** The names of the files in the state directory that more than one part needs to know. */

import { join, resolve } from "node:path";

export interface StateFiles {
  readonly database: string;
  readonly settings: string;
  /** The settings that an owner chose in the portal. */
  readonly chosen: string;
  /** What encrypts backups, where an owner chose that in the portal. */
  readonly passphrase: string;
  /** Where the running gateway takes requests; there is none while it stands still. */
  readonly address: string;
  /** The same of HTTPS, while there is some. */
  readonly secureAddress: string;
  /** What a controller on a computer of its own has not handed to its gateway yet. */
  readonly controllerResults: string;
  /** Folder of the user's own device profiles. */
  readonly profiles: string;
  /** Folder of the books of the printers that the gateway simulates, and of the sockets to them. */
  readonly simulated: string;
  /** Folder of the gateway's own authority and certificate, with their private keys. */
  readonly tls: string;
  /** In it, the authority that tills trust, with its key. */
  readonly authority: string;
  /** In it, the certificate that the authority has made for the gateway. */
  readonly ownCertificate: string;
  /** There while that folder is being put back from a backup. */
  readonly tlsRestore: string;
  /** Where backups go unless somebody says otherwise. */
  readonly backups: string;
  /** What the last backups came to. */
  readonly backupRecord: string;
  /** What tells this gateway's backups from those of another machine of the same name. */
  readonly backupMark: string;
  /** Folder that a backup works in while it is made. */
  readonly backupWork: string;
  /** Folder that a restored state is unpacked into before it gets its place. */
  readonly restoreWork: string;
  /** Folder that a damaged database is saved into. */
  readonly repairWork: string;
  /** Names the place that this state directory is copied to, where Litestream does that. */
  readonly replica: string;
  /** Folder in which that keeps what it has read of the database. */
  readonly replicaParts: string;
  /** Keeps room on the disk for results. */
  readonly reserve: string;
}

/** Paths of the well-known files of a state directory. */
export function stateFiles(stateDir: string): StateFiles {
  return {
    database: join(stateDir, "fiscald.db"),
    settings: join(stateDir, "fiscald.toml"),
    chosen: join(stateDir, "fiscald.chosen.toml"),
    passphrase: join(stateDir, "fiscald.passphrase"),
    address: join(stateDir, "fiscald.url"),
    secureAddress: join(stateDir, "fiscald.url.https"),
    controllerResults: join(stateDir, "controller.db"),
    profiles: join(stateDir, "drivers"),
    simulated: join(stateDir, "simulated"),
    tls: join(stateDir, "tls"),
    authority: join(stateDir, "tls", "ca.pem"),
    ownCertificate: join(stateDir, "tls", "server.pem"),
    tlsRestore: join(stateDir, "fiscald.restore-tls"),
    backups: join(stateDir, "backups"),
    backupRecord: join(stateDir, "fiscald.backup.json"),
    backupMark: join(stateDir, "fiscald.backup.mark"),
    backupWork: join(stateDir, "fiscald.backup"),
    restoreWork: join(stateDir, "fiscald.restore"),
    repairWork: join(stateDir, "fiscald.repair"),
    replica: join(stateDir, "fiscald.replica"),
    replicaParts: join(stateDir, LITESTREAM_FOLDER),
    reserve: join(stateDir, "fiscald.reserve"),
  };
}

/** Of Litestream, where it copies the database elsewhere. */
const LITESTREAM_FOLDER = ".fiscald.db-litestream";

/** What is ours in a state directory begins like this, or is one of these folders. */
const OWN_PREFIX = "fiscald.";
const OWN_FOLDERS: readonly string[] = [
  ...["drivers", "before-upgrade", "before-downgrade", "backups", "simulated", "tls"],
  LITESTREAM_FOLDER,
];
/**
 * Of what is ours, what no backup takes: the database, which it copies by itself, and what belongs
 * to this run, this machine, or an earlier state; and what opens the backup itself.
 */
const LEFT_OUT =
  /^(fiscald\.(db|lock|pid|url|backup|restore|repair|before|rescued|reserve|passphrase|replica)\b.*|before-(upgrade|downgrade)|backups|simulated|\.fiscald\.db-litestream)$/;

/** True for a name in the state directory that is this program's. */
export function isOwnName(name: string): boolean {
  return name.startsWith(OWN_PREFIX) || isOwnFolder(name);
}

/** True for the folders among them. */
export function isOwnFolder(name: string): boolean {
  return OWN_FOLDERS.includes(name);
}

/**
 * True for a name in the state directory that a backup takes besides the database, a folder with the
 * files in it: settings, profiles, and whatever else becomes ours later. The books of simulated printers
 * stay as they are, as a printer's do: no restored state turns them back.
 */
export function isBackedUp(name: string): boolean {
  return isOwnName(name) && !LEFT_OUT.test(name);
}

/**
 * The file that tells a copy of a state directory from itself. Its folder lies beside the state
 * directory, holds nothing else, and is no part of what is backed up.
 */
export function startsFile(stateDir: string): string {
  return join(`${resolve(stateDir)}-starts`, "starts");
}
