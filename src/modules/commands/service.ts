/** Submitting, reading, cancelling and settling commands. */

import { callerOf, type Principal } from "#core/access.ts";
import { type CommandType, isCommandType, payloadIssues } from "#core/command/catalogue.ts";
import {
  acceptedCommand,
  type Command,
  type CommandSource,
  isFinal,
} from "#core/command/command.ts";
import { notSettledWords, settledBeforeWords } from "#core/command/not-settled.ts";
import type { Saying } from "#core/command/saying.ts";
import { isSimulated } from "#core/device/device.ts";
import { ApiError, noSuch, validationError } from "#core/errors.ts";
import { isoTime } from "#core/iso-time.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { CommandFilter, CommandSort } from "#db/stores/command-list.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import { type PageEnd, type PageQuery, readPage } from "../../http/paging.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { type CommandRecord, commandRecord } from "./schema.ts";

/** What the module uses of the queue. */
export interface QueuePort {
  /** @throws ApiError UNPROCESSABLE_ENTITY for what would reverse more than is left of a sale */
  requireAllowed(command: NewCommand): void;
  /** Inside an operation: a receipt that was made elsewhere is stored now, and what took a sale back before counts. */
  renewStornos(receipt: StoredReceipt): void;
  accept(tx: Transaction, command: NewCommand): void;
  /** Writes an operation that accepts a command. */
  accepting<T>(command: NewCommand, operation: (tx: Transaction) => T): Promise<T>;
  /** UTC milliseconds. */
  expiryOf(createdAt: number): number;
  cancel(
    orgId: string,
    commandId: string,
    by?: { readonly actor: string; readonly address: string | null },
  ): Promise<{ command: Command; cancelled: boolean } | undefined>;
  /** What a person has to do before such a command is sent; undefined where nothing is asked. */
  askedFirst(about: Pick<Command, "deviceId" | "type">): string | undefined;
  /** Why such a command does not begin, in words for a till; if known. */
  reasonOf(about: Pick<Command, "deviceId" | "type">): string | undefined;
  /**
   * A person says what became of a command, inside an operation.
   * @returns the command as it then is; undefined when its outcome is not open, and its number stays
   */
  settle(tx: Transaction, command: Command, said: Saying): Command | undefined;
  /** Resolves with the command when it is final, or with nothing after `ms`. */
  waitFinal(commandId: string, ms: number): Promise<Command | undefined>;
}

export interface CommandServiceOptions {
  readonly stores: Stores;
  readonly writer: Writer;
  readonly queue: QueuePort;
  readonly clock: Clock;
  readonly random: Random;
}

/** A submission as it was asked for. */
export interface Submission {
  readonly deviceId: string;
  readonly type: string;
  readonly payload: unknown;
  readonly idempotencyKey: string | null;
}

/** A submission whose payload is one of its type. */
export interface CheckedSubmission extends Submission {
  readonly type: CommandType;
}

/** What a person says of a document in doubt. */
export interface Settlement {
  readonly outcome: "printed" | "not_printed";
  readonly fiscalId?: string;
}

export type CommandService = ReturnType<typeof createCommandService>;

