/** `fiscald backup`: makes a backup beside a running gateway or without one, or lists them. */

import { Command, Option } from "commander";
import { type KeptBackup, listBackups, noteOutcome, readOutcome } from "../backup/kept-backups.ts";
import { type MadeBackup, makeBackup, StateUnfit } from "../backup/make-backup.ts";
import { BackupDamaged } from "../backup/open-backup.ts";
import { hasPassphrase, passphraseFileOf } from "../backup/passphrase.ts";
import { backupFolder, PlaceUnusable, readableSize, readyFolder } from "../backup/place.ts";
import { roomAt } from "../backup/place-view.ts";
import { findUsbSticks, type UsbStick } from "../backup/usb-sticks.ts";
import { BackupUnderWay } from "../backup/work-folder.ts";
import { makePrivateFiles } from "../config/private-state.ts";
import { stateFiles } from "../config/state-files.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { stepBack } from "../platform/priority.ts";
import { withoutKeysOf } from "../platform/shell-keys.ts";
import { runShopCommand } from "../platform/shop-command.ts";
import { waitForStopSignal } from "../platform/signals.ts";
import { errorText, isSystemError } from "../platform/thrown.ts";
import { userName } from "../platform/user-name.ts";
import { VERSION } from "../version.ts";
import { shopTimezone } from "./box.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { localTime } from "./local-time.ts";
import { counted, printErrorText, printJson, printLine, printTable } from "./output.ts";
import { readPassphrase } from "./passphrase.ts";
import { putTlsBackCure } from "./put-tls-back.ts";
import { settingsOfState } from "./service-state.ts";
import { addSettings } from "./settings-options.ts";
import { requireDatabase } from "./state.ts";
import { requireItsUser } from "./state-keeper.ts";

interface BackupOptions {
  readonly to?: string;
  readonly list?: true;
  readonly passphraseStdin?: true;
  readonly nightly?: true;
  readonly json?: true;
}

/** Whoever prints a receipt meanwhile comes first. */
const NICENESS = 10;
/** The shop's command takes a backup elsewhere, over a line that may be slow. */
const COMMAND_LIMIT_MS = 6 * 3_600_000;

export function backupCommand(): Command {
  const command = new Command("backup")
    .description("make an encrypted backup, also while the gateway runs, and verify it")
    .option("--to <PLACE>", "the same as --backup-to; keeps all that lie there")
    .option("--list", "show the backups there, and the USB sticks of this machine")
    .option("--passphrase-stdin", "read the passphrase from the standard input")
    // What the gateway makes by itself is counted apart from what a person has made.
    .addOption(new Option("--nightly", "as the gateway does by itself").hideHelp())
    .option("--json", "print JSON");
  addSettings(command, [
    ...(["state.dir", "backup.to", "backup.passphraseFile", "backup.keep"] as const),
    ...(["backup.command", "backup.workFactor"] as const),
  ]);
  return command.action(async (options: BackupOptions) => {
    const { config } = settingsOfState(command);
    if (options.list === true) list(config, options, await shopTimezone(command));
    else await backUp(command, config, options);
  });
}

async function backUp(command: Command, config: Config, options: BackupOptions): Promise<void> {
  const stateDir = config["state.dir"];
  requireDatabase(command, stateDir);
  requireItsUser(stateDir);
  const passphrase = await readPassphrase({
    file: hasPassphrase(config) ? passphraseFileOf(config) : "",
    fromStdin: options.passphraseStdin === true,
    as: "new",
  });
  makePrivateFiles();
  stepBack(NICENESS);
  const isUsual = placeOf(config, options) === config["backup.to"];
  const made = await named(() =>
    makeBackup({
      stateDir,
      folder: readyFolder(backupFolder(placeOf(config, options), stateDir), stateDir),
      encryption: { passphrase, workFactor: config["backup.workFactor"] },
      isByHand: options.nightly !== true,
      isOwnAuthority: config["https.certificate"] === "own",
      isUsual,
      // What a person asked for elsewhere is that person's.
      ...(options.to === undefined ? { keepDays: config["backup.keep"] } : {}),
      version: VERSION,
      now: () => systemClock.now(),
    }),
  );
  if (config["backup.command"] !== "") await handOver(config, made.file);
  // As after one that the gateway makes there.
  if (isUsual && readOutcome(stateDir).failed !== null) noteOutcome(stateDir, { failed: null });
  if (options.json === true) printJson(asJson(made));
  else tell(made);
  if (made.lacksAuthority) tellLacking(config);
}

