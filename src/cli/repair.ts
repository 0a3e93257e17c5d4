/** `fiscald repair` and `fiscald check`: what is to be done about a damaged database. */

import { existsSync } from "node:fs";
import { Command, Option } from "commander";
import { openDamaged, openDatabase } from "#db/connection.ts";
import { SchemaMismatch } from "#db/migrate.ts";
import { differencesOf } from "#db/own-schema.ts";
import { senselessRows, senselessText } from "#db/row-sense.ts";
import { type Gap, isWholeTable, NothingSaved, type SalvagedTable } from "#db/salvage.ts";
import { faultsOf } from "#db/snapshot.ts";
import type { Sqlite } from "#db/sqlite.ts";
import { type LastTaken, lastTakenIn, type Taken, takenBeyond } from "#db/taken-since.ts";
import type { BackupHome } from "../backup/newest-backup.ts";
import { type RepairedState, RepairRefused, repairState } from "../backup/repair-state.ts";
import { systemClock } from "../platform/clock.ts";
import { stepBack } from "../platform/priority.ts";
import { errorText } from "../platform/thrown.ts";
import { backupToPutBack, damagedText } from "./damaged-text.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { folded } from "./fitted.ts";
import { harmless, printError, printJson, printLine, printTable } from "./output.ts";
import { OWNER_STEP, ownerLine } from "./owner-line.ts";
import { schemaTexts } from "./schema-texts.ts";
import { startLine } from "./service-state.ts";
import { addSettings, loadSettings, nextLine } from "./settings-options.ts";
import { usualPlace } from "./setup-answers.ts";
import { requireDatabase, takeStateDirectory } from "./state.ts";
import { requireItsUser } from "./state-keeper.ts";

const NICENESS_MAX = 19;
/** Rows that are told one by one. */
const STRANGE_MAX = 20;

/** What helps where there is no database. */
const putBack = (command: Command): string =>
  `${nextLine(command, "restore", "FILE")} puts a backup in its place`;

/** The command that saves what can be read. */
export function repairCommand(): Command {
  const command = new Command("repair")
    .description("save what can be read of a damaged database, in its place")
    .option("--json", "print JSON");
  addSettings(command, ["state.dir"]);
  return command.action((options: { readonly json?: true }) => {
    const { config } = loadSettings(command);
    const stateDir = config["state.dir"];
    // Where nothing is, nothing is damaged either.
    requireDatabase(command, stateDir, putBack(command));
    requireItsUser(stateDir);
    const lock = takeStateDirectory(stateDir);
    try {
      const repaired = repairNamed(config);
      if (options.json === true) printJson(repaired);
      else tell(command, config, repaired);
      if (!isWhole(repaired)) {
        throw new CliFailure(EXIT.attention, "repaired; something was lost");
      }
    } finally {
      lock.release();
    }
  });
}

/** The command that looks whether a database is whole, also while the gateway runs. */
export function checkCommand(): Command {
  const command = new Command("check").description(
    "look whether the database is whole, also while the gateway runs",
  );
  // Asked by what goes back from an upgrade, which knows the answer by the exit code: systemd/under-way.sh.
  const beyond =
    "tell what was taken since that copy of the database was made: exit code 6 for nothing";
  command.addOption(new Option("--taken-beyond <FILE>", beyond).hideHelp());
  // What was taken from then until then does not count.
  command.addOption(new Option("--saved-at <SECONDS>", "when it was made").default("0").hideHelp());
  command.addOption(new Option("--watch-until <SECONDS>", "no matter").default("0").hideHelp());
  addSettings(command, ["state.dir"]);
  return command.action((asked: BeyondOptions) => {
    const { config } = loadSettings(command);
    const file = requireDatabase(command, config["state.dir"], putBack(command));
    // Where an exchange was broken off, this says so.
    if (!existsSync(file)) openDatabase(file).close();
    // Whoever prints a receipt meanwhile comes first.
    stepBack(NICENESS_MAX);
    const sqlite = openDamaged(file);
    try {
      const taken = soldBeyond(sqlite, asked);
      if (taken !== undefined && taken.commands + taken.receipts > 0) {
        printLine(`commands: ${taken.commands}, receipts: ${taken.receipts}`);
        return;
      }
      const faults = faultsOf({ sqlite }, "quick");
      for (const fault of faults) printLine(fault);
      if (faults.length > 0) throw new CliFailure(EXIT.attention, damagedText(config));
      // Of a damaged one nobody can say so.
      if (taken !== undefined) throw new CliFailure(EXIT.untaken, "nothing was taken since then");
      printLine("the database is whole");
      for (const line of [...differenceLines(sqlite), ...strangeLines(sqlite)]) printLine(line);
    } finally {
      sqlite.close();
    }
  });
}

