/** `fiscald update`: puts a newer version in the place of the one that is installed, or leaves it. */

import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { OTHER_SIGNALS, STOP_SIGNALS } from "../platform/signals.ts";
import { errorText } from "../platform/thrown.ts";
import { lineOfUser } from "../platform/user-line.ts";
import { failedChecks, isWell } from "../update/is-well.ts";
import { Machine, type WayBack } from "../update/machine.ts";
import { type UpdateNote, writeUpdateNote } from "../update/outcome-note.ts";
import { newestAt } from "../update/published.ts";
import { openArchive, type ReleaseArchive, readKey } from "../update/release-archive.ts";
import { run } from "../update/run-program.ts";
import { OTHER_FOLDER, temporaryFolder } from "../update/temporary-folder.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { printError, printLine } from "./output.ts";
import { typedLine } from "./shell-line.ts";
import { goneBack, kept, stayed, undecided, withAside } from "./update-failures.ts";

/** Where the environment names the place that releases are fetched from. */
const FROM_VARIABLE = "FISCALD_UPDATE_FROM";
const SAVED_IS_BACK = "the database is the one that was saved before the update";
/** How long the new version has to be well without a break before it stays. Seconds. */
const WATCH_SECONDS = 10;
const WATCH_SECONDS_MAX = 600;

interface UpdateOptions {
  readonly check?: true;
  readonly from?: string;
  readonly key?: string;
  readonly root: string;
  readonly watchSeconds: number;
}

export function updateCommand(): Command {
  const command = new Command("update")
    .description("put a newer version in place; the former one comes back if that does not work")
    .argument("[file]", "archive of the new version, its signature (.minisig) beside it")
    .option("--check", "change nothing: verify the file, or look for a newer version")
    .addOption(
      new Option("--from <PLACE>", "folder or address that --check looks for versions at").env(
        FROM_VARIABLE,
      ),
    )
    .option("--key <FILE>", "public key of releases; /etc/fiscald/release.pub unless given")
    .addOption(new Option("--root <DIR>", "folder that stands for the root").default("").hideHelp())
    .addOption(
      new Option("--watch-seconds <N>", "how long the new version has to be well to stay")
        .default(WATCH_SECONDS)
        .argParser(readSeconds),
    );
  return command.action((file: string | undefined, options: UpdateOptions) => {
    const machine = new Machine(options.root);
    const key = readKey(options.key ?? machine.publicKey, machine.otherWay);
    if (options.check === true && file === undefined) return look(machine, options, key);
    if (file === undefined) throw new CliFailure(EXIT.usage, "it takes the archive, or --check");
    const bringing = { ...options, file: resolve(file), key };
    return options.check === true ? tryOut(machine, bringing) : bring(machine, bringing);
  });
}

/** Signals are ignored as it watches: it has to come to its end. @throws InvalidArgumentError */
function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d{1,3}$/.test(text) || seconds > WATCH_SECONDS_MAX) {
    throw new InvalidArgumentError(`It takes seconds from 0 to ${WATCH_SECONDS_MAX}.`);
  }
  return seconds;
}

type Key = ReturnType<typeof readKey>;

async function look(machine: Machine, { from }: UpdateOptions, key: Key): Promise<void> {
  const installed = await machine.version();
  printLine(`installed: ${installed}`);
  if (from === undefined || from === "") {
    const how = `name the place of releases with --from or ${FROM_VARIABLE}`;
    throw new CliFailure(EXIT.usage, `nobody has said where newer versions are: ${how}`);
  }
  const newest = await newestAt(from, key);
  const isNewer = Bun.semver.order(newest.version, installed) > 0;
  printLine(isNewer ? `newer: ${newest.version}, ${newest.archive}` : "there is nothing newer");
}

interface Bringing extends Omit<UpdateOptions, "key"> {
  readonly file: string;
  readonly key: Key;
}

