/** `fiscald simulate`: a device that is not there, for trying the gateway out and for tests. */

import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import type { DriverId } from "#core/driver.ts";
import { SimulatorError, type SimulatorOptions, startSimulator } from "#drivers/simulator/host.ts";
import { LinkTaken } from "#drivers/simulator/pty-port.ts";
import { SIMULATORS } from "#drivers/simulator/registry.ts";
import { StateFileError } from "#drivers/simulator/state-file.ts";
import { type ListenAddress, listenAddress } from "../config/value-kinds.ts";
import { waitForStopSignal } from "../platform/signals.ts";
import { CliFailure, EXIT, errorCode } from "./exit.ts";
import { printLine } from "./output.ts";

const DELAY_MS_MAX = 60_000;

interface SimulateOptions {
  readonly driver: DriverId;
  readonly model?: string;
  readonly listen?: ListenAddress;
  readonly pty?: string;
  readonly state: string;
  readonly control?: ListenAddress;
  readonly paper?: string;
  readonly delayMs: number;
}

export function simulateCommand(): Command {
  const models = [...SIMULATORS.values()].flatMap((family) => [...family.models.keys()]);
  return new Command("simulate")
    .description("run a simulated device until asked to stop")
    .addOption(
      new Option("--driver <id>", "the driver whose device it is")
        .choices([...SIMULATORS.keys()])
        .makeOptionMandatory(),
    )
    .option("--model <name>", `the model: ${models.join(", ")}`)
    .option("--listen <host:port>", "where it takes frames; port 0 picks one", readAddress)
    .option("--pty <link>", "instead: a serial port (pseudo-terminal) under this path", (link) =>
      resolve(link),
    )
    .requiredOption("--state <file>", "the file that keeps its memory")
    .option("--control <host:port>", "where books, paper and faults are served", readAddress)
    .option("--paper <dir>", "folder that gets each printed document as a text file")
    .option("--delay-ms <n>", "how long each command takes", readDelay, 0)
    .action((options: SimulateOptions) => simulate(options));
}

async function simulate(options: SimulateOptions): Promise<void> {
  const stopSignal = waitForStopSignal();
  const simulator = await startSimulator(optionsOf(options)).catch((error) => {
    throw namedFailure(error);
  });
  const { listen, pty, control } = options;
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

function optionsOf(options: SimulateOptions): SimulatorOptions {
  const { driver, model, control, state, paper, delayMs } = options;
  const listen = placeOf(options);
  return { driver, model, listen, control, stateFile: state, paperFolder: paper, delayMs };
}

function placeOf({ listen, pty }: SimulateOptions): SimulatorOptions["listen"] {
  if (listen && pty === undefined) return listen;
  if (!listen && pty !== undefined) return { pty };
  throw new CliFailure(EXIT.usage, "simulate takes either --listen or --pty");
}

/** Tells what the person at the terminal can mend from defects. */
function namedFailure(error: unknown): unknown {
  if (error instanceof SimulatorError) return new CliFailure(EXIT.usage, error.message);
  if (error instanceof StateFileError) return new CliFailure(EXIT.state, error.message);
  if (error instanceof LinkTaken) return new CliFailure(EXIT.address, error.message);
  const code = errorCode(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const isAddress = code === "EADDRINUSE" || code === "EADDRNOTAVAIL";
  return new CliFailure(isAddress ? EXIT.address : EXIT.state, error.message, { cause: error });
}

function readAddress(text: string): ListenAddress {
  const address = listenAddress.fromText(text);
  if (!address) throw new InvalidArgumentError(`It takes ${listenAddress.accepts}.`);
  return address;
}

function readDelay(text: string): number {
  const ms = Number(text);
  if (!/^\d{1,5}$/.test(text) || ms > DELAY_MS_MAX) {
    throw new InvalidArgumentError(`It takes milliseconds from 0 to ${DELAY_MS_MAX}.`);
  }
  return ms;
}
