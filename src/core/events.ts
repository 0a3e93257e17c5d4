/**
 * What happens inside the gateway. An event is stored in the transaction of the change that it
 * tells of and published when that is on disk: nothing is published that a crash could undo, and
 * nothing that is stored stays unpublished.
 */

import type { Command } from "./command/command.ts";
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
  /** `controllerId` is the controller that owns the device; null while none does. */
  | {
      readonly type:
        | "device.online"
        | "device.offline"
        /** Registered, or changed by a person. */
        | "device.updated"
        /** Removed, or taken from its controller, which is the one that is named. */
        | "device.released";
      readonly orgId: string;
      readonly deviceId: string;
      readonly controllerId: string | null;
    };

/** What happened to a device. */
export function deviceEvent(
  type: "device.updated" | "device.released",
  device: { readonly id: string; readonly orgId: string; readonly controllerId: string | null },
): GatewayEvent {
  const { orgId, id: deviceId, controllerId } = device;
  return { type, orgId, deviceId, controllerId };
}

export type EventType = GatewayEvent["type"];

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
