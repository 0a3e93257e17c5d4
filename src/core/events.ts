/**
 * What happens inside the gateway. An event is stored in the transaction of the change that it
 * tells of and published when that is on disk: nothing is published that a crash could undo, and
 * nothing that is stored stays unpublished.
 */

import type { Command } from "./command/command.ts";
import type { StoredReceipt } from "./receipt-record.ts";

export type GatewayEvent =
  /** The command as it was right after the change. */
  | {
      readonly type: "command.updated" | "command.completed" | "command.failed" | "command.timeout";
      readonly orgId: string;
      readonly command: Command;
    }
  /** A receipt made elsewhere was stored. */
  | { readonly type: "receipt.created"; readonly orgId: string; readonly receipt: StoredReceipt }
  /** `controllerId` is the controller that owns the device; null while none does. */
  | {
      readonly type:
        | "device.online"
        | "device.offline"
        /** Registered, or changed by a person. */
        | "device.updated"
        /** Removed, or taken from its controller. */
        | "device.released";
      readonly orgId: string;
      readonly deviceId: string;
      readonly controllerId: string | null;
    };

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
