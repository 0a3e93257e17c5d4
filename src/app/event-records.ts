/** The records by which events tell of their subjects: those of the API. */

import type { Alert } from "#core/device/alerts.ts";
import type { Stores } from "#db/stores/index.ts";
import type { EventBus } from "../events/bus.ts";
import { createToEnvelope, type EventRecords } from "../events/envelope.ts";
import { EventFeed } from "../events/feed.ts";
import { commandRecord } from "../modules/commands/schema.ts";
import { alertRecord, deviceRecord, storedFacts } from "../modules/devices/records.ts";
import { receiptRecord } from "../modules/receipts/records.ts";
import { storedReportRecord } from "../modules/reports/records.ts";
import type { Clock } from "../platform/clock.ts";

/** The feed for those who listen; `stop` ends it. */
export function createFeed(parts: {
  readonly stores: Stores;
  readonly bus: EventBus;
  readonly clock: Clock;
}): EventFeed {
  const { stores, bus, clock } = parts;
  const toEnvelope = createToEnvelope(createEventRecords(stores));
  return new EventFeed({ bus, clock, toEnvelope, events: stores.events, subjects: stores });
}

/** Makes them. A device is told of by its row: what is live of it belongs to another instant. */
export function createEventRecords(stores: Stores): EventRecords {
  return {
    command: (command) => commandRecord(command, stores),
    receipt: receiptRecord,
    report: (report) => storedReportRecord(stores, report),
    device: (device) => deviceRecord(device, storedFacts(device)),
    alerts({ deviceId, deviceName, simulated = false, standing, appeared, cleared }) {
      const record = (alert: Alert) => alertRecord({ id: deviceId, name: deviceName }, alert);
      const device = stores.devices.find(deviceId);
      return {
        device: device === undefined ? null : deviceRecord(device, storedFacts(device)),
        controllerId: device?.controllerId ?? null,
        ...{ deviceId, simulated },
        alerts: standing.map(record),
        appeared: appeared.map(record),
        cleared: cleared.map(record),
      };
    },
  };
}
