/**
 * What a controller and the gateway say to each other: JSON text frames over a WebSocket, or the
 * same objects over the in-process link of the built-in controller.
 *
 * Delivery is at least once. A controller keeps marks and results until they are stored, and
 * answers a repeated dispatch of a command it knows with what it has.
 */

import type { CommandResult } from "../command/command.ts";
import type { Baseline, Mark } from "../command/marks.ts";
import type { DeviceConfig, DeviceInfo, DeviceStatus } from "../device/device.ts";
import type { DriverCommand } from "../driver.ts";

/** The subprotocol of the controller WebSocket. */
export const CONTROLLER_SUBPROTOCOL = "fdg.v1";

/** Whether the controller reaches the device. */
export type LinkState = "up" | "down";

export type ToGateway =
  | {
      readonly type: "device.announce";
      readonly deviceId: string;
      readonly link: LinkState;
      /** Identification read when the link came up. */
      readonly info?: DeviceInfo;
      /** Why the link is down, for the person who looks. */
      readonly reason?: string;
    }
  | {
      readonly type: "device.status";
      readonly deviceId: string;
      readonly status: DeviceStatus;
      /** The device clock minus the appliance's, where it was read. Milliseconds. */
      readonly clockDriftMs?: number;
    }
  /** Something was done on the device without anybody having asked for it; for the audit log. */
  | {
      readonly type: "device.note";
      readonly deviceId: string;
      readonly action: string;
      readonly details: Readonly<Record<string, unknown>>;
    }
  | { readonly type: "command.ack"; readonly commandId: string }
  | {
      readonly type: "command.mark";
      readonly commandId: string;
      readonly mark: Mark;
      readonly baseline?: Baseline;
    }
  | { readonly type: "command.result"; readonly commandId: string; readonly result: CommandResult }
  | { readonly type: "pong" };

export type ToController =
  | {
      readonly type: "welcome";
      readonly controllerId: string;
      readonly devices: readonly DeviceConfig[];
      readonly heartbeatSeconds: number;
    }
  /** A device to serve from now on, or the new settings of one already served. */
  | { readonly type: "device.assigned"; readonly device: DeviceConfig }
  | { readonly type: "device.released"; readonly deviceId: string }
  | { readonly type: "announce.accepted"; readonly deviceId: string }
  | {
      readonly type: "announce.rejected";
      readonly deviceId: string;
      readonly code: "OWNED" | "NOT_FOUND";
      readonly ownerId?: string;
    }
  | {
      readonly type: "command.dispatch";
      readonly command: DriverCommand;
      readonly device: DeviceConfig;
      /** UTC milliseconds after which the command may not begin. */
      readonly expiresAt: number;
      /** It was acknowledged once: the gateway no longer counts its time, and waits for a result. */
      readonly begun: boolean;
    }
  | {
      readonly type: "command.resolve";
      readonly command: DriverCommand;
      readonly device: DeviceConfig;
      readonly baseline: Baseline;
      readonly mark: Mark;
    }
  | { readonly type: "mark.stored"; readonly commandId: string; readonly mark: Mark }
  | { readonly type: "result.stored"; readonly commandId: string }
  | { readonly type: "ping" }
  | {
      readonly type: "error";
      readonly code: string;
      readonly message: string;
      readonly commandId?: string;
    };

/** Who a controller is, as it says when it connects. */
export interface ControllerIdentity {
  readonly controllerId: string;
  readonly name: string | undefined;
  readonly appVersion: string;
  readonly deviceModel: string;
  readonly osVersion: string;
}
