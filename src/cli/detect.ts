/**
 * `fiscald detect`: looks for devices at this machine's ports or at a host. It works with and
 * without a running gateway, and asks by itself in either case: a port that the gateway has open
 * is locked, and which devices are registered is read from the database.
 */

import { existsSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import {
  type DetectionProgress,
  type DetectionReport,
  type DetectionTarget,
  type DetectionWish,
  type DeviceAddress,
  type FoundDevice,
  readDetectionWish,
} from "#core/device/detection.ts";
import { DRIVER_IDS, type DriverId } from "#core/driver-id.ts";
import { createDrivers } from "#drivers/registry.ts";
import { loadProfiles } from "../app/profile-files.ts";
import { stateFiles } from "../config/state-files.ts";
import type { RegisteredDevice } from "../controller/detector-environment.ts";
import { machineDetection } from "../controller/machine-detection.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createRandom } from "../platform/random.ts";
import { waitForStopSignal } from "../platform/signals.ts";
import { withBox } from "./box.ts";
import { CliFailure, EXIT } from "./exit.ts";
import {
  harmless,
  printError,
  printErrorText,
  printJson,
  printLine,
  printTable,
} from "./output.ts";
import { addSettings, loadSettings } from "./settings-options.ts";
import { shellLine } from "./shell-line.ts";

interface DetectOptions {
  readonly host?: DetectionWish;
  readonly port?: string;
  readonly bluetooth?: string;
  readonly driver?: readonly DriverId[];
  readonly json?: true;
}

export function detectCommand(): Command {
  const command = new Command("detect")
    .description("look for devices: at every serial port, or where you say")
    .addOption(
      new Option("--host <HOST[:PORT]>", "at a host; without a port at those that devices use")
        .argParser(readHost)
        .conflicts(["port", "bluetooth"]),
    )
    .addOption(
      new Option(
        "--port <ADDRESS>",
        "at one serial port: device path, ?baud= where known",
      ).conflicts("bluetooth"),
    )
    .option("--bluetooth <ADDRESS>", "at a Bluetooth address: AA:BB:CC:DD:EE:FF")
    .addOption(
      new Option("--driver <ID>", "ask with this driver; more than once for more")
        .choices(DRIVER_IDS)
        .argParser(readDriver),
    )
    .option("--json", "print JSON");
  addSettings(command, ["state.dir"]);
  return command.action((options: DetectOptions) => detect(command, options));
}

async function detect(command: Command, options: DetectOptions): Promise<void> {
  const target = targetOf(options);
  const registered = await registeredDevices(command);
  const hangUp = new AbortController();
  void waitForStopSignal().then(() => hangUp.abort());
  const random = createRandom(systemClock);
  const log = createLog({ level: "silent", clock: systemClock });
  const { profiles } = stateFiles(loadSettings(command).config["state.dir"]);
  const search = machineDetection({
    clock: systemClock,
    log,
    drivers: [...createDrivers({ customProfiles: loadProfiles(profiles, log) }).values()],
    random: (bound) => random.integer(bound),
    registered: () => registered,
  });
  const progress = new ProgressLine(process.stderr.isTTY === true);
  const report = await search({
    target,
    drivers: options.driver,
    signal: hangUp.signal,
    onProgress: (step) => progress.show(step),
  });
  progress.clear();
  if (options.json === true) printJson(report);
  else printReport(report);
}

function targetOf({ host, port, bluetooth }: DetectOptions): DetectionTarget {
  const address = port ?? bluetooth;
  const reading = readDetectionWish(
    host ?? {
      transport: bluetooth === undefined ? "serial" : "bluetooth",
      ...(address === undefined ? {} : { address }),
    },
  );
  if ("target" in reading) return reading.target;
  const faults = reading.issues.map(({ path, message }) => `${path}: ${message}`);
  throw new CliFailure(EXIT.usage, faults.join("\n  "));
}

/** The devices whose lines are left alone. */
async function registeredDevices(command: Command): Promise<readonly RegisteredDevice[]> {
  const stateDir = loadSettings(command).config["state.dir"];
  if (existsSync(stateFiles(stateDir).database)) {
    return withBox(command, ({ stores }) => stores.devices.listAll());
  }
  printError(
    `there is no database in ${stateDir}, so registered devices are not known to be left alone; ` +
      "where a gateway runs, name its --state-dir",
  );
  return [];
}

/** `HOST`, `HOST:PORT` or `[IPv6]:PORT`; several colons without brackets are an IPv6 address. */
function readHost(text: string): DetectionWish {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? (/^[^[\]]*:.*:/.test(text) ? text : undefined);
  if (host === undefined) throw new InvalidArgumentError("It takes HOST or HOST:PORT.");
  return { transport: "tcp", host, ...(port === undefined ? {} : { port: Number(port) }) };
}

function readDriver(text: string, before: readonly DriverId[] = []): readonly DriverId[] {
  const driver = DRIVER_IDS.find((id) => id === text);
  if (driver === undefined) {
    throw new InvalidArgumentError(`Allowed choices are ${DRIVER_IDS.join(", ")}.`);
  }
  return [...before, driver];
}

/** Of a terminal that does not tell its width. */
const COLUMNS = 80;

/** What is being asked, in one line that is written over; only where somebody looks at it. */
class ProgressLine {
  readonly #isSeen: boolean;

  constructor(isSeen: boolean) {
    this.#isSeen = isSeen;
  }

  show({ driver, done, total, ...address }: DetectionProgress): void {
    const text = harmless(`${done + 1}/${total}  ${driver}  ${addressText(address)}`);
    // A line that is folded could not be written over.
    this.#write(text.slice(0, (process.stderr.columns || COLUMNS) - 1));
  }

  clear(): void {
    this.#write("");
  }

  #write(text: string): void {
    if (this.#isSeen) printErrorText(`\r\u001b[K${text}`);
  }
}

function printReport({ found, tried }: DetectionReport): void {
  if (found.length > 0) {
    printTable([
      ["DRIVER", "MODEL", "SERIAL", "FISCAL MEMORY", "FIRMWARE", "CONNECTION"],
      ...found.map((device) => [
        device.driver,
        device.model ?? "-",
        device.serialNumber ?? "-",
        device.fiscalMemorySerialNumber ?? "-",
        device.firmwareVersion ?? "-",
        addressText(device),
      ]),
    ]);
    printLine("");
    printLine("Register with:");
    for (const device of found) printLine(`  ${harmless(registration(device))}`);
    printLine("");
  }
  if (tried.length === 0) {
    printLine("There is no serial port on this machine: name a host with --host.");
    return;
  }
  printTable([
    ["TRIED", "OUTCOME", "REASON"],
    ...tried.map((address) => [addressText(address), address.outcome, address.reason]),
  ]);
}

function addressText({ connectionParams: params }: DeviceAddress): string {
  return "host" in params ? `${params.host}:${params.port}` : params.address;
}

function registration({ driver, transport, connectionParams: params, model }: FoundDevice): string {
  const where =
    "host" in params
      ? ["--host", params.host, "--port", String(params.port)]
      : ["--address", params.address];
  const name = model === null || model === "" ? "Printer" : harmless(model);
  return shellLine([
    ...["fiscald", "device", "add", "--name", name, "--driver", driver],
    ...["--transport", transport, "--location", "LOCATION", ...where],
  ]);
}
