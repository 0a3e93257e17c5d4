/** Backups as the running gateway has them: their processes, their events, and what the API shows. */

import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import { listBackups, noteOutcome, readOutcome } from "../backup/kept-backups.ts";
import { backupFolder } from "../backup/place.ts";
import { type BackupNews, type BackupProcess, BackupSchedule } from "../backup/schedule.ts";
import { findUsbSticks } from "../backup/usb-sticks.ts";
import { discardWork } from "../backup/work-folder.ts";
import { currentSurroundings } from "../config/surroundings.ts";
import { type Config, environmentName, type SettingKey, settingOf } from "../config.ts";
import type { BackupsPort } from "../modules/backups/service.ts";
import type { Clock } from "../platform/clock.ts";
import { otherProcess } from "../platform/engine.ts";
import type { Log } from "../platform/log.ts";

export interface BackupsOptions {
  readonly config: Config;
  readonly stores: Pick<Stores, "organizations">;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a backup's process has to know. In the environment: arguments are for everybody to see. */
const HANDED_ON = [
  ...(["state.dir", "backup.to", "backup.passphraseFile", "backup.keep"] as const),
  ...(["backup.command", "backup.workFactor"] as const),
] satisfies SettingKey[];

/** Makes the schedule, which is to be started, over processes of this program. */
export function createBackups(options: BackupsOptions): BackupSchedule {
  const { config, clock, log } = options;
  try {
    discardWork(config["state.dir"]);
  } catch (error) {
    log.warn("what a broken off backup left behind is not removed", { error });
  }
  return new BackupSchedule({
    at: config["backup.at"],
    canEncrypt: config["backup.passphraseFile"] !== "",
    begin: (to) => beginProcess(config, to),
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

/** The backups as the API has them. */
export function backupsPort(config: Config, schedule: BackupSchedule): BackupsPort {
  return {
    canEncrypt: config["backup.passphraseFile"] !== "",
    makeNow: (to) => schedule.makeNow(to),
    look() {
      const { last, failed } = readOutcome(config["state.dir"]);
      let fault: string | undefined;
      let kept: ReturnType<typeof listBackups> = [];
      try {
        kept = listBackups(backupFolder(config["backup.to"], config["state.dir"]));
      } catch (error) {
        fault = error instanceof Error ? error.message : String(error);
      }
      return {
        ...{ kept, last, failed },
        problem: schedule.problem() ?? fault,
        startedAt: schedule.startedAt,
        nextAt: schedule.nextAt(),
        sticks: findUsbSticks(),
      };
    },
  };
}

function beginProcess(config: Config, to: string | undefined): BackupProcess {
  const told = HANDED_ON.map((key): [string, string] => {
    const value: unknown = key === "backup.to" && to !== undefined ? to : config[key];
    return [environmentName(key), String(settingOf(key).kind.toPlain(value))];
  });
  const { command, environment } = otherProcess(currentSurroundings().environment);
  const process = Bun.spawn([...command, "backup", "--json"], {
    env: { ...environment, ...Object.fromEntries(told) },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const reasonOf = async (): Promise<string | undefined> => {
    const [said, code] = await Promise.all([new Response(process.stderr).text(), process.exited]);
    return code === 0
      ? undefined
      : said.trim().replace(/^fiscald: /, "") || `its process ended with ${code}`;
  };
  return { ended: reasonOf(), kill: () => process.kill() };
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
