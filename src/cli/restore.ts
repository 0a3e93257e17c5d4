/** `fiscald restore`: puts a backup in the place of a state directory, and says what follows. */

import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { Command, Option } from "commander";
import { isHourSet } from "../app/backup-settings.ts";
import { NotDecipherable, WrongPassphrase } from "../backup/age-stream.ts";
import { BackupDamaged, isBareDatabase } from "../backup/open-backup.ts";
import { hasPassphrase } from "../backup/passphrase.ts";
import { type RestoredState, RestoreRefused, restoreBackup } from "../backup/restore-backup.ts";
import { restoreTls } from "../backup/restore-tls.ts";
import { systemClock } from "../platform/clock.ts";
import { errorText, isSystemError } from "../platform/thrown.ts";
import { lineOfUser, shellLine } from "../platform/user-line.ts";
import { userName } from "../platform/user-name.ts";
import { lookAtBackups } from "./doctor-backups.ts";
import { PASSPHRASE_CURE } from "./doctor-cures.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { folded } from "./fitted.ts";
import { counted, printJson, printLine } from "./output.ts";
import { withPassphrase } from "./passphrase.ts";
import { TLS_PART, tellTlsBack } from "./put-tls-back.ts";
import { requireRightState, startLine } from "./service-state.ts";
import { addSettings, lineOn, loadSettings } from "./settings-options.ts";
import { typedLine } from "./shell-line.ts";
import { takeStateDirectory } from "./state.ts";

interface RestoreOptions {
  readonly only?: typeof TLS_PART;
  readonly passphraseStdin?: true;
  readonly json?: true;
}

export function restoreCommand(): Command {
  const command = new Command("restore")
    .description("put a backup in the place of the state, which is kept aside")
    .argument("<FILE>", "a backup that fiscald has made, or a copy of its database alone")
    .addOption(
      new Option("--only <PART>", "put back the keys and certificates of HTTPS alone").choices([
        TLS_PART,
      ]),
    )
    .option("--passphrase-stdin", "read the passphrase from the standard input")
    .option("--json", "print JSON");
  addSettings(command, ["state.dir", "backup.passphraseFile"]);
  return command.action((file: string, options: RestoreOptions) => restore(command, file, options));
}

async function restore(command: Command, given: string, options: RestoreOptions): Promise<void> {
  const { config } = loadSettings(command);
  const stateDir = config["state.dir"];
  const file = resolve(given);
  const isBare = lookAtFile(file);
  if (isBare && options.only !== undefined) {
    const message = `${file} is a database alone, with no keys of HTTPS: name a backup`;
    throw new CliFailure(EXIT.usage, message);
  }
  requireRightState(command, (keeper) => linesAs(keeper, given));
  const lock = takeStateDirectory(stateDir);
  let isRestored = false;
  try {
    const request = { file, stateDir, now: systemClock.now() };
    const source = {
      file: config["backup.passphraseFile"],
      fromStdin: options.passphraseStdin === true,
    };
    if (options.only === TLS_PART) {
      const tls = await withPassphrase(source, (passphrase) =>
        restoreTls({ ...request, passphrase }),
      ).catch((error: unknown) => {
        throw refused(error);
      });
      isRestored = true;
      if (options.json === true) printJson(tls);
      else tellTlsBack(tls, startLine(command));
      return;
    }
    const open = (passphrase: string | undefined) => restoreBackup({ ...request, passphrase });
    const opened = isBare ? open(undefined) : withPassphrase(source, open);
    const restored = await opened.catch((error: unknown) => {
      throw refused(error);
    });
    isRestored = true;
    const needs = [...needsOf(restored, stateDir), ...(await backupNeeds(command))];
    if (options.json === true) printJson({ ...restored, needs: needs.map(needText) });
    else tell({ command, stateDir, restored, needs });
    if (needs.length > 0) {
      throw new CliFailure(EXIT.attention, "restored; something needs a person");
    }
  } finally {
    if (isRestored) lock.release();
    else lock.withdraw();
  }
}

