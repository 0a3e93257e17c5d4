/** Who a controller is. */

import { BUILTIN_CONTROLLER_ID } from "../device/device.ts";

/** Names a controller. The one inside the appliance serves every organization: its `orgId` is null. */
export interface ControllerKey {
  readonly orgId: string | null;
  readonly controllerId: string;
}

/** The controller inside the appliance. */
export const BUILTIN_CONTROLLER: ControllerKey = {
  orgId: null,
  controllerId: BUILTIN_CONTROLLER_ID,
};

/** What a controller says of itself when it connects. */
export interface ControllerIdentity extends ControllerKey {
  readonly name: string | undefined;
  readonly appVersion: string;
  readonly deviceModel: string;
  readonly osVersion: string;
  /** Where it is, if it said so. */
  readonly locationId?: string | undefined;
  /** It reports marks. One that does not is never taken for sure of what it did not print. */
  readonly reportsMarks: boolean;
}

/** A controller with an open connection, as one organization sees it. */
export interface ConnectedController extends ControllerIdentity {
  /** UTC milliseconds. */
  readonly connectedAt: number;
  /** The organization's devices that it serves and reaches. */
  readonly deviceIdsUp: readonly string[];
}

/** True when both name the same controller. */
export function isSameController(one: ControllerKey, other: ControllerKey): boolean {
  return one.orgId === other.orgId && one.controllerId === other.controllerId;
}
