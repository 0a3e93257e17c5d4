/**
 * What happens inside the gateway. An event is stored in the transaction of the change that it
 * tells of and published when that is on disk: nothing is published that a crash could undo, and
 * nothing that is stored stays unpublished.
 */

import type { Scope } from "./access.ts";
import type { Command } from "./command/command.ts";
import type { DeviceAlerts } from "./device/alert-change.ts";
import type { StoredDevice } from "./device/device.ts";
import type { StoredReceipt } from "./receipt-record.ts";
import type { StoredReport } from "./report-record.ts";

export type GatewayEvent =
  /** The command as it was right after the change. */
  | {
      readonly type: "command.updated" | "command.completed" | "command.failed" | "command.timeout";
      readonly orgId: string;
      readonly command: Command;
    }
  /** A receipt made elsewhere was stored. */
  | { readonly type: "receipt.created"; readonly orgId: string; readonly receipt: StoredReceipt }
  /** An X or Z report completed on a device. */
  | {
      readonly type: "report.generated";
      readonly orgId: string;
      readonly report: StoredReport;
    }
  /**
   * The device as the change left it: nobody's and offline where it was taken from its controller or
   * removed. `controllerId` is the controller that owns it, or that it was taken from; null while none does.
   */
  | {
      readonly type:
        | "device.online"
        | "device.offline"
        /** Its state was read for the first time since its controller took it on. */
        | "device.state_read"
        /** Registered, or changed by a person. */
        | "device.updated"
        /** Removed, or taken from its controller. */
        | "device.released";
      readonly orgId: string;
      readonly device: StoredDevice;
      readonly controllerId: string | null;
    }
  /** Other alerts stand at a device than were told of last. */
  | { readonly type: "device.alert"; readonly orgId: string; readonly alerts: DeviceAlerts }
  /** A backup was made; or it was not, or there has been none for two days. */
  | {
      readonly type: "backup.completed" | "backup.failed";
      readonly orgId: string;
      readonly backup: BackupOfEvent;
    }
  /** A remote controller came, or went. */
  | {
      readonly type: "controller.connected" | "controller.disconnected";
      readonly orgId: string;
      readonly controllerId: string;
    };

/** A backup, or why there is none. */
export interface BackupOfEvent {
  readonly name: string | null;
  readonly bytes: number | null;
  readonly reason: string | null;
}

export type EventType = GatewayEvent["type"];
export type DeviceEventType = Extract<GatewayEvent, { readonly device: StoredDevice }>["type"];

/** What happened to a device. @param controllerId unless it is the device's own */
export function deviceEvent(
  type: DeviceEventType,
  device: StoredDevice,
  controllerId = device.controllerId,
): GatewayEvent {
  return { type, orgId: device.orgId, device, controllerId };
}

/** All of them, with the scope that a listener needs for each. */
export const EVENT_SCOPES = {
  "command.updated": "commands",
  "command.completed": "commands",
  "command.failed": "commands",
  "command.timeout": "commands",
  "receipt.created": "receipts:read",
  "report.generated": "reports",
  "device.online": "devices:read",
  "device.offline": "devices:read",
  "device.state_read": "devices:read",
  "device.updated": "devices:read",
  "device.released": "devices:read",
  "device.alert": "devices:read",
  "backup.completed": "devices:read",
  "backup.failed": "devices:read",
  "controller.connected": "devices:read",
  "controller.disconnected": "devices:read",
} as const satisfies Record<EventType, Scope>;

/** An event on disk. */
export interface StoredEvent {
  /** Grows with each event of the appliance, in the order of the changes. */
  readonly seq: number;
  /** `evt_...`, for clients. */
  readonly id: string;
  /** UTC milliseconds. */
  readonly createdAt: number;
  readonly event: GatewayEvent;
}

/** An event as clients get it: webhooks, and whoever listens. */
export interface EventEnvelope<Type extends string = EventType> {
  /** `evt_...`; the same for everybody who gets it, however often. */
  readonly id: string;
  readonly type: Type;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly orgId: string;
  readonly data: Readonly<Record<string, unknown>>;
}
