/** The built-in controller, and what is known through it of devices. */

import type { DetectDevices } from "#core/device/detection.ts";
import { BUILTIN_CONTROLLER_ID } from "#core/device/device.ts";
import { watchDevice } from "#drivers/transport/index.ts";
import { createInProcessLink } from "../controller/link.ts";
import { machineDetection } from "../controller/machine-detection.ts";
import { startController } from "../controller/runtime.ts";
import { DeviceRoster } from "../gateway/device-roster.ts";
import type { ControllerRegistry } from "../gateway/registry.ts";
import type { DeviceLive } from "../modules/devices/service.ts";
import type { CommandQueue } from "../queue/command-queue.ts";
import { VERSION } from "../version.ts";
import type { Foundation } from "./parts.ts";

/** Starts the built-in controller and gives it the devices that it should serve. */
export function startBuiltinController(foundation: Foundation, registry: ControllerRegistry) {
  const { config, log, clock, random, stores } = foundation;
  const link = createInProcessLink();
  const controller = startController(link.controller, {
    clock,
    log,
    random: (bound) => random.integer(bound),
    findDriver: (id) => foundation.drivers.get(id),
    openLine: (device, options) => foundation.openLine(device, clock, options),
    watchArrival: watchDevice,
    statusPollMs: config["devices.statusSeconds"] * 1_000,
    pauseLimitMs: config["commands.pauseSeconds"] * 1_000,
  });
  const roster = new DeviceRoster(stores.devices, registry);
  const identity = {
    controllerId: BUILTIN_CONTROLLER_ID,
    name: "Built-in controller",
    appVersion: VERSION,
    deviceModel: process.arch,
    osVersion: process.platform,
  };
  const session = registry.connect(identity, roster.initial(), link.gateway.send);
  link.gateway.listen((message) => session.receive(message));
  return {
    roster,
    controller,
    async stop() {
      await controller.stop();
      session.close();
    },
  };
}

/** What the connected controllers report of devices. */
export function liveDevices(registry: ControllerRegistry, queue: CommandQueue): DeviceLive {
  return {
    isHere: true,
    connectivity(deviceId) {
      const live = registry.live(deviceId);
      const controllerOnline = registry.controllerOf(deviceId) !== undefined;
      return {
        controllerOnline,
        wsConnected: controllerOnline,
        linkUp: live?.link === "up",
        lastSeenAt: live?.lastSeenAt ?? null,
      };
    },
    reading: (deviceId) => registry.live(deviceId)?.reading,
    lateResultAt: (deviceId) => queue.lateResultAt(deviceId),
  };
}

/** Looks for devices that nobody has registered yet, and leaves alone those of every tenant. */
export function deviceDetection(foundation: Foundation): DetectDevices {
  const { clock, log, random, stores, stopping } = foundation;
  const detect = machineDetection({
    clock,
    log,
    random: (bound) => random.integer(bound),
    drivers: [...foundation.drivers.values()],
    openLine: (place) => foundation.openLine(place, clock),
    registered: () => stores.devices.listAll(),
  });
  return (request) => detect({ ...request, signal: AbortSignal.any([request.signal, stopping]) });
}
