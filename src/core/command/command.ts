/** A command: one queued unit of work for one device. */

import type { FiscalErrorCode } from "../errors.ts";
import type { CommandType } from "./catalogue.ts";
import type { Baseline, Mark } from "./marks.ts";

export const COMMAND_STATUSES = [
  "pending",
  "sent",
  "processing",
  "completed",
  "failed",
  "timeout",
] as const;
export type CommandStatus = (typeof COMMAND_STATUSES)[number];

export const COMMAND_SOURCES = ["api", "live", "portal", "gateway"] as const;
export type CommandSource = (typeof COMMAND_SOURCES)[number];

/** What is known to have become of a fiscal document or ledger entry. */
export const OUTCOMES = ["not_printed", "printed", "unknown"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The result a client sees. */
export interface CommandResult {
  readonly success: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly fiscalId?: string;
  readonly errorCode?: FiscalErrorCode;
  readonly errorMessage?: string;
}

/** True for a success that also says that its document was not printed, or that nobody knows. */
export function contradictsItself({ success, data }: CommandResult): boolean {
  return success && data?.outcome !== undefined && data.outcome !== "printed";
}

/** A stored command. Instants are UTC milliseconds. */
export interface Command {
  readonly seq: number;
  readonly id: string;
  readonly orgId: string;
  readonly deviceId: string;
  readonly type: CommandType;
  readonly payload: unknown;
  readonly status: CommandStatus;
  readonly source: CommandSource;
  readonly apiKeyId: string | null;
  readonly requestedBy: string | null;
  readonly idempotencyKey: string | null;
  readonly controllerId: string | null;
  /** Counts the hand-overs to a controller. */
  readonly epoch: number;
  /**
   * Who had it before that, the latest first. Null where that is not known: an older version accepted it,
   * or more have had it than are kept.
   */
  readonly formerControllers: readonly string[] | null;
  /**
   * Network addresses that the device had as it was handed out, as `socketOf` writes them: the latest first,
   * twenty at most. Null where there was none, and in rows of older versions.
   */
  readonly sentTo: readonly string[] | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly sentAt: number | null;
  readonly processingAt: number | null;
  readonly finishedAt: number | null;
  readonly expiresAt: number;
  readonly mark: Mark | null;
  readonly baseline: Baseline | null;
  readonly result: CommandResult | null;
  /** For a printer that the gateway simulates: whatever it prints is no fiscal document. */
  readonly simulated: boolean;
  /** Of its amounts, as the shop sold when it was accepted; null of one that an older version accepted. */
  readonly currency: string | null;
  /** Where its device stood when it was accepted; null of one that an older version accepted. */
  readonly locationId: string | null;
  /**
   * The orders of `createdAt`, `sentAt` and `finishedAt`: instants of a clock that was set do not say what
   * came first.
   */
  readonly acceptedOrder: number | null;
  readonly sentOrder: number | null;
  readonly finishedOrder: number | null;
}

/** What is known of a command when it is accepted. Instants are UTC milliseconds. */
export type Acceptance = Pick<
  Command,
  | "id"
  | "orgId"
  | "deviceId"
  | "type"
  | "payload"
  | "source"
  | "createdAt"
  | "expiresAt"
  | "simulated"
> &
  Partial<Pick<Command, "apiKeyId" | "requestedBy" | "idempotencyKey">>;

/** A command as it is accepted, before the store numbers it: it waits, and nobody has had it. */
export function acceptedCommand(known: Acceptance): Omit<Command, "seq"> {
  return {
    ...{ apiKeyId: null, requestedBy: null, idempotencyKey: null },
    ...{ currency: null, locationId: null },
    ...known,
    status: "pending",
    controllerId: null,
    epoch: 0,
    formerControllers: [],
    sentTo: null,
    updatedAt: known.createdAt,
    sentAt: null,
    processingAt: null,
    finishedAt: null,
    acceptedOrder: null,
    sentOrder: null,
    finishedOrder: null,
    mark: null,
    baseline: null,
    result: null,
  };
}

/** True for the states nothing leaves. */
export function isFinal(status: CommandStatus): status is "completed" | "failed" | "timeout" {
  return status === "completed" || status === "failed" || status === "timeout";
}