/** Says what would come of it: what an update would refuse is refused here too, and nothing changed. */
async function tryOut(machine: Machine, { file, key }: Bringing): Promise<void> {
  const work = temporaryFolder();
  try {
    const archive = await openArchive(file, key, work);
    requireArchitecture(archive);
    if (machine.isInstalled) {
      machine.requireArchive();
      await requireFit(machine, archive);
    }
    await requireItsVersion(archive);
    const { version } = archive;
    printLine(
      machine.isInstalled
        ? `${version} can be installed: signed by the owner of the key, and newer`
        : `${version} is signed by the owner of the key; no fiscald is installed here`,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @throws CliFailure unless root asks, where it is this machine that is to change */
function requireRoot({ root }: Pick<UpdateOptions, "root">): void {
  if (root !== "" || process.getuid?.() === 0) return;
  throw new CliFailure(EXIT.usage, `run it as root: ${typedLine("root")}`);
}

async function bring(machine: Machine, options: Bringing): Promise<void> {
  requireRoot(options);
  machine.requireArchive();
  // As systemd/steps.sh: the service's user runs and reads of what is placed.
  process.umask(0o022);
  await machine.reserve(options.file);
  try {
    if (machine.isBroken) {
      ignoreSignals();
      printLine(await machine.mend());
    }
    await bringReserved(machine, options);
  } finally {
    machine.free();
  }
}

/** A terminal that is closed must not leave the shop between two versions, nor without its services. */
function ignoreSignals(): void {
  for (const signal of [...OTHER_SIGNALS, ...STOP_SIGNALS]) process.on(signal, () => {});
}

async function bringReserved(machine: Machine, options: Bringing): Promise<void> {
  const work = await machine.makeWork();
  try {
    // From here on nobody else can change what was verified.
    const archive = await openArchive(options.file, options.key, work);
    requireArchitecture(archive);
    await requireFit(machine, archive);
    await requireItsVersion(archive);
    machine.announce(archive.version);
    printLine(`verified ${archive.version}`);
    ignoreSignals();
    await exchange(machine, archive, options.watchSeconds * 1_000);
  } finally {
    machine.removeWork();
  }
}

/** @throws CliFailure unless the archive is for this machine */
function requireArchitecture({ architecture }: ReleaseArchive): void {
  if (architecture === process.arch) return;
  const wanted = `this machine takes the one for linux-${process.arch}`;
  throw new CliFailure(EXIT.usage, `the archive is for linux-${architecture}; ${wanted}`);
}

/**
 * @throws CliFailure where the program in it is of another version than what was signed, or the system
 * runs none from where it lies
 */
async function requireItsVersion({ version, folder }: ReleaseArchive): Promise<void> {
  const { code, answer } = await run([join(folder, "fiscald"), "version"]).catch(
    (error: unknown) => {
      const message = `the new version cannot be run in ${folder}: ${errorText(error)}`;
      throw new CliFailure(EXIT.usage, `${message}; with --check ${OTHER_FOLDER}`, {
        cause: error,
      });
    },
  );
  // One that fails here is told by what follows.
  const says = answer.split(" ")[1] ?? "";
  if (code !== 0 || says === version) return;
  const message = `the archive was signed as ${version}, and its program is ${says}: nothing was changed`;
  throw new CliFailure(EXIT.usage, message);
}

/** @throws CliFailure unless the archive is newer than what is installed */
async function requireFit(machine: Machine, archive: ReleaseArchive): Promise<void> {
  const installed = await machine.version();
  const order = Bun.semver.order(archive.version, installed);
  if (order === 0) throw new CliFailure(EXIT.usage, `${installed} is installed already`);
  if (order > 0) return;
  const why = "an older version does not work on the database of a newer one";
  throw new CliFailure(EXIT.usage, `${installed} is installed, which is newer: ${why}`);
}

/** How the machine was before the update. */
interface Before {
  /** Version. */
  readonly former: string;
  /** Names of checks of `/health`. */
  readonly failedBefore: readonly string[];
}

/** Stops, saves, tries, swaps, starts and looks; goes back by itself where that fails. */
async function exchange(machine: Machine, archive: ReleaseArchive, watchMs: number): Promise<void> {
  const former = await machine.version();
  const { services } = machine;
  await services.look();
  const failedBefore = await failedChecks(machine.state);
  const note = (outcome: UpdateNote["outcome"], error?: unknown, databaseRestored = false) => {
    const reason = error === undefined ? null : errorText(error);
    const about = { at: new Date().toISOString(), from: former, to: archive.version };
    leaveNote(machine, { ...about, outcome, reason, databaseRestored });
  };
  try {
    await services.stop();
    await machine.saveDatabase(archive.folder);
    await machine.tryMigration(archive.folder);
    await machine.begin(archive.folder, { from: former, to: archive.version });
  } catch (error) {
    await startAll(machine, services.startGateway()).catch((worse: unknown) => {
      const message = `not updated (${errorText(error)}), and ${former} does not start any more: ${errorText(worse)}`;
      throw new CliFailure(EXIT.state, message, { cause: worse });
    });
    note("refused", error);
    throw goneBack(machine, former, error);
  }
  try {
    await machine.noteStart();
    await machine.place(archive.folder);
    // One that does not start is found out before the shop sells with the new version.
    await services.startOthers();
    await services.startGateway();
    if (services.runs("fiscald")) {
      await isWell(machine.state, { ...archive, watchMs, failedBefore });
    }
  } catch (error) {
    const about = { former, failedBefore };
    const back = await goBack(machine, about).catch(async (worse: unknown) => {
      note("broken", worse, await machine.isRestored());
      throw worse;
    });
    const what = { former, to: archive.version, error };
    if (back.way === "open") {
      const open = undecided(what, back);
      note("broken", open);
      throw open;
    }
    const aside = await machine.soldAside();
    await machine.end();
    note(
      back.way === "stays" ? "updated" : "went_back",
      withAside(error, aside),
      back.way === "saved",
    );
    if (back.way === "stays") throw stayed(what);
    throw back.way === "kept"
      ? kept(what, back.why)
      : goneBack(machine, former, withAside(error, aside));
  }
  // Where the note of what it came to cannot be written, it is over all the same.
  await machine.end();
  note("updated");
  printLine(`updated ${former} to ${archive.version}`);
  tellUnstarted(machine);
}

/** What it came to is told at the terminal in any case, as on a disk that is full. */
function leaveNote(machine: Machine, note: UpdateNote): void {
  try {
    writeUpdateNote(machine.note, note);
  } catch (error) {
    printError(`what the update came to could not be noted: ${errorText(error)}`);
  }
}

/**
 * Tells what does not run of the version that came.
 * @throws CliFailure for one that did not run before, and does not start
 */
function tellUnstarted({ services, hasGateway, hasSystemd }: Machine): void {
  if (!hasSystemd) {
    printLine(
      "systemd does not run here, so nothing was started, and nobody knows whether it is well: " +
        "have your own supervisor start anew what it runs of fiscald",
    );
  }
  const { missing } = services;
  if (missing.length > 0) {
    const units = missing.map((name) => ` -u ${name}`).join("");
    const message = `${missing.join(" or ")} does not start, as before: why shows journalctl${units} -n 50`;
    throw new CliFailure(EXIT.state, message);
  }
  if (!hasGateway || services.all.includes("fiscald")) return;
  printLine(
    "the gateway did not run before, and was not started: nobody knows whether it is well. " +
      `Start it with ${lineOfUser("root", ["systemctl", "start", "fiscald"])}; ` +
      "why it had ended shows journalctl -u fiscald -n 50",
  );
}

/** @returns what became of the machine, on which all services that ran were started */
async function goBack(machine: Machine, before: Before): Promise<WayBack> {
  const { former } = before;
  printLine("the new version does not work: going back");
  const back = await putBack(machine);
  if (back.way !== "back" && back.way !== "saved") {
    // As far as they start: what is wrong is known.
    await machine.services.try();
    return back;
  }
  if (back.way === "saved") printLine(SAVED_IS_BACK);
  try {
    const isPutBack = await startAll(machine, startOnDatabase(machine, before, back));
    return isPutBack ? { ...back, way: "saved" } : back;
  } catch (error) {
    const message = `${former} does not start any more either: ${errorText(error)}`;
    throw new CliFailure(EXIT.state, message, { cause: error });
  }
}

/** Whatever becomes of the gateway, those beside it start as far as they do: that tells nothing of its database. */
async function startAll<T>({ services }: Machine, gateway: Promise<T>): Promise<T> {
  return gateway.finally(() => services.startOthers().catch(() => {}));
}

/** @throws CliFailure where that does not work; what is in its place was started again then, as far as it starts */
async function putBack(machine: Machine): Promise<WayBack> {
  try {
    await machine.services.stop();
    return await machine.goBack();
  } catch (error) {
    // A database that is half back holds the gateway.
    await machine.services.try();
    const message = `the way back was broken off, and the next start of the machine goes on with it: ${errorText(error)}`;
    throw new CliFailure(EXIT.state, message, { cause: error });
  }
}

/**
 * Starts the gateway of the former version on the database in the place, or on the saved one where it is not well
 * on that, though it is whole.
 * @returns whether the saved one was put back for it
 * @throws why it is not well, where the saved one does not help, or would take back what was sold since
 */
async function startOnDatabase(
  machine: Machine,
  before: Before,
  { way }: WayBack,
): Promise<boolean> {
  try {
    await startWell(machine, before);
    return false;
  } catch (error) {
    if (way === "saved") throw error;
    await machine.services.stop();
    if (!(await machine.putSavedBack())) {
      await machine.services.try();
      throw error;
    }
  }
  printLine(SAVED_IS_BACK);
  await startWell(machine, before);
  return true;
}

async function startWell(machine: Machine, { former, failedBefore }: Before): Promise<void> {
  await machine.services.startGateway();
  // One that did not start before either is no proof against it.
  if (!machine.services.hasTo("fiscald")) return;
  await isWell(machine.state, { version: former, watchMs: 0, failedBefore });
}
