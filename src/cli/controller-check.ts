/** `fiscald controller-check`: tries a controller that somebody wrote against the protocol. */

import { Command, InvalidArgumentError, Option } from "commander";
import { type ListenAddress, listenAddress } from "../config/value-kinds.ts";
import { checkController, type ScenarioOutcome } from "../controller-check/check.ts";
import { endStart } from "../platform/engine.ts";
import { machineNames } from "../platform/machine-names.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { folded } from "./fitted.ts";
import { isAddressFault, readListenAddress } from "./listen-address.ts";
import { printLine } from "./output.ts";

const PATIENCE_SECONDS = 300;
const MS_PER_SECOND = 1_000;

interface CheckOptions {
  readonly listen: ListenAddress;
  readonly host?: string;
  readonly patience: number;
  readonly json?: true;
}

/** Nobody but its author can end the controller's process. */
const NOT_TRIED =
  "Not tried: the end of your controller's process. Kill it while a receipt prints, start it again, " +
  "and see that it reports what became of it: marks and results have to be on its disk.";

export function controllerCheckCommand(): Command {
  return new Command("controller-check")
    .description("try a controller that you wrote: a scripted gateway and a simulated printer")
    .addOption(
      new Option("--listen <HOST:PORT>", "where it waits for the controller")
        .argParser(readListenAddress)
        .default({ host: "0.0.0.0", port: 8090 }, "0.0.0.0:8090"),
    )
    .option("--host <HOST>", "this machine, as the controller reaches it; found unless given")
    .addOption(
      new Option("--patience <SECONDS>", "how long to wait for the controller")
        .argParser(readSeconds)
        .default(PATIENCE_SECONDS),
    )
    .option("--json", "print JSON lines")
    .action((options: CheckOptions) => check(options));
}

async function check(options: CheckOptions): Promise<void> {
  endStart();
  const { listen, patience, json } = options;
  const host = options.host ?? ownHost(listen.host);
  const outcomes: ScenarioOutcome[] = [];
  const end = await checkController({
    ...{ listen, host, patienceMs: patience * MS_PER_SECOND },
    listening: (port) => {
      const url = `http://${String(listenAddress.toPlain({ host, port }))}`;
      if (json === true) printLine(JSON.stringify({ msg: "waiting", url }));
      else introduce(url);
    },
    told: (outcome) => {
      outcomes.push(outcome);
      if (json !== true) show(outcome);
    },
  }).catch((error: unknown) => {
    if (!isAddressFault(error)) throw error;
    throw new CliFailure(EXIT.address, error.message, { cause: error });
  });
  const passed = end === "passed";
  if (json === true) printLine(JSON.stringify({ msg: "checked", passed, outcomes }));
  else for (const line of folded("", NOT_TRIED)) printLine(line);
  if (passed) return;
  const what =
    end === "nobody" ? "no controller came" : "the controller does not keep to the protocol";
  throw new CliFailure(EXIT.attention, what);
}

function introduce(url: string): void {
  printLine(`Point the controller at ${url} with any key. It is waited for.`);
  printLine("It is given one device, a simulated printer, and has to leave it idle meanwhile.");
  printLine("");
}

function show({ name, rule, failure, isTried }: ScenarioOutcome): void {
  if (!isTried) {
    for (const line of folded("not tried  ", name)) printLine(line);
    for (const line of folded("        because: ", failure ?? "")) printLine(line);
    return;
  }
  const isGood = failure === undefined;
  for (const line of folded(isGood ? "ok      " : "FAILED  ", name)) printLine(line);
  if (isGood) return;
  for (const line of folded("        asked for: ", rule)) printLine(line);
  for (const line of folded("        but: ", failure)) printLine(line);
}

/** The first address of the machine, where it listens at all of them. */
function ownHost(host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return host;
  const { addresses } = machineNames();
  return addresses.find((one) => /^\d+\./.test(one) && !one.startsWith("127.")) ?? "127.0.0.1";
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d{1,5}$/.test(text) || seconds < 1) {
    throw new InvalidArgumentError("It takes seconds from 1 to 99999.");
  }
  return seconds;
}
