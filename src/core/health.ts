/** What `/health` finds, each with a code that programs and the portal's languages go by. */

/** What a program may meet; a code never changes its meaning. */
export const FINDING_CODES = [
  ...(["database_lost", "database_unwritable", "database_unreadable"] as const),
  ...(["disk_full", "disk_low", "disk_unreadable", "no_timer", "no_controller"] as const),
  ...(["clock_never_set", "printers_need_person", "commands_stuck", "printers_unknown"] as const),
  ...(["certificate_in_the_making", "certificate_fault", "certificate_ended"] as const),
  ...(["certificate_begins_later", "certificate_ends"] as const),
  ...(["backup_failed", "backup_old", "backup_unready", "backup_unknown"] as const),
  ...(["backup_no_passphrase", "update_broken_off"] as const),
  ...(["replica_stalled", "replica_not_begun", "starts_uncounted"] as const),
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

/** One thing that is not as it should be. */
export interface HealthFinding {
  readonly code: FindingCode;
  /** What the words of the code name: days as `2026-11-25`, instants as ISO 8601. */
  readonly params: Readonly<Record<string, string | number>>;
  /** In English, for the terminal and the log. */
  readonly text: string;
  /**
   * The same without what the system said and where things lie on the disk, for whoever asks without a
   * login; absent where the text names neither.
   */
  readonly openText?: string;
}

type Params = HealthFinding["params"];

function found(code: FindingCode, text: string, params: Params = {}): HealthFinding {
  return { code, params, text };
}

/** What of the words of a code only insiders are told. */
const INSIDE: readonly string[] = ["reason", "folder"];

function inside(openText: string, { code, text, params }: HealthFinding): HealthFinding {
  return { code, params, text, openText: `${openText}: fiscald doctor and the log say more` };
}

/** A finding as anybody may read it. */
export function openFinding({ code, params, text, openText = text }: HealthFinding): HealthFinding {
  const open = Object.entries(params).filter(([name]) => !INSIDE.includes(name));
  return { code, params: Object.fromEntries(open), text: openText };
}

const of = (count: number, total: number): string =>
  `${count} of ${total} ${total === 1 ? "printer" : "printers"}`;

/** Each finding from what it names. A reason is what the system said, in its own words. */
export const FINDINGS = {
  databaseLost: (reason: string) =>
    inside("the database is lost", found("database_lost", reason, { reason })),
  databaseUnwritable: (reason: string, folder: string) =>
    inside(
      "the database cannot be written",
      found(
        "database_unwritable",
        `the database cannot be written (${reason}): make room on the disk of ${folder}, or see why it takes no writes`,
        { reason, folder },
      ),
    ),
  databaseUnreadable: (reason: string) =>
    inside("the database cannot be read", found("database_unreadable", reason, { reason })),
  startsUncounted: (reason: string) =>
    inside(
      "a state that is put back from a copy would not be noticed, and could print twice",
      found(
        "starts_uncounted",
        `a state that is put back from a copy would not be noticed, and could print twice: ${reason}`,
        { reason },
      ),
    ),
  diskFull: (folder: string, mebibytes: number) =>
    inside(
      `the disk is full, so no commands are taken, and needs ${mebibytes} MiB at the least`,
      found(
        "disk_full",
        `the disk of ${folder} is full, so no commands are taken: make room, ${mebibytes} MiB at the least`,
        { folder, mebibytes },
      ),
    ),
  diskLow: () => found("disk_low", "the disk is nearly full"),
  diskUnreadable: (reason: string) =>
    inside("the room on the disk is not known", found("disk_unreadable", reason, { reason })),
  noTimer: () => found("no_timer", "no timer is set"),
  noController: () => found("no_controller", "no controller is connected"),
  clockNeverSet: (day: string) =>
    found("clock_never_set", `the clock shows ${day}: it was never set`, { day }),
  printersNeedPerson: (count: number, total: number) =>
    found("printers_need_person", `${of(count, total)} cannot print or need a person`, {
      count,
      total,
    }),
  commandsStuck: (count: number, total: number) =>
    found("commands_stuck", `on ${of(count, total)} a command waits for over 15 minutes`, {
      count,
      total,
    }),
  printersUnknown: () => found("printers_unknown", "not known"),
  certificateInTheMaking: () => found("certificate_in_the_making", "the certificate is being made"),
  certificateFault: (reason: string) =>
    inside("there is a fault with the certificate", found("certificate_fault", reason, { reason })),
  certificateEnded: (day: string) =>
    found("certificate_ended", `the certificate ended ${day}`, { day }),
  certificateBeginsLater: () => found("certificate_begins_later", "the certificate begins later"),
  certificateEnds: (day: string) =>
    found("certificate_ends", `the certificate ends ${day}`, { day }),
  backupFailed: (at: string, reason: string) =>
    inside(
      `the backup of ${at} failed`,
      found("backup_failed", `the backup of ${at} failed: ${reason}`, { at, reason }),
    ),
  backupUnready: (reason: string) =>
    inside(
      "no backup can be made",
      found("backup_unready", `no backup can be made: ${reason}`, { reason }),
    ),
  backupNoPassphrase: () =>
    found(
      "backup_no_passphrase",
      "no backup is made: the passphrase that encrypts it is not on this machine, and no backup " +
        "holds it; an owner gives it in the portal (Settings, Backup)",
    ),
  backupUnknown: (reason: string) =>
    inside("whether there are backups is not known", found("backup_unknown", reason, { reason })),
  updateBrokenOff: () =>
    found(
      "update_broken_off",
      "an update was broken off: this machine is between two versions; fiscald doctor and the " +
        "portal (Settings, Update) say what to type",
    ),
  backupOld: (at: string) => found("backup_old", `the last backup is of ${at}`, { at }),
  replicaStalled: (at: string) =>
    found(
      "replica_stalled",
      `the database is not copied elsewhere any more: the copy may lack all since ${at}`,
      { at },
    ),
  replicaNotBegun: () =>
    found("replica_not_begun", "the database is not copied elsewhere, though that is set up"),
} as const;