/** Makes the service. */
export function createCommandService(options: CommandServiceOptions) {
  const { stores, writer, queue, clock, random } = options;

  const getCommand = (orgId: string, commandId: string): Command => {
    const command = stores.commands.get(orgId, commandId);
    if (!command) throw noSuch("command");
    return command;
  };
  const record = (command: Command) => commandRecord(command, stores);

  return {
    /** @throws ApiError NOT_FOUND */
    requireDevice(principal: Principal, deviceId: string): void {
      if (!stores.devices.get(principal.orgId, deviceId)) {
        throw noSuch("device");
      }
    },

    /**
     * Checks a submission and makes the command of it; nothing is stored yet.
     * @throws ApiError NOT_FOUND, VALIDATION_ERROR, UNPROCESSABLE_ENTITY
     */
    prepare(principal: Principal, submission: Submission, source: CommandSource): NewCommand {
      this.requireDevice(principal, submission.deviceId);
      const type = checkedType(submission);
      return this.create(principal, { ...submission, type }, source);
    },

    /**
     * Makes a command of a submission that was checked.
     * @throws ApiError UNPROCESSABLE_ENTITY
     */
    create(principal: Principal, submission: CheckedSubmission, source: CommandSource): NewCommand {
      const now = clock.now();
      const device = stores.devices.get(principal.orgId, submission.deviceId);
      const command = acceptedCommand({
        id: random.id("cmd"),
        orgId: principal.orgId,
        deviceId: submission.deviceId,
        type: submission.type,
        payload: submission.payload,
        source,
        apiKeyId: principal.kind === "key" ? principal.keyId : null,
        requestedBy: principal.kind === "user" ? principal.userId : null,
        idempotencyKey: submission.idempotencyKey,
        createdAt: now,
        expiresAt: queue.expiryOf(now),
        simulated: device !== undefined && isSimulated(device),
      });
      queue.requireAllowed(command);
      return command;
    },

    /**
     * Stores a command, inside the operation given to `storing`.
     * @throws ApiError NOT_FOUND when the device went away meanwhile, UNPROCESSABLE_ENTITY when
     * another command has reversed the same sale meanwhile
     */
    store(tx: Transaction, principal: Principal, command: NewCommand): void {
      this.requireDevice(principal, command.deviceId);
      queue.accept(tx, command);
    },

    /** Writes an operation that stores a command with `store`. */
    storing: <T>(command: NewCommand, operation: (tx: Transaction) => T): Promise<T> =>
      queue.accepting(command, operation),

    /** @throws ApiError NOT_FOUND */
    requireCommand(orgId: string, commandId: string): void {
      getCommand(orgId, commandId);
    },

    /**
     * @param waitMs how long to wait for the command to become final
     * @throws ApiError NOT_FOUND
     */
    async get(orgId: string, commandId: string, waitMs: number): Promise<CommandRecord> {
      const command = getCommand(orgId, commandId);
      if (isFinal(command.status) || waitMs === 0) return record(command);
      const ended = await queue.waitFinal(commandId, waitMs);
      return record(ended ?? getCommand(orgId, commandId));
    },

    /** @throws ApiError VALIDATION_ERROR when `startAfter` names no command */
    async list(
      orgId: string,
      filter: CommandFilter,
      page: PageQuery<CommandSort>,
    ): Promise<PageEnd & { commands: CommandRecord[] }> {
      const { rows, ...end } = await readPage(page, {
        what: "command",
        find: (id) => stores.commands.get(orgId, id),
        list: (place) => stores.commands.list(orgId, filter, place),
        moving: {
          sortBy: "updatedAt",
          at: ({ updatedAt }) => updatedAt,
          standing: (command, updatedAt) => ({ ...command, updatedAt }),
        },
      });
      return { commands: rows.map(record), ...end };
    },

    /** @throws ApiError NOT_FOUND, or CONFLICT when it is no longer pending */
    async cancel(principal: Principal, commandId: string): Promise<CommandRecord> {
      const { orgId, actor, address } = callerOf(principal);
      const done = await queue.cancel(orgId, commandId, { actor, address });
      if (!done) throw noSuch("command");
      if (done.cancelled) return record(done.command);
      throw new ApiError("CONFLICT", uncancelledWords(done.command));
    },

    /**
     * @throws ApiError NOT_FOUND; VALIDATION_ERROR for the number of what was not printed; CONFLICT
     * when its outcome is not open, and nothing of its number to be corrected
     */
    async settle(
      principal: Principal,
      commandId: string,
      said: Settlement,
    ): Promise<CommandRecord> {
      const { orgId, actor: by, address } = callerOf(principal);
      const { outcome, fiscalId } = said;
      if (outcome === "not_printed" && fiscalId !== undefined) {
        const message = "Expected none: what was not printed has no number; was it printed?";
        throw validationError([{ path: "fiscalId", message }]);
      }
      const word = { outcome, fiscalId, by, address, now: clock.now() };
      const settled = await writer.run((tx) =>
        queue.settle(tx, getCommand(orgId, commandId), word),
      );
      if (settled) return record(settled);
      const command = getCommand(orgId, commandId);
      throw new ApiError("CONFLICT", notOpenWords(stores, command, outcome));
    },
  };
}

/** Why a person cannot say what became of a command. */
function notOpenWords(
  { outcomeHolds }: Pick<Stores, "outcomeHolds">,
  command: Command,
  said: "printed" | "not_printed",
): string {
  const settled = outcomeHolds.get(command.orgId, command.id)?.outcome ?? null;
  if (settled !== null) return settledBeforeWords(settled, said);
  return isFinal(command.status)
    ? `There is nothing to settle: the command has ended, and is ${command.status}`
    : notSettledWords(command, isoTime);
}

/** Why a command was not taken back. */
function uncancelledWords({ status, expiresAt }: Command): string {
  if (isFinal(status)) return `The command has ended: it is ${status}`;
  const why = "only a command that waits for its turn is cancelled";
  if (status !== "sent") return `The command is ${status}: the device has begun it, and ${why}`;
  const until = isoTime(expiresAt);
  return `The command is sent: its controller has it since, and ${why}. If the device does not begin it, it ends by itself at ${until}, or sooner where its controller was only woken and does not come`;
}

function checkedType({ type, payload }: Submission): CommandType {
  if (!isCommandType(type)) {
    throw validationError([{ path: "type", message: `Unknown command type ${quoted(type)}` }]);
  }
  const issues = payloadIssues(type, payload);
  if (issues.length === 0) return type;
  throw validationError(
    issues.map(({ path, message }) => ({
      path: path === "" ? "payload" : `payload.${path}`,
      message,
    })),
  );
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}
