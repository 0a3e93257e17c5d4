/** One simulated device of each driver in one process, and how to register them. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DriverId } from "#core/driver-id.ts";
import { PORT_MAX } from "#core/limits.ts";
import { type Simulator, startSimulator } from "#drivers/simulator/host.ts";
import { SIMULATORS } from "#drivers/simulator/registry.ts";
import { type ListenAddress, listenAddress } from "../config/value-kinds.ts";
import { machineNames } from "../platform/machine-names.ts";
import { quoted, shellLine } from "../platform/user-line.ts";
import { programWords } from "./shell-line.ts";
import { documentPrinter } from "./simulate-paper.ts";

export interface AllOptions {
  /** The first device's address, the others on the ports behind it; port 0 picks free ones. */
  readonly listen: ListenAddress | undefined;
  /** Instead: a folder that gets a symlink to a serial port for each device. */
  readonly symlinkFolder: string | undefined;
  /** As `listen`, for the control ports. */
  readonly control: ListenAddress | undefined;
  readonly stateFolder: string;
  readonly paperFolder: string | undefined;
  readonly timezone: string;
  readonly delayMs: number;
}

/** What a person at a simulated device wants to know of it. */
export interface RunningSimulator {
  readonly driver: DriverId;
  readonly model: string;
  readonly at: ListenAddress | { readonly pty: string };
  /** URL of its control port. */
  readonly control: string;
}

interface StartedSimulators {
  readonly started: readonly { readonly about: RunningSimulator; readonly simulator: Simulator }[];
  readonly failed: readonly { readonly driver: DriverId; readonly error: unknown }[];
}

const ANYWHERE_FREE: ListenAddress = { host: "127.0.0.1", port: 0 };

/**
 * Starts the default model of every driver. One that cannot start does not keep the others back.
 * @param show print each document once it is finished
 * @throws the error of the file system when a folder cannot be made
 */
export async function startAll(options: AllOptions, show: boolean): Promise<StartedSimulators> {
  mkdirSync(options.stateFolder, { recursive: true });
  if (options.symlinkFolder !== undefined) mkdirSync(options.symlinkFolder, { recursive: true });
  const drivers = [...SIMULATORS.keys()];
  const results = await Promise.allSettled(
    drivers.map((driver, index) => startOne(driver, { options, index, show })),
  );
  return {
    started: results.flatMap((result) => (result.status === "fulfilled" ? result.value : [])),
    failed: results.flatMap((result, index) => {
      const driver = drivers[index];
      if (result.status === "fulfilled" || driver === undefined) return [];
      return { driver, error: result.reason };
    }),
  };
}

interface Turn {
  readonly options: AllOptions;
  /** Which of the devices it is, from 0. */
  readonly index: number;
  readonly show: boolean;
}

async function startOne(driver: DriverId, { options, index, show }: Turn) {
  const { symlinkFolder, stateFolder, paperFolder, timezone, delayMs } = options;
  const listen = shifted(options.listen ?? ANYWHERE_FREE, index);
  const control = shifted(options.control ?? ANYWHERE_FREE, index);
  const pty = symlinkFolder === undefined ? undefined : join(symlinkFolder, driver);
  const simulator = await startSimulator({
    driver,
    listen: pty === undefined ? listen : { pty },
    control,
    machineNames,
    stateFile: join(stateFolder, `${driver}.state`),
    paperFolder: paperFolder === undefined ? undefined : join(paperFolder, driver),
    timezone,
    delayMs,
    onPaper: show ? documentPrinter(driver) : undefined,
  });
  const controlPort = simulator.controlPort ?? control.port;
  const about: RunningSimulator = {
    driver,
    model: simulator.model,
    at: pty === undefined ? { host: listen.host, port: simulator.port } : { pty },
    control: `http://${listenAddress.toPlain({ host: control.host, port: controlPort })}`,
  };
  return { about, simulator };
}

/** The address of the `index`-th device from a first one. */
function shifted({ host, port }: ListenAddress, index: number): ListenAddress {
  // A port beyond the last is left to the system to refuse, for this device alone.
  return { host, port: port === 0 ? 0 : Math.min(port + index, PORT_MAX) };
}

/** Lines to paste into a shell that register the devices, at the machine or over the API. */
export function registrationText(running: readonly RunningSimulator[]): string {
  return [
    "",
    ...running.map(
      ({ driver, model, control }) => `# ${driver} ${model}: paper and faults at ${control}/`,
    ),
    "",
    "# Register them at the machine of the gateway; its state, where not in ./state, is named by",
    "# export FISCALD_STATE_DIR=...",
    `# The plan free takes two devices: ${shellLine([...programWords(), "plan", "enterprise"])}`,
    ...running.map(addLine),
    "",
    "# Or over the API, with a key for `devices`:",
    "api=http://127.0.0.1:8080/api/v1 key=svc_live_...",
    ...running.map(postLine),
  ].join("\n");
}

function addLine(simulator: RunningSimulator): string {
  const { name, driver, transport, locationId, connectionParams } = registrationOf(simulator);
  const words = ["device", "add", "--name", name, "--driver", driver, "--transport", transport];
  const where = Object.entries(connectionParams).flatMap(([key, value]) => [
    `--${key}`,
    String(value),
  ]);
  return shellLine([...programWords(), ...words, "--location", locationId, ...where]);
}

function postLine(simulator: RunningSimulator): string {
  const body = quoted(JSON.stringify(registrationOf(simulator)));
  return `curl -s "$api/devices" -H "x-api-key: $key" -H "content-type: application/json" -d ${body}`;
}

/** The body of `POST /devices`. */
function registrationOf({ driver, model, at }: RunningSimulator) {
  const name = `Simulated ${driver} ${model}`;
  const where =
    "pty" in at
      ? { transport: "serial", connectionParams: { address: at.pty } }
      : { transport: "tcp", connectionParams: { host: reachable(at.host), port: at.port } };
  return { name, driver, locationId: "shop", ...where };
}

/** A device that listens on all addresses is reached at the machine's own. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}
