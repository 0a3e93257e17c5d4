/** Backups as the running gateway has them: their processes, their events, and what the API shows. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import { noteOutcome, readOutcome } from "../backup/kept-backups.ts";
import { uncopied } from "../backup/replica.ts";
import { ReplicaWatch } from "../backup/replica-watch.ts";
import {
  type BackupNews,
  type BackupProcess,
  BackupSchedule,
  type BackupWish,
} from "../backup/schedule.ts";
import { discardWork } from "../backup/work-folder.ts";
import { programWordsAnywhere } from "../cli/shell-line.ts";
import { currentSurroundings, isService } from "../config/surroundings.ts";
import { type Config, environmentName, type SettingKey, settingOf } from "../config.ts";
import type { BackupsPort } from "../modules/backups/service.ts";
import type { Clock } from "../platform/clock.ts";
import { otherProcess } from "../platform/engine.ts";
import type { Log } from "../platform/log.ts";
import { signalGroup } from "../platform/process-group.ts";
import { clockTimezone } from "../platform/timezone.ts";
import { lineOfUser, shellLine } from "../platform/user-line.ts";
import { pathsAround, REPLICA_UNIT } from "../update/machine-paths.ts";
import type { BackupPlaces } from "./backup-places.ts";
import type { BackupSettings } from "./backup-settings.ts";

export interface BackupsOptions {
  readonly config: Config;
  readonly backupSettings: BackupSettings;
  readonly stores: Pick<Stores, "organizations">;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a backup's process has to know. In the environment: arguments are for everybody to see. */
const HANDED_ON = [
  ...(["state.dir", "backup.to", "backup.passphraseFile", "backup.keep"] as const),
  ...(["backup.command", "backup.workFactor", "https.certificate"] as const),
] satisfies SettingKey[];

/** Makes the schedule, which is to be started, over processes of this program. */
export function createBackups(options: BackupsOptions, places: BackupPlaces): BackupSchedule {
  const { config, clock, log, backupSettings } = options;
  try {
    discardWork(config["state.dir"]);
  } catch (error) {
    log.warn("what a broken off backup left behind is not removed", { error });
  }
  return new BackupSchedule({
    at: () => backupSettings.at,
    canEncrypt: () => backupSettings.canEncrypt,
    isHourChosen: () => backupSettings.isHourChosen,
    unready: () => places.unready(),
    begin: (wish) => beginProcess(config, backupSettings.to, wish),
    outcome: () => readOutcome(config["state.dir"]),
    noteFailure(failed) {
      try {
        noteOutcome(config["state.dir"], { failed });
      } catch (error) {
        // As on a full disk, which is told by itself.
        log.error("failure of a backup not noted", { error });
      }
    },
    tell: (news) => tellOf(options, news),
    ...{ clock, log },
  });
}

/** Makes what looks whether the live copy elsewhere goes on. It is a backup too, and is told as one that failed. */
export function watchReplica(options: BackupsOptions): ReplicaWatch {
  const stateDir = resolve(options.config["state.dir"]);
  const paths = pathsAround(stateDir);
  return new ReplicaWatch({
    ...{ clock: options.clock, log: options.log, look: () => uncopied(stateDir) },
    isWanted: () => paths !== undefined && existsSync(paths.unitOf(REPLICA_UNIT)),
    tell: ({ text }) => tellOf(options, { kind: "failed", reason: text }),
  });
}

/** The backups as the API has them. */
export function backupsPort(
  { config, backupSettings }: Pick<BackupsOptions, "config" | "backupSettings">,
  { schedule, places }: { readonly schedule: BackupSchedule; readonly places: BackupPlaces },
): BackupsPort {
  return {
    get canEncrypt() {
      return backupSettings.canEncrypt;
    },
    async settings() {
      const { line, isAnswered } = await places.passphrase();
      return {
        ...{ to: backupSettings.to, at: backupSettings.at, keepDays: config["backup.keep"] },
        // One that the settings name counts as there while nobody can look.
        ...{ hasPassphrase: line !== null || !isAnswered, timezone: clockTimezone() },
      };
    },
    makeNow: (to) => schedule.makeNow(to),
    fixedBy: (name) => backupSettings.fixedBy(`backup.${name}`),
    async requireRoomFor({ passphrase }) {
      const fault = passphrase === undefined ? undefined : await unansweredPassphrase(places);
      // It would hold whoever writes there.
      if (fault !== undefined) throw new Error(fault);
    },
    keep(choice) {
      backupSettings.choose(choice);
      schedule.lookAgain();
    },
    async look() {
      const looks = [places.look(), unansweredPassphrase(places), schedule.look()] as const;
      const [seen, unanswered] = await Promise.all(looks);
      const { kept, fault, sticks, newest } = seen;
      return {
        ...{ kept, sticks, last: readOutcome(config["state.dir"]).last, failed: schedule.failed },
        problem: schedule.problem()?.text ?? unanswered ?? fault,
        startedAt: schedule.startedAt,
        nextAt: schedule.nextAt(),
        restore: restoreLines(config, newest),
      };
    },
  };
}

/** That the disk of the passphrase does not answer; undefined where it does. */
async function unansweredPassphrase(places: BackupPlaces): Promise<string | undefined> {
  const { fault, isAnswered } = await places.passphrase();
  return isAnswered ? undefined : (fault ?? undefined);
}

/** What a person types at the box, in whatever folder, to put a backup back; nothing without one. */
function restoreLines(config: Config, file: string | undefined): readonly string[] {
  if (file === undefined) return [];
  const restore = ["restore", resolve(file), "--state-dir", resolve(config["state.dir"])];
  if (!isService(currentSurroundings())) {
    return [shellLine([...programWordsAnywhere(), ...restore])];
  }
  return [
    lineOfUser("root", ["systemctl", "stop", "fiscald"]),
    lineOfUser("fiscald", ["fiscald", ...restore]),
    lineOfUser("root", ["systemctl", "start", "fiscald"]),
  ];
}

function beginProcess(config: Config, usual: string, wish: BackupWish): BackupProcess {
  const told = HANDED_ON.map((key): [string, string] => {
    const value: unknown = key === "backup.to" ? usual : config[key];
    return [environmentName(key), String(settingOf(key).kind.toPlain(value))];
  });
  const { command, environment } = otherProcess(currentSurroundings().environment);
  // What a person asked for elsewhere is that person's, and removes nothing there.
  const place = wish.to === undefined ? [] : ["--to", wish.to];
  const words = [...command, "backup", "--json", ...place, ...(wish.isByHand ? [] : ["--nightly"])];
  const child = Bun.spawn(words, {
    env: { ...environment, ...Object.fromEntries(told) },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    // A group of its own, with what it starts.
    detached: true,
  });
  const reasonOf = async (): Promise<string | undefined> => {
    const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    return code === 0
      ? undefined
      : said.trim().replace(/^fiscald: /, "") || `its process ended with ${code}`;
  };
  return { ended: reasonOf(), kill: (signal) => signalGroup(child.pid, signal) };
}

/** An event for each organization: a backup is of them all. */
function tellOf({ stores, writer, log }: BackupsOptions, news: BackupNews): void {
  const type = news.kind === "completed" ? "backup.completed" : "backup.failed";
  const backup =
    news.kind === "completed"
      ? { name: news.name, bytes: news.bytes, reason: null }
      : { name: null, bytes: null, reason: news.reason };
  writer
    .run((tx) => {
      for (const { id: orgId } of stores.organizations.list()) tx.emit({ type, orgId, backup });
    })
    .catch((error: unknown) => log.error("event of a backup not stored", { error }));
}
