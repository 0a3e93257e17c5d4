/** Backups of the appliance, looked at and asked for by its owners and admins. */

import { type Caller, callerOf, type Principal } from "#core/access.ts";
import { ApiError } from "#core/errors.ts";
import { isoTime } from "#core/iso-time.ts";
import type { Stores } from "#db/stores/index.ts";
import type { WriteFor } from "#db/write-for.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";
import { errorText } from "../../platform/thrown.ts";
import type { BackupSettingsBody } from "./schema.ts";

/** A backup that was verified. */
interface Kept {
  readonly name: string;
  /** UTC milliseconds. */
  readonly createdAt: number;
  readonly bytes: number;
}

/** What makes backups, and knows of them. Instants are UTC milliseconds, or ISO 8601 as text. */
export interface BackupsPort {
  /** False without a passphrase. */
  readonly canEncrypt: boolean;
  /** What has set it at the box; undefined where an owner may choose it. */
  fixedBy(name: "to" | "at"): "flag" | "environment" | "file" | undefined;
  /** Looks whether a choice can be kept. Rejects where the disk it is to lie on does not answer. */
  requireRoomFor(choice: BackupSettingsBody): Promise<void>;
  /** Keeps it; once more is the same. @throws the system's error */
  keep(choice: BackupSettingsBody): void;
  /** @returns false when one is being made already */
  makeNow(to: string | undefined): boolean;
  /** Where they go and when; asks no place for anything. */
  settings(): Promise<{
    readonly to: string;
    readonly at: string;
    readonly keepDays: number;
    /** Whether there is one that an owner need not choose any more. */
    readonly hasPassphrase: boolean;
    /** IANA name of the zone that `at` is in. */
    readonly timezone: string;
  }>;
  /** What lies where; of a place that does not answer in seconds, what was seen there last. */
  look(): Promise<{
    readonly kept: readonly Kept[];
    readonly last: {
      readonly file: string;
      readonly createdAt: string;
      readonly bytes: number;
    } | null;
    readonly failed: { readonly at: string; readonly reason: string } | null;
    readonly problem: string | undefined;
    readonly startedAt: number | undefined;
    readonly nextAt: number | undefined;
    readonly sticks: readonly {
      readonly name: string;
      readonly mountPoint: string | null;
      readonly freeBytes: number | null;
      readonly kept: readonly Kept[];
    }[];
    readonly restore: readonly string[];
  }>;
}

export interface BackupServiceOptions {
  readonly stores: Pick<Stores, "audit">;
  readonly write: WriteFor;
  /** For what is under way already. */
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  readonly backups: BackupsPort;
}

export type BackupService = ReturnType<typeof createBackupService>;

/** Makes the service. */
export function createBackupService(options: BackupServiceOptions) {
  const { stores, write, writer, clock, backups } = options;
  const settingsRecord = async () => ({
    ...(await backups.settings()),
    toFixedBy: backups.fixedBy("to") ?? null,
    atFixedBy: backups.fixedBy("at") ?? null,
  });
  return {
    async look() {
      const [seen, settings] = await Promise.all([backups.look(), settingsRecord()]);
      const { kept, last, failed, problem, startedAt, nextAt, sticks, restore } = seen;
      return {
        backups: kept.map(keptRecord),
        last: last && { name: nameOf(last.file), createdAt: last.createdAt, bytes: last.bytes },
        ...{ failed, problem: problem ?? null },
        startedAt: startedAt === undefined ? null : isoTime(startedAt),
        nextAt: nextAt === undefined ? null : isoTime(nextAt),
        sticks: sticks.map(({ name, mountPoint, freeBytes, kept: onIt }) => ({
          ...{ name, freeBytes },
          mounted: mountPoint !== null,
          backups: onIt.map(keptRecord),
        })),
        settings,
        restore: [...restore],
      };
    },

    /** Keeps what an owner chose. @throws ApiError CONFLICT where the box has the say, or no room */
    async choose(principal: Principal, choice: BackupSettingsBody) {
      for (const name of ["to", "at"] as const) {
        const by = choice[name] === undefined ? undefined : backups.fixedBy(name);
        if (by === undefined) continue;
        const message = `backup.${name} is set at the box (${FIXED_BY[by]}), which counts first`;
        throw new ApiError("CONFLICT", message);
      }
      const { passphrase, ...shown } = choice;
      await backups.requireRoomFor(choice).catch(refuseToKeep);
      await write(principal, () => {
        stores.audit.append({
          ...{ ...callerOf(principal), at: clock.now(), resource: principal.orgId },
          action: "backup.settings_changed",
          details: { ...shown, ...(passphrase === undefined ? {} : { passphrase: "changed" }) },
        });
        try {
          backups.keep(choice);
        } catch (error) {
          refuseToKeep(error);
        }
      });
      return { settings: await settingsRecord() };
    },

    /** Has one made. @throws ApiError CONFLICT while one is being made, or without a passphrase */
    async makeNow(caller: Caller, to: string | undefined) {
      if (!backups.canEncrypt) {
        throw new ApiError(
          "CONFLICT",
          "Backups are encrypted, and there is no passphrase: choose one with PATCH /backups/settings, or name a file of it in the setting backup.passphraseFile",
        );
      }
      if (!backups.makeNow(to)) throw new ApiError("CONFLICT", "A backup is being made already");
      const at = clock.now();
      await writer.run(() => {
        stores.audit.append({
          ...caller,
          at,
          action: "backup.begun",
          resource: caller.orgId,
          details: to === undefined ? null : { to },
        });
      });
      return { startedAt: isoTime(at) };
    },
  };
}

function refuseToKeep(error: unknown): never {
  throw new ApiError("CONFLICT", `It cannot be kept on the machine: ${errorText(error)}`);
}

const FIXED_BY = {
  flag: "its command line",
  environment: "an environment variable",
  file: "the settings file",
} as const;

function keptRecord({ name, createdAt, bytes }: Kept) {
  return { name, createdAt: isoTime(createdAt), bytes };
}

/** Where each lies is told by the lines that put one back. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
