/** What `/health` looks at. */

import { statfsSync } from "node:fs";
import { FINDINGS, type HealthFinding } from "#core/health.ts";
import type { ReplicaWatch } from "../backup/replica-watch.ts";
import type { BackupSchedule } from "../backup/schedule.ts";
import type { HealthChecks } from "../modules/health/routes.ts";
import { checkOf, type HealthCheck } from "../modules/health/schema.ts";
import { errorText } from "../platform/thrown.ts";
import type { Https } from "./https.ts";
import type { Foundation } from "./parts.ts";
import { clockHealth } from "./shop-health.ts";
import type { StartCount } from "./start-count.ts";

/** Less than this much room for the database is a warning. */
const DISK_LOW_BYTES = 256 * 1_048_576;

const OK: HealthCheck = { status: "ok" };

/** What `/health` asks besides. */
export interface HealthParts {
  readonly controllers: { readonly size: number };
  readonly https: Pick<Https, "health"> | undefined;
  readonly backups: Pick<BackupSchedule, "isOn" | "isLookedAt" | "problem">;
  readonly replica: Pick<ReplicaWatch, "isOn" | "problem">;
  readonly starts: Pick<StartCount, "problem">;
  /** What the printers need. */
  readonly printers: () => HealthCheck;
  /** Whether an update of this machine lies broken off. */
  readonly update: () => Pick<HealthChecks, "update">;
}

/** Looks at the parts now. */
export function checkHealth(
  foundation: Pick<
    Foundation,
    "config" | "database" | "loss" | "writes" | "disk" | "timers" | "stores" | "clock"
  >,
  {
    controllers: { size: connected },
    https,
    backups,
    replica,
    starts,
    printers,
    update,
  }: HealthParts,
): HealthChecks {
  const { config, database, loss, writes, disk, timers } = foundation;
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(config["state.dir"]);
    return bavail * bsize;
  };
  return {
    database: check(FINDINGS.databaseUnreadable, () => {
      const lost = loss.problem();
      const problem = lost === undefined ? writes.problem() : FINDINGS.databaseLost(lost);
      if (problem !== undefined) return checkOf("failed", problem);
      database.sqlite.prepare("SELECT 1").get();
      return foundHealth(starts.problem());
    }),
    disk: check(FINDINGS.diskUnreadable, () => {
      const problem = disk.problem();
      if (problem !== undefined) return checkOf("failed", problem);
      return freeBytes() < DISK_LOW_BYTES ? checkOf("degraded", FINDINGS.diskLow()) : OK;
    }),
    timers: timers.size === 0 ? checkOf("degraded", FINDINGS.noTimer()) : OK,
    controllers: connected === 0 ? checkOf("degraded", FINDINGS.noController()) : OK,
    clock: clockHealth(foundation),
    printers: quietly(printers),
    ...(https === undefined ? {} : { https: https.health() }),
    ...backupHealth(backups),
    ...(replica.isOn ? { replica: foundHealth(replica.problem()) } : {}),
    ...update(),
  };
}

/**
 * Nothing in the first moments of a start, while another process looks whether a backup can be made: `ok`
 * would be no true word, a finding would call every start degraded, and no till is to wait for a disk.
 */
export function backupHealth(backups: HealthParts["backups"]): Pick<HealthChecks, "backup"> {
  if (!backups.isOn) return {};
  const backup = check(FINDINGS.backupUnknown, () => foundHealth(backups.problem()));
  return backup.status === "ok" && !backups.isLookedAt ? {} : { backup };
}

/** What cannot be read is the database's to tell. */
function quietly(look: () => HealthCheck): HealthCheck {
  try {
    return look();
  } catch {
    return checkOf("degraded", FINDINGS.printersUnknown());
  }
}

function foundHealth(problem: HealthFinding | undefined): HealthCheck {
  return checkOf("degraded", ...(problem === undefined ? [] : [problem]));
}

/** @param unreadable what is told where the look itself fails */
function check(
  unreadable: (reason: string) => HealthFinding,
  look: () => HealthCheck,
): HealthCheck {
  try {
    return look();
  } catch (error) {
    return checkOf("failed", unreadable(errorText(error)));
  }
}
