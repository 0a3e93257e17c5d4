/** Sends a command to a device and waits for its end, as the routes do that answer with it. */

import type { Principal } from "#core/access.ts";
import type { CommandType } from "#core/command/catalogue.ts";
import { type Command, isFinal } from "#core/command/command.ts";
import type { Indication } from "#core/command/indication.ts";
import { effectiveStatus } from "#core/device/connectivity.ts";
import { ApiError, noSuch } from "#core/errors.ts";
import { isoTime } from "#core/iso-time.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { CommandService, QueuePort } from "../commands/service.ts";
import type { DeviceLive } from "../devices/device-state.ts";
import type { ReportOf } from "./answers.ts";
import { refusalOfRunning, requireCompleted } from "./ends.ts";

export interface LiveServiceOptions {
  readonly stores: Pick<Stores, "commands">;
  readonly commands: Pick<CommandService, "requireDevice" | "create" | "store" | "storing">;
  readonly queue: Pick<QueuePort, "askedFirst" | "cancel" | "reasonOf" | "waitFinal">;
  readonly live: Pick<DeviceLive, "connectivity">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly reportOf: ReportOf;
  /** What a printer's last receipt, as it was asked for, says of a command in doubt. */
  readonly indicationOf: (command: Command, asked: Command) => Indication;
}

/** What is asked of a device. The payload is one of the type, and was checked. */
export interface LiveRequest {
  readonly deviceId: string;
  readonly type: CommandType;
  readonly payload: unknown;
  /** How long to wait for the end. */
  readonly waitMs: number;
}

export type LiveService = ReturnType<typeof createLiveService>;

/** Makes the service. */
export function createLiveService(options: LiveServiceOptions) {
  const { stores, commands, queue, clock } = options;

  return {
    /** @throws ApiError NOT_FOUND */
    requireDevice: (principal: Principal, deviceId: string): void =>
      commands.requireDevice(principal, deviceId),

    /** @throws ApiError NOT_FOUND */
    requireCommand({ orgId }: Principal, commandId: string): Command {
      const command = stores.commands.get(orgId, commandId);
      if (!command) throw noSuch("command");
      return command;
    },

    indicationOf: options.indicationOf,

    /** For the answer: when it is given. */
    timestamp: (): string => isoTime(clock.now()),

    reportOf: options.reportOf,

    /**
     * Whoever asked may go away meanwhile: the command runs on.
     * @returns the command, completed
     * @throws ApiError NOT_FOUND; SERVICE_UNAVAILABLE with nothing queued, or nothing done;
     * CONFLICT when it may have been done; UNPROCESSABLE_ENTITY when the device refused it
     */
    async run(principal: Principal, { waitMs, ...asked }: LiveRequest): Promise<Command> {
      requireOnline(options, asked.deviceId);
      requireUnasked(options, asked);
      const accepted = commands.create(principal, { ...asked, idempotencyKey: null }, "live");
      await commands.storing(accepted, (tx) => commands.store(tx, principal, accepted));
      const stored = stores.commands.get(principal.orgId, accepted.id);
      if (!stored) throw new Error("the command vanished after it was stored");
      const ended = isFinal(stored.status)
        ? stored
        : ((await queue.waitFinal(stored.id, waitMs)) ?? (await takenBack(options, stored)));
      requireCompleted(ended, queue.reasonOf(ended));
      return ended;
    },
  };
}

/** @throws ApiError SERVICE_UNAVAILABLE when no controller has a line to the device */
function requireOnline({ live }: LiveServiceOptions, deviceId: string): void {
  const connectivity = live.connectivity(deviceId);
  if (effectiveStatus(connectivity) === "online") return;
  const why = connectivity.controllerOnline
    ? `The device is offline: ${connectivity.reason ?? "its line is down"}`
    : "No connected controller serves the device";
  throw new ApiError("SERVICE_UNAVAILABLE", `${why}. Nothing was queued`);
}

/** @throws ApiError SERVICE_UNAVAILABLE when a person has to answer a question of the printer first */
function requireUnasked({ queue }: LiveServiceOptions, asked: Omit<LiveRequest, "waitMs">): void {
  const first = queue.askedFirst(asked);
  if (first === undefined) return;
  const told = { errorCode: "E500", errorMessage: `The command cannot begin: ${first}` };
  throw new ApiError("SERVICE_UNAVAILABLE", `Not done: ${first}. Nothing was queued`, {
    ...{ ...told, outcome: "not_printed" },
  });
}

/**
 * Ends a command whose time is over, unless the device has it.
 * @returns the command as it has ended
 * @throws ApiError SERVICE_UNAVAILABLE for a read that goes on, CONFLICT for anything else
 */
async function takenBack({ queue, log }: LiveServiceOptions, command: Command): Promise<Command> {
  const { orgId, id: commandId } = command;
  try {
    const done = await queue.cancel(orgId, commandId);
    if (done && isFinal(done.command.status)) return done.command;
  } catch (error) {
    // It waits on, and may yet be carried out: that is what is answered then.
    log.error("command of a live route not cancelled", { commandId, error });
  }
  throw refusalOfRunning(command);
}
