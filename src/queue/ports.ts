/** What the queue needs of the rest of the gateway. */

import type { ControllerKey } from "#core/controller/controller.ts";
import type { Reporter } from "#core/controller/judge.ts";
import type { ToController } from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";

/** The way to the controllers. */
export interface ControllerPort {
  /** The connected controller that serves the device. */
  controllerOf(deviceId: string): Reporter | undefined;
  /** True while it reports its line to the device as up. */
  reaches(deviceId: string): boolean;
  /** The same, and nothing is known that keeps the printer from answering: no paper, or an open cover. */
  mayAnswer(deviceId: string): boolean;
  /** Why a device is out of reach, in words; undefined when it is not, or nobody knows. */
  reasonOf(deviceId: string): string | undefined;
  send(key: ControllerKey, message: ToController): void;
  /** What the controller needs to know of the device; undefined when it is gone. */
  deviceConfig(orgId: string, deviceId: string): DeviceConfig | undefined;
}

/** To whoever was asked of a command over another line than the one it is asked over now. */
export const ASKED_ELSEWHERE = "The printer is asked over another line";

/**
 * Tells a controller that it need not go on with a command, nor find out what became of it. The
 * word is the one that refuses a report of a command that has ended, sent unasked: by it an app learns
 * that a receipt is not its to print any more.
 * @param key who has it; undefined where nobody does
 */
export function callOff(
  controllers: Pick<ControllerPort, "send">,
  key: ControllerKey | undefined,
  { commandId, message }: { readonly commandId: string; readonly message: string },
): void {
  if (key) controllers.send(key, { type: "error", code: "FINAL", message, commandId });
}

/** The time rules of the queue, in milliseconds. */
export interface QueueTimes {
  /** From acceptance, while no controller of the device is connected. */
  readonly pushWaitMs: number;
  /** From acceptance until the command must have begun. */
  readonly overallMs: number;
}
