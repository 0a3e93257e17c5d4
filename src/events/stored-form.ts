/** What is kept of an event, and the event that comes of it again. */

import type { GatewayEvent, StoredEvent } from "#core/events.ts";
import type { EventRow } from "#db/stores/events.ts";
import type { Stores } from "#db/stores/index.ts";

/** Where the rows are that events tell of. */
export type EventSubjects = Pick<Stores, "commands" | "receipts" | "reports">;

/** What of an event is kept: the rest stands in its subject's own row. */
export function storedForm(event: GatewayEvent): Pick<EventRow, "subjectId" | "data"> {
  if ("command" in event) {
    return { subjectId: event.command.id, data: { status: event.command.status } };
  }
  if ("report" in event) return { subjectId: event.report.id, data: {} };
  if ("receipt" in event) return { subjectId: event.receipt.id, data: {} };
  if ("alerts" in event)
    return { subjectId: event.alerts.deviceId, data: { alerts: event.alerts } };
  if ("backup" in event) return { subjectId: "", data: { backup: event.backup } };
  if (!("device" in event)) return { subjectId: event.controllerId, data: {} };
  const { device, controllerId } = event;
  return { subjectId: device.id, data: { controllerId, device } };
}

/**
 * The event of a row. Its subject is as it was at the event, but for a command that was not final
 * then: that one is as it is now.
 * @returns undefined when what it tells of is gone
 */
export function storedEvent(row: EventRow, subjects: EventSubjects): StoredEvent | undefined {
  const { seq, id, createdAt } = row;
  const event = eventOf(row, subjects);
  return event && { seq, id, createdAt, event };
}

function eventOf(
  { type, orgId, subjectId, data }: EventRow,
  { commands, receipts, reports }: EventSubjects,
): GatewayEvent | undefined {
  switch (type) {
    case "command.updated":
    case "command.completed":
    case "command.failed":
    case "command.timeout": {
      const command = commands.get(orgId, subjectId);
      return command && { type, orgId, command };
    }
    case "report.generated": {
      const report = reports.get(orgId, subjectId);
      return report && { type, orgId, report };
    }
    case "receipt.created": {
      const receipt = receipts.get(orgId, subjectId);
      return receipt && { type, orgId, receipt };
    }
    case "device.online":
    case "device.offline":
    case "device.state_read":
    case "device.updated":
    case "device.released": {
      const { device, controllerId = null } = data;
      return device && { type, orgId, device, controllerId };
    }
    case "device.alert":
      return data.alerts && { type, orgId, alerts: data.alerts };
    case "backup.completed":
    case "backup.failed":
      return data.backup && { type, orgId, backup: data.backup };
    case "controller.connected":
    case "controller.disconnected":
      return { type, orgId, controllerId: subjectId };
    default:
      return type satisfies never;
  }
}