/** Instants are seconds since 1970. */
interface BeyondOptions {
  readonly takenBeyond?: string;
  readonly savedAt: string;
  readonly watchUntil: string;
}

/**
 * Undefined where that is not asked.
 * @throws CliFailure with code 3 where what was saved cannot be read, and so nobody knows
 */
function soldBeyond(sqlite: Sqlite, asked: BeyondOptions): Taken | undefined {
  const { takenBeyond: saved, savedAt, watchUntil } = asked;
  if (saved === undefined) return undefined;
  const watch = { from: Number(savedAt) * 1_000, until: Number(watchUntil) * 1_000 };
  return takenBeyond(sqlite, lastSaved(saved), watch);
}

function lastSaved(file: string): LastTaken {
  let sqlite: Sqlite | undefined;
  try {
    sqlite = openDamaged(file);
    return lastTakenIn(sqlite);
  } catch (error) {
    const message = `the saved database cannot be read: ${errorText(error)}`;
    throw new CliFailure(EXIT.state, message, { cause: error });
  } finally {
    sqlite?.close();
  }
}

/** Words in rows that this version does not have: those of another version, or damage. */
function strangeLines(sqlite: Sqlite): string[] {
  const rows = senselessRows({ sqlite }, "unknown").take(STRANGE_MAX);
  return rows.map((row) => `${senselessText(row)}: fiscald repair leaves it out`).toArray();
}

/** What is no damage, but not as fiscald makes it. */
function differenceLines(sqlite: Sqlite): string[] {
  try {
    return schemaTexts(differencesOf({ sqlite })).map(({ text, outcome }) => `${text}: ${outcome}`);
  } catch (error) {
    // Of another version: whoever opens it is told.
    if (error instanceof SchemaMismatch) return [];
    throw error;
  }
}

function repairNamed(home: BackupHome): RepairedState {
  try {
    return repairState(home["state.dir"], { now: systemClock.now(), usualPlace });
  } catch (error) {
    if (!(error instanceof RepairRefused || error instanceof NothingSaved)) throw error;
    const isNothing = error instanceof NothingSaved;
    const cure = isNothing ? `; ${damagedText(home, true)}` : "";
    const message = `nothing was repaired: ${error.message}${cure}`;
    throw new CliFailure(EXIT.state, message, { cause: error });
  }
}

function isWhole({ tables, orphans, recovered }: RepairedState): boolean {
  const isMade = recovered.shops.length + recovered.locations.length > 0;
  return tables.every(isWholeTable) && Object.keys(orphans).length === 0 && !isMade;
}

function tell(command: Command, home: BackupHome, repaired: RepairedState): void {
  const { tables, orphans, aside, holdsNew } = repaired;
  printTable([
    ["TABLE", "SAVED", "LOST"],
    ...tables.map((table) => [table.table, String(table.saved), lostText(table, orphans)]),
  ]);
  printLine("");
  tellBackup(home, tables);
  if (aside !== undefined) say(`The damaged database is kept in ${aside}.`);
  say(
    "Nobody knows what the newest rows were. So each printer is asked for its last receipt at the " +
      "next start; one that has printed more than is known is held until an owner accepts its state.",
  );
  if (holdsNew) tellHeld(repaired);
  tellRecovered(repaired);
  tellOwnerless(command, repaired);
  printLine(`Then: ${startLine(command)}`);
  if (holdsNew) printLine(`Then: ${nextLine(command, "device", "accept", "PRINTER")}`);
}

