/** What happens inside the gateway, told after it is on disk. */

import type { Command } from "./command/command.ts";
import type { DeviceStatus } from "./device/device.ts";

export type GatewayEvent =
  | { readonly type: "command.updated"; readonly command: Command }
  | { readonly type: "command.completed"; readonly command: Command }
  | { readonly type: "command.failed"; readonly command: Command }
  | { readonly type: "command.timeout"; readonly command: Command }
  | {
      readonly type: "device.online" | "device.offline";
      readonly orgId: string;
      readonly deviceId: string;
      readonly controllerId: string;
    }
  | {
      readonly type: "device.status";
      readonly orgId: string;
      readonly deviceId: string;
      readonly status: DeviceStatus;
    };
