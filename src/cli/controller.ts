/** `fiscald controller`: serves the printers beside this computer for a gateway somewhere else. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { CONTROLLER_ID_PATTERN, CONTROLLER_TEXT_MAX } from "#core/limits.ts";
import { patternWords } from "#core/patterns.ts";
import { startRemoteController } from "../app/remote-controller.ts";
import { feedWatchdog } from "../app/watchdog.ts";
import { loadConfig } from "../config/load-config.ts";
import { currentSurroundings } from "../config/surroundings.ts";
import { systemClock } from "../platform/clock.ts";
import { endStart } from "../platform/engine.ts";
import { waitForStopSignal } from "../platform/signals.ts";
import { serviceManager } from "../platform/systemd.ts";
import { errorText } from "../platform/thrown.ts";
import { lineOfUser } from "../platform/user-line.ts";
import { hasService } from "../update/machine-paths.ts";
import { VERSION } from "../version.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { findGateway, showGateways } from "./find-gateway.ts";
import { endOnDefect, heedSignals, openLog, starterLog } from "./long-run.ts";
import { addSettings, configRequest } from "./settings-options.ts";
import { programLine } from "./shell-line.ts";
import { takeStateDirectory, unusableState } from "./state.ts";
import { requireItsUser } from "./state-keeper.ts";

/** Keeps the key off the command line, which every user of the machine can read. */
const KEY_VARIABLE = "FISCALD_CONTROLLER_KEY";
/** The rest of what a service is told, so that it all stands in one file. */
const URL_VARIABLE = "FISCALD_CONTROLLER_URL";
const ID_VARIABLE = "FISCALD_CONTROLLER_ID";
const NAME_VARIABLE = "FISCALD_CONTROLLER_NAME";
const LOCATION_VARIABLE = "FISCALD_CONTROLLER_LOCATION";
const CA_VARIABLE = "FISCALD_CONTROLLER_CA";
/** Of those options that are no secret. */
const VARIABLES: Readonly<Record<string, string>> = {
  "--url": URL_VARIABLE,
  "--id": ID_VARIABLE,
  "--name": NAME_VARIABLE,
  "--location": LOCATION_VARIABLE,
  "--ca": CA_VARIABLE,
};
const SERVICE = "fiscald-controller";
const SERVICE_STATE_DIR = `/var/lib/${SERVICE}`;
/** What its unit reads the environment from. */
const SERVICE_SETTINGS = "/etc/fiscald/controller.env";

interface ControllerOptions {
  readonly find?: true;
  readonly url?: URL;
  readonly key?: string;
  readonly keyFile?: string;
  readonly id?: string;
  readonly name?: string;
  readonly location?: string;
  readonly device: readonly string[];
  readonly ca?: string;
}

export function controllerCommand(): Command {
  const command = new Command("controller")
    .description("serve the printers beside this computer for a gateway somewhere else")
    .addOption(
      new Option("--url <URL>", "the gateway: https://shop.example:8443, or http, wss, ws")
        .env(URL_VARIABLE)
        .argParser(readUrl),
    )
    .addOption(
      new Option(
        "--find",
        "look for gateways in this network and show them, or with --ca use it",
      ).conflicts("url"),
    )
    .addOption(
      new Option("--key <KEY>", "API key of scope devices; better in the environment").env(
        KEY_VARIABLE,
      ),
    )
    .addOption(new Option("--key-file <FILE>", "or in a file of its own").conflicts("key"))
    .addOption(
      new Option("--id <NAME>", "what it is known by, its own among all controllers of the shop")
        .env(ID_VARIABLE)
        .argParser(readId),
    )
    .addOption(
      new Option("--name <TEXT>", "what people call it").env(NAME_VARIABLE).argParser(readName),
    )
    .addOption(
      new Option("--location <ID>", "the shop it is in").env(LOCATION_VARIABLE).argParser(readName),
    )
    .option(
      "--device <ID>",
      "a device to serve, once for each; every one that it finds unless given",
      (id: string, before: readonly string[]) => [...before, id],
      [],
    )
    .addOption(
      new Option(
        "--ca <FILE>",
        "certificate (PEM) of a private authority that signed the gateway's",
      ).env(CA_VARIABLE),
    );
  const settings = [
    ...(["state.dir", "log.level"] as const),
    ...(["devices.statusSeconds", "commands.pauseSeconds"] as const),
  ];
  return addSettings(command, settings).action(async (options: ControllerOptions) => {
    if (options.find === true && options.id === undefined) await showGateways();
    else await control(command, options);
  });
}

/** Where the gateway is, and what this controller is called: nothing goes without them. */
async function placeOf(options: ControllerOptions) {
  const { url, find, id, ca } = options;
  if (id === undefined || (url === undefined && find !== true)) throw missing(options);
  if (url !== undefined) return { url, id };
  if (ca !== undefined) return { url: await findGateway(), id };
  const message = "--find goes on only with --ca: whoever is in this network could answer to it";
  throw new CliFailure(EXIT.usage, message);
}

