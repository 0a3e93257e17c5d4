/** `fiscald simulate`: devices that are not there, for trying the gateway out and for tests. */

import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { SIMULATED_MODELS } from "#core/device/simulated-models.ts";
import type { DriverId } from "#core/driver-id.ts";
import { StateFileError } from "#drivers/simulator/books/state-file.ts";
import { SimulatorError, type SimulatorOptions, startSimulator } from "#drivers/simulator/host.ts";
import { SymlinkTaken } from "#drivers/simulator/port/pty-port.ts";
import { SIMULATORS } from "#drivers/simulator/registry.ts";
import { type ListenAddress, listenAddress } from "../config/value-kinds.ts";
import { endStart } from "../platform/engine.ts";
import { machineNames } from "../platform/machine-names.ts";
import { waitForStopSignal } from "../platform/signals.ts";
import { errorCode, errorText } from "../platform/thrown.ts";
import { machineTimezone } from "../platform/timezone.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { isAddressFault, readListenAddress } from "./listen-address.ts";
import { printError, printLine } from "./output.ts";
import { type RunningSimulator, registrationText, startAll } from "./simulate-all.ts";
import { hasTerminal, paperPrinter } from "./simulate-paper.ts";

const DELAY_MS_MAX = 60_000;

interface SimulateOptions {
  readonly driver?: DriverId;
  readonly all?: true;
  readonly model?: string;
  readonly number?: string;
  readonly listen?: ListenAddress;
  readonly pty?: string;
  readonly state: string;
  readonly control?: ListenAddress;
  readonly paper?: string;
  readonly timezone: string;
  readonly delayMs: number;
  readonly show?: boolean;
}

export function simulateCommand(): Command {
  const models = Object.values(SIMULATED_MODELS).flat();
  return new Command("simulate")
    .description("run a simulated device, or one of each kind, until asked to stop")
    .addOption(
      new Option("--driver <id>", "the driver whose device it is").choices([...SIMULATORS.keys()]),
    )
    .option("--all", "instead: one device of each driver, on ports from --listen on")
    .option("--model <name>", `the model: ${models.join(", ")}`)
    .option("--number <digits>", "last digits of its serial numbers, at most 6", readNumber)
    .option("--listen <host:port>", "where it takes frames; port 0 picks one", readListenAddress)
    .option("--pty <link>", "instead: a serial port (pseudo-terminal) under this path", (path) =>
      resolve(path),
    )
    .requiredOption(
      "--state <file>",
      "required: the file that keeps its memory; with --all a folder",
    )
    .option("--control <host:port>", "where books, paper and faults are served", readListenAddress)
    .option("--paper <dir>", "folder that gets each printed document as text and picture")
    .option(
      "--timezone <zone>",
      "IANA zone that the clock of a new device is set to",
      readZone,
      // As the technician who delivers a device sets it: to what clocks in the shop show.
      machineTimezone(),
    )
    .option("--delay-ms <n>", "how long each command takes", readDelay, 0)
    .option("--show", "print the paper as it comes out; the default on a terminal")
    .option("--no-show", "do not")
    .action((options: SimulateOptions) => simulate(options));
}

async function simulate(options: SimulateOptions): Promise<void> {
  const { driver, all } = options;
  endStart();
  if (all === true && driver === undefined) await simulateAll(options);
  else if (all === undefined && driver !== undefined) await simulateOne(options, driver);
  else throw new CliFailure(EXIT.usage, "simulate takes either --driver or --all");
}

async function simulateOne(options: SimulateOptions, driver: DriverId): Promise<void> {
  const { model, number, listen, pty, control, state, paper, show = hasTerminal() } = options;
  const stopSignal = waitForStopSignal();
  const simulator = await startSimulator({
    driver,
    model,
    number,
    listen: listenOf(options),
    control,
    machineNames,
    stateFile: state,
    paperFolder: paper,
    timezone: options.timezone,
    delayMs: options.delayMs,
    onPaper: show ? paperPrinter() : undefined,
  }).catch((error) => {
    throw namedFailure(error);
  });
  const { port, controlPort } = simulator;
  printLine(
    JSON.stringify({
      msg: "simulating",
      ...(listen ? { listen: listenAddress.toPlain({ host: listen.host, port }) } : { pty }),
      ...(control && controlPort !== undefined
        ? { control: `http://${listenAddress.toPlain({ host: control.host, port: controlPort })}` }
        : {}),
    }),
  );
  await stopSignal;
  await simulator.stop();
}

async function simulateAll(options: SimulateOptions): Promise<void> {
  const { model, number, listen, pty, control, state, paper, timezone, delayMs, show } = options;
  if (model !== undefined) throw new CliFailure(EXIT.usage, "--all takes no --model");
  if (number !== undefined) throw new CliFailure(EXIT.usage, "--all takes no --number");
  if (listen && pty !== undefined) throw oneAddressOnly();
  const stopSignal = waitForStopSignal();
  const { started, failed } = await startAll(
    {
      listen,
      symlinkFolder: pty,
      control,
      stateFolder: state,
      paperFolder: paper,
      timezone,
      delayMs,
    },
    show === true,
  );
  for (const { driver, error } of failed) {
    printError(`${driver} is not simulated: ${errorText(namedFailure(error))}`);
  }
  const [first] = failed;
  if (started.length === 0 && first) throw namedFailure(first.error);
  const running = started.map(({ about }) => about);
  printLine(JSON.stringify({ msg: "simulating", devices: running.map(toPlain) }));
  printLine(registrationText(running));
  await stopSignal;
  await Promise.all(started.map(({ simulator }) => simulator.stop()));
}

function toPlain({ driver, model, at, control }: RunningSimulator): Record<string, unknown> {
  return {
    driver,
    model,
    ...("pty" in at ? at : { listen: listenAddress.toPlain(at) }),
    control,
  };
}

function listenOf({ listen, pty }: SimulateOptions): SimulatorOptions["listen"] {
  if (listen && pty === undefined) return listen;
  if (!listen && pty !== undefined) return { pty };
  throw oneAddressOnly();
}

function oneAddressOnly(): CliFailure {
  return new CliFailure(EXIT.usage, "simulate takes either --listen or --pty");
}

/** Tells what the person at the terminal can mend from defects. */
function namedFailure(error: unknown): unknown {
  if (error instanceof SimulatorError) return new CliFailure(EXIT.usage, error.message);
  if (error instanceof StateFileError) return new CliFailure(EXIT.state, error.message);
  if (error instanceof SymlinkTaken) return new CliFailure(EXIT.address, error.message);
  if (errorCode(error) === undefined || !(error instanceof Error)) return error;
  const exitCode = isAddressFault(error) ? EXIT.address : EXIT.state;
  return new CliFailure(exitCode, error.message, { cause: error });
}

function readZone(text: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw new InvalidArgumentError("It takes an IANA time zone name, as Europe/Sofia.");
  }
}

function readNumber(text: string): string {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("It takes 1 to 6 digits.");
  return text;
}

function readDelay(text: string): number {
  const ms = Number(text);
  if (!/^\d{1,5}$/.test(text) || ms > DELAY_MS_MAX) {
    throw new InvalidArgumentError(`It takes milliseconds from 0 to ${DELAY_MS_MAX}.`);
  }
  return ms;
}
