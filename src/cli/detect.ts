/**
 * `fiscald detect`: looks for devices at this machine's ports or at a host. It works with and
 * without a running gateway, and asks by itself in either case: a port that the gateway has open
 * is locked, and which devices are registered is read from the database.
 */

import { Command, InvalidArgumentError, Option } from "commander";
import {
  type DetectionReport,
  type DetectionTarget,
  type DetectionWish,
  type FoundDevice,
  readDetectionWish,
} from "#core/device/detection.ts";
import { DRIVER_IDS, type DriverId } from "#core/driver-id.ts";
import { waitForStopSignal } from "../platform/signals.ts";
import { addressText } from "./address-text.ts";
import { searchDevices } from "./device-search.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { folded } from "./fitted.ts";
import { searchAdvice } from "./nothing-found.ts";
import { harmless, printJson, printLine, printTable } from "./output.ts";
import { addSettings, nextLine } from "./settings-options.ts";
import { readHost } from "./typed-address.ts";

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
  const hangUp = new AbortController();
  void waitForStopSignal().then(() => hangUp.abort());
  const { signal } = hangUp;
  const report = await searchDevices(command, { target, drivers: options.driver, signal });
  if (options.json === true) printJson(report);
  else printReport(command, report, target);
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

function readDriver(text: string, before: readonly DriverId[] = []): readonly DriverId[] {
  const driver = DRIVER_IDS.find((id) => id === text);
  if (driver === undefined) {
    throw new InvalidArgumentError(`Allowed choices are ${DRIVER_IDS.join(", ")}.`);
  }
  return [...before, driver];
}

function printReport(
  command: Command,
  { found, tried }: DetectionReport,
  target: DetectionTarget,
): void {
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
    for (const device of found) printLine(`  ${harmless(registration(command, device))}`);
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
  if (found.length > 0) return;
  printLine("");
  const inNetwork = nextLine(command, "detect", "--host", "ADDRESS");
  const elsewhere = target.transport === "tcp" ? "" : ` For one in the network: ${inNetwork}.`;
  for (const line of folded("", `No printer was found. ${searchAdvice(target)}${elsewhere}`)) {
    printLine(line);
  }
}

function registration(command: Command, found: FoundDevice): string {
  const { driver, transport, connectionParams: params, model } = found;
  const where =
    "host" in params
      ? ["--host", params.host, "--port", String(params.port)]
      : ["--address", params.address];
  const name = model === null || model === "" ? "Printer" : harmless(model);
  return nextLine(
    command,
    ...["device", "add", "--name", name, "--driver", driver],
    // Where the shop has several places, it asks for one, and names them.
    ...["--transport", transport, ...where],
  );
}
