/** A controller in a process of its own: the printers beside it, for a gateway somewhere else. */

import type { CommandResult } from "#core/command/command.ts";
import { hasAddress } from "#core/device/device.ts";
import { openKeptResults } from "#db/kept-results.ts";
import { createDrivers } from "#drivers/registry.ts";
import { openLine, watchDevice } from "#drivers/transport/index.ts";
import { isLeftAt } from "#drivers/transport/left-connections.ts";
import { stateFiles } from "../config/state-files.ts";
import type { Config } from "../config.ts";
import { machineDetection } from "../controller/machine-detection.ts";
import type { ResultKeeper } from "../controller/result-keeper.ts";
import { startController } from "../controller/runtime.ts";
import { systemClock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { machineModel, systemVersion } from "../platform/machine-model.ts";
import { createRandom } from "../platform/random.ts";
import { DeviceFinder } from "../remote/device-finder.ts";
import { GatewayLink } from "../remote/gateway-link.ts";
import { type GatewayAddress, gatewayPlace } from "../remote/gateway-place.ts";
import { listDevices } from "../remote/gateway-requests.ts";
import { VERSION } from "../version.ts";
import { loadProfiles } from "./profile-files.ts";

export interface RemoteControllerOptions {
  readonly config: Pick<Config, "state.dir" | "devices.statusSeconds" | "commands.pauseSeconds">;
  readonly log: Log;
  readonly gateway: Omit<GatewayAddress, "about">;
  /** For people who look for it among several. */
  readonly name: string | undefined;
  readonly locationId: string | undefined;
  /** The devices to serve; every one that it finds beside it when empty. */
  readonly devices: readonly string[];
}

export interface RemoteController {
  /** Closes every line and the connection; commands under way stay as their marks say. */
  stop(): Promise<void>;
}

/**
 * Starts it. It connects when it can, and again whenever the connection ends.
 * @throws whatever SQLite throws when the file of results cannot be used
 */
export function startRemoteController(options: RemoteControllerOptions): RemoteController {
  const { config, log, name, locationId } = options;
  const clock = systemClock;
  const random = createRandom(clock);
  const draw = (bound: number) => random.integer(bound);
  const files = stateFiles(config["state.dir"]);
  const drivers = createDrivers({ customProfiles: loadProfiles(files.profiles, log) });
  const kept = openKeptResults(files.controllerResults);
  const place = gatewayPlace({
    ...options.gateway,
    about: {
      ...(name === undefined ? {} : { name }),
      ...(locationId === undefined ? {} : { locationId }),
      ...{ appVersion: VERSION, deviceModel: machineModel(), osVersion: systemVersion() },
    },
  });
  const link = new GatewayLink({ place, clock, log, random: draw });
  const detect = machineDetection({
    ...{ clock, log, random: draw, drivers: [...drivers.values()] },
    // What is served here is used from here, whoever else could manage it.
    registered: () =>
      finder.served.filter(hasAddress).map((device) => ({ ...device, managedBy: "builtin" })),
  });
  const finder = new DeviceFinder({
    ...{ channel: link, clock, log, detect, wanted: options.devices },
    listDevices: () => listDevices(place),
  });
  const channel = {
    get isConnected() {
      return link.isConnected;
    },
    send: link.send.bind(link),
    listen: (listener: Parameters<typeof link.listen>[0]) =>
      link.listen((message) => {
        finder.hear(message);
        listener(message);
      }),
  };
  const controller = startController(channel, {
    ...{ clock, log, random: draw, detect },
    findDriver: (id) => drivers.get(id),
    openLine: (device, lineOptions) => openLine(device, clock, lineOptions),
    watchArrival: watchDevice,
    isLeftSending: isLeftAt,
    results: keeperOf(kept, () => clock.now()),
    statusPollMs: config["devices.statusSeconds"] * 1_000,
    pauseLimitMs: config["commands.pauseSeconds"] * 1_000,
  });
  link.start();
  return {
    async stop() {
      finder.stop();
      await controller.stop();
      link.stop();
      kept.close();
    },
  };
}

function keeperOf(kept: ReturnType<typeof openKeptResults>, now: () => number): ResultKeeper {
  return {
    all: () =>
      kept.all().map((row) => {
        // As it was kept here.
        const result: CommandResult = JSON.parse(row.result);
        return { ...row, result };
      }),
    keep: (one) => kept.keep({ ...one, result: JSON.stringify(one.result) }, now()),
    answered: (commandId, answered) => kept.answered(commandId, answered),
    forget: (commandId) => kept.forget(commandId),
  };
}
