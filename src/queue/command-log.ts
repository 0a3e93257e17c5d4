/** What became of each command, for whoever reads the log of the appliance. */

import { type Command, isFinal } from "#core/command/command.ts";
import type { EventBus } from "../events/bus.ts";
import type { Log } from "../platform/log.ts";

/** Logs the end of each command; nothing of its payload. @returns ends it */
export function logCommandEnds(bus: EventBus, log: Log): () => void {
  return bus.subscribe(({ event }) => {
    if (event.type !== "command.updated" || !isFinal(event.command.status)) return;
    const fields = fieldsOf(event.command);
    if (event.command.status === "completed") log.info("command completed", fields);
    else log.warn("command not completed", fields);
  });
}

function fieldsOf(command: Command): Record<string, unknown> {
  const { id, orgId, deviceId, type, status, createdAt, finishedAt, result } = command;
  return {
    orgId,
    deviceId,
    commandId: id,
    type,
    status,
    ms: finishedAt === null ? undefined : finishedAt - createdAt,
    fiscalId: result?.fiscalId,
    recovered: result?.data?.recovered,
    errorCode: result?.errorCode,
    reason: result?.errorMessage,
    outcome: result?.data?.outcome,
  };
}