function tellHeld({ held }: RepairedState): void {
  const ofNew = "each printer that is registered in the next seven days";
  const whose =
    held.length === 0
      ? `${ofNew} is held`
      : `${held.join(", ")} ${held.length === 1 ? "is" : "are"} held in any case, and so is ${ofNew}`;
  say(
    `What is lost may be what keeps a receipt from being printed again: ${whose}. Compare paper and ` +
      "tills before an owner accepts that state, in the portal or by the last line here.",
  );
}

function say(text: string): void {
  for (const line of folded("", harmless(text))) printLine(line);
}

/** Before all that is to be done with what was saved: with whole tables gone a backup lacks less. */
function tellBackup(home: BackupHome, tables: readonly SalvagedTable[]): void {
  const isAnyGone = tables.some((table) => table.saved === 0 && !isWholeTable(table));
  const backup = isAnyGone ? backupToPutBack(home) : undefined;
  if (backup === undefined) return;
  say(`Of whole tables nothing was saved. A backup is the better way: ${backup.text}`);
  printLine(`  ${backup.line}`);
  say("What follows is for who goes on with what was saved.");
  printLine("");
}

function tellRecovered({ recovered }: RepairedState): void {
  for (const { name, currency, timezone, plan, guessed } of recovered.shops) {
    say(
      `A shop that saved rows belong to is lost. It was made anew as ${name}: ${currency}, ` +
        `${timezone}, plan ${plan}; its printers, keys and receipts go on. What of it is wrong an ` +
        "owner puts right in the portal, the closing time and the people too; the plan of the " +
        "licence by fiscald plan.",
    );
    // Sums are told and stored in it, whatever the printer prints.
    if (guessed.includes("currency")) {
      printError(
        `nothing that was saved names the currency of ${name}: ${currency} is that of the time zone ` +
          `${timezone}${guessed.includes("timezone") ? ", which is the machine's" : ""}. ` +
          "Where it is wrong an owner changes it in the portal before the first sale",
      );
    }
  }
  for (const { name } of recovered.locations) {
    say(
      `A location that printers stand at is lost. It was made anew as ${name}, in the shop's time ` +
        "zone: an owner puts it right in the portal.",
    );
  }
}

function tellOwnerless(command: Command, { ownerless }: RepairedState): void {
  for (const { id, name } of ownerless) {
    say(`${name} has no owner: nobody can log in to manage it. ${OWNER_STEP}:`);
    printLine(`  ${ownerLine(command, id)}`);
  }
}

function lostText(
  { table, saved, gaps, refused, lostColumns, zones = 0 }: SalvagedTable,
  orphans: RepairedState["orphans"],
): string {
  const lost = gapTexts(gaps, saved);
  if (refused > 0) lost.push(`${refused} that made no sense`);
  if (zones > 0) lost.push(`the time zone of ${zones}: set it again`);
  if (lostColumns.length > 0) lost.push(`of each row ${lostColumns.join(", ")}`);
  const loose = orphans[table] ?? 0;
  if (loose > 0) lost.push(`${loose} saved ones refer to lost ones`);
  return lost.length === 0 ? "nothing" : lost.join("; ");
}

/**
 * What may be lost of a table in words, each once.
 *
 * Rows are counted from 1; a gap without an end that begins before them may be anywhere.
 * @param saved how many rows of it could be read
 */
export function gapTexts(gaps: readonly Gap[], saved: number): string[] {
  const isAnywhere = ({ after, before }: Gap): boolean => before === null && after < 1;
  const known = [...new Set(gaps.filter((gap) => !isAnywhere(gap)).map(gapText))];
  if (!gaps.some(isAnywhere)) return known;
  if (known.length > 0) return [...known, "perhaps more"];
  return [`${saved === 0 ? "all, " : ""}nobody knows how many`];
}

function gapText({ after, before }: Gap): string {
  const first = Math.max(after, 0);
  if (before === null) return `all after row ${first}, nobody knows how many`;
  const most = before - first - 1;
  if (most < 1) return `nothing after row ${first}`;
  return first === 0 ? `up to ${most} before row ${before}` : `up to ${most} after row ${first}`;
}
