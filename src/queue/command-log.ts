/** What became of each command, for whoever reads the log of the appliance. */

import type { Command } from "#core/command/command.ts";
import type { EventBus } from "../events/bus.ts";
import type { Log } from "../platform/log.ts";

/** Logs the end of each command; nothing of its payload. @returns ends it */
export function logCommandEnds(bus: EventBus, log: Log): () => void {
  return bus.subscribe(({ event }) => {
    // Each comes once; an ended command is updated also when a person is asked of it, and answers.
    if (event.type === "command.completed") log.info("command completed", fieldsOf(event.command));
    else if (event.type === "command.failed" || event.type === "command.timeout") {
      log.warn("command not completed", fieldsOf(event.command));
    }
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