/**
 * What root is to type where the state is another user's, who need not be allowed to read the file: then
 * that user gets a copy, which nobody else can read either.
 * @param given the file as it was typed
 */
function linesAs(keeper: string, given: string): string[] {
  const file = resolve(given);
  if (mayRead(keeper, file)) return [typedLine(keeper)];
  const copy = join(tmpdir(), basename(file));
  const words = process.argv.slice(2).map((word) => (word === given ? copy : word));
  return [
    shellLine(["install", "-o", keeper.replace("#", ""), "-m", "600", file, copy]),
    typedLine(keeper, words),
    shellLine(["rm", copy]),
  ];
}

/** Asked of the machine itself, which alone knows of groups, folders on the way and mounts. For root. */
function mayRead(user: string, file: string): boolean {
  const line = lineOfUser(user, ["test", "-r", file]);
  const said = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
  return Bun.spawnSync(["/bin/sh", "-c", line], said).success;
}

/**
 * @returns whether it is a bare database
 * @throws CliFailure with code 2 for what is no file, or one that this user may not read
 */
function lookAtFile(file: string): boolean {
  try {
    const status = statSync(file, { throwIfNoEntry: false });
    if (status === undefined) throw new CliFailure(EXIT.usage, `there is no file ${file}`);
    if (status.isFile()) return isBareDatabase(file);
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    const reason = errorText(error);
    const message = `${file} cannot be read by ${userName()}: ${reason}`;
    throw new CliFailure(EXIT.usage, message, { cause: error });
  }
  const how = "name a backup, as fiscald backup --list shows them, or a copy of a database";
  throw new CliFailure(EXIT.usage, `${file} is a folder or a device, no file: ${how}`);
}

function refused(error: unknown): unknown {
  const isOfTheFile =
    error instanceof WrongPassphrase ||
    error instanceof NotDecipherable ||
    error instanceof BackupDamaged;
  if (!(error instanceof Error)) return error;
  const message = `nothing was restored: ${error.message}`;
  if (isOfTheFile) return new CliFailure(EXIT.usage, message, { cause: error });
  const isOfTheState = error instanceof RestoreRefused || isSystemError(error);
  return isOfTheState ? new CliFailure(EXIT.state, message, { cause: error }) : error;
}

/** What a person has to do before the shop goes on. */
interface Need {
  readonly text: string;
  /** Behind that, what to type. */
  readonly line?: string;
}

const needText = ({ text, line }: Need): string => (line === undefined ? text : `${text} ${line}`);

/** What a state cannot do that is whole and empty, or nearly so. */
function emptyNeeds({ findings }: RestoredState, stateDir: string): Need[] {
  const { shops, isShopLost, printers } = findings;
  if (isShopLost) {
    const text =
      "The shop that its printers and receipts belong to is lost: nobody can sign in, and tills are " +
      "refused. Before you start it, have it made anew:";
    return [{ text, line: lineOn(stateDir, "repair") }];
  }
  if (shops === 0) {
    const text =
      "It holds no shop: no account, no printer, no till's key and no receipt. Nobody can sign in, tills " +
      "are refused, and what is started on it waits for a first set-up. If there was a shop, this is no " +
      "copy of it: restore another backup, or of a live copy another generation.";
    return [{ text }];
  }
  if (printers.length > 0) return [];
  const text =
    "It knows no printer: nothing can be printed, and tills are refused. If the shop has one, it was " +
    "registered after this backup: restore a newer one, or register the printer again.";
  return [{ text }];
}

