/** Backups of the appliance, looked at and asked for by its owners and admins. */

import type { Caller } from "#core/access.ts";
import { ApiError } from "#core/errors.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";

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
  /** @returns false when one is being made already */
  makeNow(to: string | undefined): boolean;
  look(): {
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
    }[];
  };
}

export interface BackupServiceOptions {
  readonly stores: Pick<Stores, "audit">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  readonly backups: BackupsPort;
}

export type BackupService = ReturnType<typeof createBackupService>;

/** Makes the service. */
export function createBackupService({ stores, writer, clock, backups }: BackupServiceOptions) {
  return {
    look() {
      const { kept, last, failed, problem, startedAt, nextAt, sticks } = backups.look();
      return {
        backups: kept.map(({ name, createdAt, bytes }) => ({
          ...{ name, bytes },
          createdAt: iso(createdAt),
        })),
        last: last && { name: nameOf(last.file), createdAt: last.createdAt, bytes: last.bytes },
        ...{ failed, problem: problem ?? null },
        startedAt: startedAt === undefined ? null : iso(startedAt),
        nextAt: nextAt === undefined ? null : iso(nextAt),
        sticks: sticks.map(({ name, mountPoint, freeBytes }) => ({
          ...{ name, freeBytes },
          mounted: mountPoint !== null,
        })),
      };
    },

    /** Has one made. @throws ApiError CONFLICT while one is being made, or without a passphrase */
    async makeNow(caller: Caller, to: string | undefined) {
      if (!backups.canEncrypt) {
        throw new ApiError(
          "CONFLICT",
          "Backups are encrypted: name a file with a passphrase in the setting backup.passphraseFile",
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
      return { startedAt: iso(at) };
    },
  };
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

/** Where it lies is nobody's business over the network. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
