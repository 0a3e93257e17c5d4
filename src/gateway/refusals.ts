/** What a controller is answered when what it said is not taken. */

import type { CommandReport, ToController } from "#core/controller/messages.ts";
import type { ControllerChannel } from "./sessions.ts";

type Refusal = Extract<ToController, { readonly type: "error" }>;

/** Why a report of a command was not stored. */
const OF_REPORTS = {
  FINAL: "The command has ended meanwhile",
  NOT_YOURS: "The command was not handed to this controller",
  STALE: "The command was handed over anew since",
  NOT_STORED: "The gateway could not write to its database; send it again",
} as const;

/** To whoever speaks of a device that it does not serve. */
export const NOT_SERVED: Refusal = {
  ...{ type: "error", code: "NOT_YOURS", message: "The device is not this controller's" },
};

/** Refuses a report of a command. */
export function refuse(
  channel: ControllerChannel,
  report: CommandReport,
  code: keyof typeof OF_REPORTS,
): void {
  channel.send({ type: "error", code, message: OF_REPORTS[code], ...aboutReport(report) });
}

/** By which a controller knows which of its reports is refused. */
export function aboutReport({
  commandId,
  epoch,
}: CommandReport): Pick<Refusal, "commandId" | "epoch"> {
  return { commandId, ...(epoch === undefined ? {} : { epoch }) };
}
