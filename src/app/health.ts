/** What `/health` looks at. */

import { statfsSync } from "node:fs";
import type { BackupSchedule } from "../backup/schedule.ts";
import type { HealthChecks } from "../modules/health/routes.ts";
import type { HealthCheck } from "../modules/health/schema.ts";
import type { Https } from "./https.ts";
import type { Foundation } from "./parts.ts";
import { clockHealth } from "./shop-health.ts";

/** Less than this much room for the database is a warning. */
const DISK_LOW_BYTES = 256 * 1_048_576;

/** What `/health` asks besides. */
export interface HealthParts {
  readonly controllers: { readonly size: number };
  readonly https: Pick<Https, "health"> | undefined;
  readonly backups: Pick<BackupSchedule, "isOn" | "problem">;
  /** What the printers need. */
  readonly printers: () => HealthCheck;
}

/** Looks at the parts now. */
export function checkHealth(
  foundation: Pick<
    Foundation,
    "config" | "database" | "loss" | "writes" | "disk" | "timers" | "stores" | "clock"
  >,
  { controllers: { size: connected }, https, backups, printers }: HealthParts,
): HealthChecks {
  const { config, database, loss, writes, disk, timers } = foundation;
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(config["state.dir"]);
    return bavail * bsize;
  };
  return {
    database: check(() => {
      const problem = loss.problem() ?? writes.problem();
      if (problem !== undefined) throw new Error(problem);
      database.sqlite.prepare("SELECT 1").get();
      return undefined;
    }),
    disk: check(() => {
      const problem = disk.problem();
      if (problem !== undefined) throw new Error(problem);
      return freeBytes() < DISK_LOW_BYTES ? "the disk is nearly full" : undefined;
    }),
    timers: check(() => (timers.size === 0 ? "no timer is set" : undefined)),
    controllers: check(() => (connected === 0 ? "no controller is connected" : undefined)),
    clock: clockHealth(foundation),
    printers: quietly(printers),
    ...(https === undefined ? {} : { https: https.health() }),
    ...(backups.isOn ? { backup: check(() => backups.problem()) } : {}),
  };
}

/** What cannot be read is the database's to tell. */
function quietly(look: () => HealthCheck): HealthCheck {
  try {
    return look();
  } catch {
    return { status: "degraded", detail: "not known" };
  }
}

/** @param look gives what is wrong, or undefined */
function check(look: () => string | undefined): HealthCheck {
  try {
    const problem = look();
    return problem === undefined ? { status: "ok" } : { status: "degraded", detail: problem };
  } catch (error) {
    return { status: "failed", detail: error instanceof Error ? error.message : String(error) };
  }
}