/** Names all at once, as whoever fills a file in needs them. */
function missing({ id, url, find, key, keyFile }: ControllerOptions): CliFailure {
  const needed = [
    [id, "--id <NAME>", ID_VARIABLE],
    [url ?? find, "--url <URL>", URL_VARIABLE],
    [key ?? keyFile, "--key-file <FILE>", KEY_VARIABLE],
  ] as const;
  const lacking = needed.filter(([given]) => given === undefined || given === "");
  const names = lacking.map(([, option, variable]) => `${option} (${variable})`).join(", ");
  const where = `for the service, fill in the variables in ${SERVICE_SETTINGS}`;
  return new CliFailure(EXIT.usage, `it has to be told ${names}; ${where}`);
}

async function control(command: Command, options: ControllerOptions): Promise<void> {
  const { url, id } = await placeOf(options);
  const logSignals = heedSignals();
  const { config } = loadConfig(configRequest(command));
  const gateway = {
    ...{ url, key: keyOf(options), controllerId: id },
    authority: options.ca === undefined ? undefined : readText(options.ca),
  };
  const stateDir = config["state.dir"];
  requireItsUser(stateDir, startLineAs(stateDir));
  const lock = takeStateDirectory(stateDir);
  try {
    const log = openLog(config);
    logSignals(log);
    endOnDefect(log);
    const stopSignal = waitForStopSignal();
    const { name, location: locationId, device: devices } = options;
    const controller = start({ config, log, gateway, name, locationId, devices });
    endStart();
    starterLog().info("controlling", { version: VERSION, controllerId: id, stateDir });
    const service = serviceManager(currentSurroundings());
    service?.ready(`serves printers for ${url}`);
    const status = "serves printers";
    const look = async () => ({ isWell: true, status });
    const endFeeding = service && feedWatchdog(service, systemClock, look);
    const signal = await stopSignal;
    endFeeding?.();
    service?.stopping();
    log.info("stopping", { signal });
    await controller.stop();
    log.info("stopped");
  } finally {
    lock.release();
  }
}

function startLineAs(stateDir: string): (keeper: string) => string[] {
  if (resolve(stateDir) === SERVICE_STATE_DIR && hasService(SERVICE)) {
    return () => [lineOfUser("root", ["systemctl", "start", SERVICE])];
  }
  return (keeper) => [programLine(keeper, typedWords(), [KEY_VARIABLE])];
}

/** What was typed, with what the environment has set, and without a key: whoever lists processes reads it. */
function typedWords(): string[] {
  const { environment } = currentSurroundings();
  const typed = process.argv.slice(2);
  const isTyped = (flag: string) =>
    typed.some((word) => word === flag || word.startsWith(`${flag}=`));
  const words = typed.flatMap((word, index) => {
    if (word === "--key" || typed[index - 1] === "--key") return [];
    return word.startsWith("--key=") ? [] : [word];
  });
  for (const [flag, variable] of Object.entries(VARIABLES)) {
    const value = environment[variable];
    if (value && !isTyped(flag)) words.push(flag, value);
  }
  return isTyped("--key") ? [...words, "--key-file", "FILE"] : words;
}

function start(options: Parameters<typeof startRemoteController>[0]) {
  try {
    return startRemoteController(options);
  } catch (error) {
    throw unusableState(options.config["state.dir"], error);
  }
}

function keyOf(options: ControllerOptions): string {
  const { key, keyFile } = options;
  const text = (keyFile === undefined ? (key ?? "") : readText(keyFile)).trim();
  if (text !== "") return text;
  if (keyFile !== undefined) throw new CliFailure(EXIT.usage, `${keyFile} holds no API key`);
  throw missing(options);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = errorText(error);
    throw new CliFailure(EXIT.usage, `${file} cannot be read: ${reason}`, { cause: error });
  }
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  const isFit = url !== null && /^(http|ws)s?:$/.test(url.protocol) && url.search === "";
  if (!isFit || url.username !== "") {
    throw new InvalidArgumentError("It takes an address such as https://shop.example:8443.");
  }
  return url;
}

function readId(text: string): string {
  if (!new RegExp(CONTROLLER_ID_PATTERN).test(text)) {
    throw new InvalidArgumentError(`It takes ${patternWords(CONTROLLER_ID_PATTERN)}.`);
  }
  return text;
}

function readName(text: string): string {
  if (text === "" || text.length > CONTROLLER_TEXT_MAX) {
    throw new InvalidArgumentError(`It takes 1 to ${CONTROLLER_TEXT_MAX} characters.`);
  }
  return text;
}
