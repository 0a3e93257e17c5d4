/** An event as clients get it, whichever way it reaches them. */

import type { Command } from "#core/command/command.ts";
import type { DeviceAlerts } from "#core/device/alert-change.ts";
import type { StoredDevice } from "#core/device/device.ts";
import type { EventEnvelope, GatewayEvent, StoredEvent } from "#core/events.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { StoredReport } from "#core/report-record.ts";

/** The records of the API, by which events tell of their subjects too. */
export interface EventRecords {
  command(command: Command): object;
  receipt(receipt: StoredReceipt): object;
  report(report: StoredReport): object;
  device(device: StoredDevice): object;
  /** The device, and its alerts. */
  alerts(alerts: DeviceAlerts): Readonly<Record<string, unknown>>;
}

/** Makes the envelope of a stored event. */
export type ToEnvelope = (stored: StoredEvent) => EventEnvelope;

/** Makes what makes envelopes. */
export function createToEnvelope(records: EventRecords): ToEnvelope {
  return ({ id, createdAt, event }) => ({
    id,
    type: event.type,
    createdAt: new Date(createdAt).toISOString(),
    orgId: event.orgId,
    data: dataOf(event, records),
  });
}

function dataOf(event: GatewayEvent, records: EventRecords): EventEnvelope["data"] {
  if ("command" in event) return { command: records.command(event.command) };
  if ("receipt" in event) return { receipt: records.receipt(event.receipt) };
  if ("report" in event) return { report: records.report(event.report) };
  if ("alerts" in event) return records.alerts(event.alerts);
  if ("backup" in event) return { backup: event.backup };
  const { controllerId } = event;
  return "device" in event
    ? { device: records.device(event.device), controllerId }
    : { controllerId };
}
