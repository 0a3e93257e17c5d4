/** The built-in controller, and what is known through it of devices. */

import { isFinal } from "#core/command/command.ts";
import { BUILTIN_CONTROLLER, type ControllerKey } from "#core/controller/controller.ts";
import type { DetectDevices, DetectionReport, DetectionRequest } from "#core/device/detection.ts";
import { hasAddress, isSimulated } from "#core/device/device.ts";
import type { Driver } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { watchDevice } from "#drivers/transport/index.ts";
import { isLeftAt } from "#drivers/transport/left-connections.ts";
import { createInProcessChannel } from "../controller/channel.ts";
import { machineDetection } from "../controller/machine-detection.ts";
import { startController } from "../controller/runtime.ts";
import type { EventBus } from "../events/bus.ts";
import type { Controllers } from "../gateway/controllers.ts";
import { DeviceRoster } from "../gateway/device-roster.ts";
import { type RemoteSearchOptions, searchElsewhere } from "../gateway/remote-search.ts";
import type { DeviceLive } from "../modules/devices/device-state.ts";
import { machineModel, systemVersion } from "../platform/machine-model.ts";
import type { CommandQueue } from "../queue/command-queue.ts";
import { VERSION } from "../version.ts";
import type { DiskWatch } from "./disk-watch.ts";
import type { Foundation } from "./parts.ts";

/** Starts the built-in controller and gives it the devices that it should serve. */
export function startBuiltinController(foundation: Foundation, controllers: Controllers) {
  const { config, log, clock, random, stores } = foundation;
  const ends = createInProcessChannel();
  const controller = startController(ends.controller, {
    clock,
    log,
    random: (bound) => random.integer(bound),
    findDriver: (id) => foundation.drivers.get(id),
    openLine: (device, options) =>
      isSimulated(device)
        ? foundation.simulated.openLine(device, clock)
        : foundation.openLine(device, clock, options),
    watchArrival: watchDevice,
    isLeftSending: isLeftAt,
    detect: detectionHere(foundation),
    statusPollMs: config["devices.statusSeconds"] * 1_000,
    pauseLimitMs: config["commands.pauseSeconds"] * 1_000,
  });
  const roster = new DeviceRoster(stores.devices, controllers);
  const identity = {
    ...BUILTIN_CONTROLLER,
    name: "Built-in controller",
    appVersion: VERSION,
    deviceModel: machineModel(),
    osVersion: systemVersion(),
    reportsMarks: true,
  };
  // It ends with the gateway, so nobody ever takes its place.
  const channel = { send: ends.gateway.send, close() {} };
  const connection = controllers.connect(identity, roster.initial(), channel);
  ends.gateway.listen((message) => connection.receive(message));
  return {
    roster,
    async stop() {
      await controller.stop();
      connection.close(undefined, "The gateway was stopped");
    },
  };
}

/** Keeps the controllers in step with what anybody changes of devices. */
export function followDevices(bus: EventBus, controllers: Controllers, roster: DeviceRoster): void {
  bus.subscribe(({ event }) => {
    const { type } = event;
    if (type === "device.released") controllers.release(event.device.id);
    if (type === "device.updated" || type === "device.released") roster.sync();
    if (type === "device.updated") controllers.refresh(event.device.id);
    if ("command" in event && isFinal(event.command.status))
      controllers.ended(event.command.deviceId);
  });
}

/** Keeps the simulated printers to those that are registered, whoever removes one. */
export function followSimulated({ bus, stores, simulated, log }: Foundation): void {
  const registered = stores.devices.listAll().filter(isSimulated);
  simulated.keepOnly(new Set(registered.map(({ id }) => id)));
  bus.subscribe(({ event }) => {
    if (event.type !== "device.released" || !isSimulated(event.device)) return;
    const { id } = event.device;
    if (stores.devices.find(id)) return;
    const discard = async () => {
      await simulated.discard(id);
      if (stores.devices.countSimulated() === 0) await simulated.rest();
    };
    discard().catch((error: unknown) => {
      log.error("the books of a simulated printer could not be removed", { deviceId: id, error });
    });
  });
}

/** What searches for devices use. */
export interface SearchParts {
  readonly stores: RemoteSearchOptions["stores"];
  readonly clock: RemoteSearchOptions["clock"];
  readonly controllers: Pick<Controllers, "requests">;
  readonly drivers: ReadonlyMap<DriverId, Driver>;
}

/**
 * Looks for devices.
 * @param controllerId the controller that is asked to; the built-in one unless given
 */
export function searchAt(
  { stores, clock, controllers, drivers }: SearchParts,
  request: DetectionRequest,
  controllerId: string = BUILTIN_CONTROLLER.controllerId,
): Promise<DetectionReport> {
  const { orgId } = request;
  const askAt = (key: ControllerKey) => (wish: DetectionRequest) =>
    controllers.requests.detect(key, wish);
  if (controllerId === BUILTIN_CONTROLLER.controllerId || orgId === undefined)
    return askAt(BUILTIN_CONTROLLER)(request);
  const from = { orgId, controllerId };
  const tcpPorts: RemoteSearchOptions["tcpPorts"] = (wanted) => [
    ...new Set(
      [...drivers.values()]
        .filter(({ id }) => wanted === undefined || wanted.includes(id))
        .flatMap(({ detection }) => detection?.tcpPorts ?? []),
    ),
  ];
  return searchElsewhere(from, request, { stores, clock, tcpPorts, ask: askAt(from) });
}

/** What the connected controllers report of devices. */
export function liveDevices(
  controllers: Controllers,
  queue: CommandQueue,
  disk: Pick<DiskWatch, "fullSince">,
): DeviceLive {
  return {
    isHere: true,
    connectivity(deviceId) {
      const live = controllers.live(deviceId);
      const controllerOnline = controllers.controllerOf(deviceId) !== undefined;
      return {
        controllerOnline,
        wsConnected: controllerOnline && live?.link === "up",
        linkUp: live?.link === "up",
        reason: live?.reason ?? null,
        lastSeenAt: live?.lastSeenAt ?? null,
        downSince: live?.downSince,
        otherPrinter: live?.otherPrinter,
      };
    },
    controller: (deviceId) => controllers.controllerOf(deviceId),
    reading: (deviceId) => controllers.live(deviceId)?.reading,
    diskFullSince: () => disk.fullSince() ?? null,
    lateResults: (deviceId) => queue.lateResults(deviceId),
  };
}

/** Looks for devices that nobody has registered yet, and leaves alone those of every tenant. */
function detectionHere(foundation: Foundation): DetectDevices {
  const { clock, log, random, stores } = foundation;
  return machineDetection({
    clock,
    log,
    random: (bound) => random.integer(bound),
    drivers: [...foundation.drivers.values()],
    openLine: (address, options) => foundation.openLine(address, clock, options),
    registered: () => stores.devices.listAll().filter(hasAddress),
  });
}