function placeOf(config: Config, { to }: BackupOptions): string {
  return to ?? config["backup.to"];
}

/** Gives failures that are no defects their exit code. */
async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isKnown =
      error instanceof PlaceUnusable ||
      error instanceof BackupUnderWay ||
      error instanceof StateUnfit ||
      error instanceof BackupDamaged;
    if (!isKnown && !isSystemError(error)) throw error;
    throw new CliFailure(EXIT.state, `no backup was made: ${error.message}`, { cause: error });
  }
}

/** @throws CliFailure with code 3 when the shop's command fails: then the backup is only here */
async function handOver(config: Config, file: string): Promise<void> {
  // What ends this process is to end the command too, which is in a group of its own.
  const stopping = new AbortController();
  void waitForStopSignal().then((signal) => stopping.abort(signal));
  // Of a terminal that is closed, as a connection that ends: left to the system it would end this alone.
  process.once("SIGHUP", () => stopping.abort("SIGHUP"));
  const { failure, said } = await runShopCommand({
    ...{ line: config["backup.command"], args: [file], limitMs: COMMAND_LIMIT_MS },
    ...{ clock: systemClock, signal: stopping.signal },
  });
  if (failure === undefined) return;
  // It is told in `/health` to anybody.
  const [last = ""] = withoutKeysOf(config["backup.command"], said).trimEnd().split("\n").slice(-1);
  const message = `${file} is made, but backup.command ${failure}: ${last}`;
  throw new CliFailure(EXIT.state, message);
}

function tell({ file, bytes, manifest, removed }: MadeBackup): void {
  printLine(file);
  const { commands = 0, receipts = 0 } = manifest.rows;
  printErrorText(
    `${readableSize(bytes)}, verified: ${counted(commands, "command")}, ${counted(receipts, "receipt")} as of ${manifest.createdAt}\n`,
  );
  for (const name of removed) printErrorText(`removed ${name}\n`);
}

function tellLacking(config: Config): void {
  const { authority } = stateFiles(config["state.dir"]);
  printErrorText(
    `it lacks the authority that tills trust: ${authority} is gone. What puts it back: ` +
      `${putTlsBackCure(config)}\nUntil then no older backup is removed, which may hold it\n`,
  );
}

function asJson({ file, bytes, manifest, removed, lacksAuthority }: MadeBackup) {
  return {
    ...{ file, bytes, createdAt: manifest.createdAt, rows: manifest.rows, removed },
    ...(lacksAuthority ? { lacksAuthority } : {}),
  };
}

function list(config: Config, options: BackupOptions, timezone: string): void {
  const folder = backupFolder(placeOf(config, options), config["state.dir"]);
  const backups = listedIn(folder);
  const sticks = findUsbSticks().map((stick) => ({ ...stick, ...roomOn(stick) }));
  if (options.json === true) {
    printJson({
      folder,
      backups: backups.map(shown),
      sticks: sticks.map(({ fault, ...stick }) => stick),
    });
    return;
  }
  if (backups.length === 0) printLine(`There are none in ${folder}.`);
  else
    printTable([
      ["MADE", "SIZE", "FILE"],
      ...backups.map(({ createdAt, bytes, path }) => [
        localTime(createdAt, timezone),
        readableSize(bytes),
        path,
      ]),
    ]);
  for (const { name, mountPoint, freeBytes, fault } of sticks) {
    const room =
      freeBytes === null
        ? `which ${userName()} cannot use: ${fault}`
        : `${readableSize(freeBytes)} free`;
    printLine(`usb:${name}  ${mountPoint === null ? "not mounted" : `at ${mountPoint}, ${room}`}`);
  }
}

function roomOn({ mountPoint }: UsbStick): ReturnType<typeof roomAt> {
  return mountPoint === null ? { freeBytes: null, fault: null } : roomAt(mountPoint);
}

/** @throws CliFailure with code 3 for a folder that this user may not look into */
function listedIn(folder: string): KeptBackup[] {
  try {
    return listBackups(folder);
  } catch (error) {
    const reason = errorText(error);
    const message = `the backups cannot be listed: ${reason}; fiscald doctor says whose they are`;
    throw new CliFailure(EXIT.state, message, { cause: error });
  }
}

function shown({ path, createdAt, bytes }: KeptBackup) {
  return { file: path, createdAt: new Date(createdAt).toISOString(), bytes };
}
