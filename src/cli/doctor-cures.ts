/** What to do about what a running gateway finds of itself. */

import type { FindingCode } from "#core/health.ts";
import { SANDBOX_CURE } from "../backup/place.ts";
import { neededLineIn } from "../platform/strange-owner.ts";
import { lineOfUser } from "../platform/user-line.ts";
import { REPLICA_UNIT } from "../update/machine-paths.ts";

/** A command line of this program, by its words. */
export type LineOf = (...words: readonly string[]) => string;

const DISK_SAYS = "journalctl -k shows what the disk says";
const TLS = () => TLS_CURE;
const LOST = () => "see /docs/lost-database.html of the gateway";
const ROOM = () => ROOM_CURE;
const DEFECT = (line: LineOf) =>
  `systemctl restart fiscald; it is a defect: send ${line("diagnostics", "--to", "FILE")}`;
const BACKUP = (line: LineOf, detail: string) => {
  // By hand one would be made there: the sandbox is the service's alone.
  if (detail.includes(SANDBOX_CURE)) return unitLines();
  const giving = neededLineIn(detail);
  if (giving !== undefined) return giving;
  return `${line("backup")} makes one now, or says why it cannot`;
};

const CURES: Readonly<Record<FindingCode, (line: LineOf, detail: string) => string>> = {
  database_lost: LOST,
  database_unwritable: () => `df -h shows the room; ${DISK_SAYS}`,
  database_unreadable: (line) => `${line("check")} looks whether it is whole; ${DISK_SAYS}`,
  disk_full: ROOM,
  disk_low: ROOM,
  disk_unreadable: () => DISK_SAYS,
  no_timer: DEFECT,
  no_controller: DEFECT,
  clock_never_set: () => CLOCK_CURE,
  printers_need_person: (line) => line("status"),
  commands_stuck: (line) => `${line("command", "list")} shows them; ${line("status")} the printer`,
  printers_unknown: DEFECT,
  certificate_in_the_making: () => "wait a moment, and look again",
  certificate_fault: TLS,
  certificate_ended: TLS,
  certificate_begins_later: () => CLOCK_CURE,
  certificate_ends: TLS,
  backup_failed: BACKUP,
  backup_unready: BACKUP,
  backup_no_passphrase: () => PASSPHRASE_CURE,
  backup_unknown: BACKUP,
  backup_old: BACKUP,
  replica_stalled: () => REPLICA_CURE,
  replica_not_begun: () => REPLICA_CURE,
  starts_uncounted: (_, detail) => neededLineIn(detail) ?? STARTS_CURE,
  update_broken_off: (line) => line("status"),
};

/** What lets the database be copied elsewhere again; what keeps it from that its journal shows. */
export const REPLICA_CURE =
  `${lineOfUser("root", ["systemctl", "restart", REPLICA_UNIT])}; ` +
  `${lineOfUser("root", ["journalctl", "-u", REPLICA_UNIT, "-n", "20"])} shows why it stopped`;

/** What helps where the folder beside the state directory takes nothing, by no fault of permissions. */
const STARTS_CURE = "make room, or see why that folder takes nothing; then start the gateway anew";

/** What helps where the certificate of HTTPS is at fault. */
export const TLS_CURE = "see /docs/tls.html of the gateway";

/** What lets backups be made again where the passphrase is gone. */
export const PASSPHRASE_CURE =
  "in the portal: Settings, Backup; or name its file in the setting backup.passphraseFile";

/** What makes room on a disk. */
export const ROOM_CURE =
  "make room: old files in before-upgrade and failed-update*, the journal (journalctl --vacuum-size=100M)";

/** What sets a clock right. */
export const CLOCK_CURE = "timedatectl set-ntp true, and a network that lets NTP out (UDP 123)";

function unitLines(): string {
  const [edit, restart] = ["edit", "restart"].map((word) =>
    lineOfUser("root", ["systemctl", word, "fiscald"]),
  );
  return `${edit}, write [Service] and below it ReadWritePaths= with the folder; then ${restart}`;
}

/**
 * What to do about a finding.
 * @param line makes a command line that is to be pasted
 * @param detail what the gateway says of it
 */
export function cureOf(code: FindingCode, line: LineOf, detail = ""): string {
  return CURES[code](line, detail);
}
