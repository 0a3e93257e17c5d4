/** The built-in controller: drives the devices the appliance reaches itself. */

import type { ToController } from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { DeviceSession } from "./device-session.ts";
import type { ControllerEnvironment } from "./environment.ts";
import { newJob, resolveJob } from "./job.ts";
import type { ControllerLink } from "./link.ts";

/** A running controller. */
export interface Controller {
  /** Closes every line; commands under way stay as their marks say. */
  stop(): Promise<void>;
}

/** Starts a controller on its end of a link. */
export function startController(
  link: ControllerLink,
  environment: ControllerEnvironment,
): Controller {
  const sessions = new Map<string, DeviceSession>();
  /** The device whose session has the command, so that answers find their way. */
  const deviceOf = new Map<string, string>();
  let stopped = false;

  const serve = (device: DeviceConfig): DeviceSession => {
    const session = new DeviceSession(device, link, environment);
    sessions.set(device.id, session);
    return session;
  };
  const release = async (deviceId: string): Promise<void> => {
    const session = sessions.get(deviceId);
    sessions.delete(deviceId);
    for (const [commandId, owner] of deviceOf) {
      if (owner === deviceId) deviceOf.delete(commandId);
    }
    await session?.stop();
  };
  const sessionOf = (commandId: string): DeviceSession | undefined => {
    const deviceId = deviceOf.get(commandId);
    return deviceId === undefined ? undefined : sessions.get(deviceId);
  };
  const take = (
    message: Extract<ToController, { type: "command.dispatch" | "command.resolve" }>,
  ): void => {
    const { command, device } = message;
    deviceOf.set(command.id, device.id);
    const session = sessions.get(device.id) ?? serve(device);
    session.take(
      message.type === "command.dispatch"
        ? newJob(command, message.expiresAt)
        : resolveJob(command, message.mark, message.baseline),
    );
  };

  link.listen((message) => {
    if (stopped) return;
    switch (message.type) {
      case "welcome":
        for (const device of message.devices) serve(device);
        return;
      case "device.assigned":
        if (sessions.get(message.device.id)?.needsNewLine(message.device) === false) return;
        void release(message.device.id);
        serve(message.device);
        return;
      case "device.released":
        void release(message.deviceId);
        return;
      case "command.dispatch":
      case "command.resolve":
        take(message);
        return;
      case "mark.stored":
        sessionOf(message.commandId)?.markStored(message.commandId, message.mark);
        return;
      case "result.stored":
        sessionOf(message.commandId)?.resultStored(message.commandId);
        deviceOf.delete(message.commandId);
        return;
      case "ping":
        link.send({ type: "pong" });
        return;
      case "error":
        if (message.commandId === undefined) return;
        sessionOf(message.commandId)?.refused(message.commandId, message.code, message.message);
        return;
      case "announce.accepted":
        return;
      case "announce.rejected":
        void release(message.deviceId);
        return;
      default:
        message satisfies never;
    }
  });

  return {
    async stop() {
      stopped = true;
      await Promise.all([...sessions.values()].map((session) => session.stop()));
    },
  };
}