function needsOf(restored: RestoredState, stateDir: string): Need[] {
  const { waiting, underWay, unsettled, since, foreign, altered } = restored.findings;
  const open = lineOn(stateDir, "command", "open");
  const needs = emptyNeeds(restored, stateDir);
  if (foreign.length > 0) {
    needs.push({
      text:
        `The database held what fiscald does not make, and it was left out: ${foreign.join(", ")}. ` +
        "Ask where this file has been: whoever put that in may have changed more.",
    });
  }
  if (altered.length > 0) {
    needs.push({
      text:
        `The database has what fiscald makes otherwise: ${altered.join(", ")}. Ask where this file ` +
        "has been, and before you start it, have it made anew with what is in it:",
      line: lineOn(stateDir, "repair"),
    });
  }
  if (since !== null && since.receipts + since.commands > 0) {
    needs.push({
      text:
        `The old state knows of ${counted(since.receipts, "receipt")} and ` +
        `${counted(since.commands, "command")} that the ` +
        "backup does not: compare them with paper and tills before you accept a printer's state.",
    });
  }
  if (waiting + underWay > 0) {
    needs.push({
      text:
        `${waiting} commands waited and ${underWay} were under way when the backup was made. The ` +
        "printers are asked of them; what they cannot prove you settle, as this lists it:",
      line: open,
    });
  }
  if (unsettled > 0) {
    needs.push({
      text:
        `Of ${unsettled} documents nobody had said whether they were printed. This lists them, with ` +
        "what settles each:",
      line: open,
    });
  }
  return needs;
}

/**
 * What keeps the nightly backups from being made that the restored settings ask for: on another machine
 * passphrase and place of before are not there.
 */
async function backupNeeds(command: Command): Promise<Need[]> {
  // Anew: what was restored brings settings of its own.
  const findings = await lookAtBackups(loadSettings(command), {
    gateway: undefined,
    isTold: false,
  });
  return findings
    .filter(({ state }) => state !== "ok")
    .map(({ text, cure = "" }) => ({ text: `Nightly backups: ${text}. What to do: ${cure}.` }));
}

/**
 * That none is made by itself, where the restored settings do not tell whether they should be: those of
 * a bare database, or of a gateway whose passphrase the environment named, are not here.
 */
function unmadeBackups(command: Command): string | undefined {
  const { config, sources } = loadSettings(command);
  if (hasPassphrase(config) || isHourSet(sources)) return undefined;
  return (
    "none is made by itself: the passphrase that encrypts them is not on this machine. An owner gives " +
    `it ${PASSPHRASE_CURE}.`
  );
}

interface Telling {
  readonly command: Command;
  readonly stateDir: string;
  readonly restored: RestoredState;
  readonly needs: readonly Need[];
}

function tell({ command, stateDir, restored, needs }: Telling): void {
  const { manifest, aside, findings } = restored;
  const { commands = 0, receipts = 0 } = manifest.rows;
  const say = (label: string, text: string): void => {
    for (const line of folded(label.padEnd(10), text)) printLine(line);
  };
  const maker = manifest.version === null ? "a bare database" : `by fiscald ${manifest.version}`;
  say("Backup", `of ${manifest.createdAt}, ${maker}`);
  say(
    "Restored",
    `${counted(commands, "command")}, ${counted(receipts, "receipt")}, into ${stateDir}`,
  );
  if (aside !== undefined) say("Old state", `is kept in ${aside}; remove it when nobody needs it`);
  const { printers } = findings;
  if (printers.length > 0) {
    say(
      "Printers",
      `${printers.join(", ")}: each is asked for its last receipt at the next start. One that has ` +
        "printed since the backup, or cannot show that it has not, is held until an owner accepts " +
        "that, in the portal or by fiscald device accept: a till may send a receipt again that this " +
        "state does not know.",
    );
  }
  const unmade = unmadeBackups(command);
  if (unmade !== undefined) say("Backups", unmade);
  printLine("");
  printLine(needs.length === 0 ? "Nothing else needs a person." : "Needs a person:");
  for (const { text, line } of needs) {
    for (const row of folded("- ", text)) printLine(row);
    if (line !== undefined) printLine(`  ${line}`);
  }
  const { since } = findings;
  if (aside !== undefined && since !== null && since.receipts + since.commands > 0) {
    printLine("What the old state knows:");
    printLine(`  ${lineOn(aside, "command", "list")}`);
  }
  printLine(`Then: ${startLine(command)}`);
}
