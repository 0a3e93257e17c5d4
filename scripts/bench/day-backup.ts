/** The backups of a simulated day: made by real processes of the gateway, in a real folder. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SimulatedTime } from "#drivers/testing/simulated-time.ts";
import { readOutcome } from "#src/backup/kept-backups.ts";
import type { SettingKey } from "#src/config.ts";
import { until } from "#src/e2e/harness/until.ts";

/** What the environment calls the instant at which a backup's process begins, in UTC milliseconds. */
export const BACKUP_NOW = "BENCH_DAY_BACKUP_NOW";

/** The gateway has looked for what is due within so much, also when it has just started. */
const LOOK_MS = 121_000;

/** Where the day's backups are made. */
export interface DayBackups {
  /** What makes the gateway make them. */
  readonly settings: Readonly<Partial<Record<SettingKey, string>>>;
  /**
   * Waits for the one that is due at an instant. Time stands still while its process runs.
   * @returns its bytes
   * @throws Error when it failed
   */
  made(stateDir: string, dueAt: number): Promise<number>;
  remove(): void;
}

/** @param at `HH:MM`, by the machine's clock */
export function dayBackups(time: SimulatedTime, at: string): DayBackups {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-day-"));
  const passphraseFile = join(folder, "passphrase");
  writeFileSync(passphraseFile, "a passphrase for benches\n", { mode: 0o600 });
  const standsAt = (instant: number): void => {
    process.env[BACKUP_NOW] = String(instant);
  };
  standsAt(time.now());
  return {
    settings: { "backup.at": at, "backup.to": folder, "backup.passphraseFile": passphraseFile },
    async made(stateDir, dueAt) {
      // Before the gateway's own timer of that instant.
      await time.sleepUntil(dueAt - 1);
      standsAt(dueAt);
      await time.sleepUntil(dueAt + LOOK_MS);
      return time.standing(() =>
        until(`the backup of ${new Date(dueAt).toISOString()}`, () => {
          const { last, failed } = readOutcome(stateDir);
          if (failed !== null) throw new Error(`the backup failed: ${failed.reason}`);
          return last !== null && Date.parse(last.createdAt) >= dueAt && last.bytes;
        }),
      );
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
