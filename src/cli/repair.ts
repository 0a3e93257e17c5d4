/** `fiscald repair` and `fiscald check`: what is to be done about a damaged database. */

import { existsSync } from "node:fs";
import { Command } from "commander";
import { openDamaged, openDatabase } from "#db/connection.ts";
import { SchemaMismatch } from "#db/migrate.ts";
import { differencesOf } from "#db/own-schema.ts";
import { type Gap, isWholeTable, NothingSaved, type SalvagedTable } from "#db/salvage.ts";
import { faultsOf } from "#db/snapshot.ts";
import type { Sqlite } from "#db/sqlite.ts";
import { type RepairedState, RepairRefused, repairState } from "../backup/repair-state.ts";
import { systemClock } from "../platform/clock.ts";
import { stepBack } from "../platform/priority.ts";
import { damagedText } from "./damaged-text.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { folded } from "./fitted.ts";
import { printJson, printLine, printTable } from "./output.ts";
import { schemaTexts } from "./schema-texts.ts";
import { startLine } from "./service-state.ts";
import { addSettings, loadSettings, nextLine } from "./settings-options.ts";
import { requireDatabase, takeStateDirectory } from "./state.ts";
import { requireItsUser } from "./state-keeper.ts";

const NICENESS_MAX = 19;

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
    const stateDir = loadSettings(command).config["state.dir"];
    // Where nothing is, nothing is damaged either.
    requireDatabase(command, stateDir, putBack(command));
    requireItsUser(stateDir);
    const lock = takeStateDirectory(stateDir);
    try {
      const repaired = repairNamed(stateDir);
      if (options.json === true) printJson(repaired);
      else tell(command, repaired);
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
  addSettings(command, ["state.dir"]);
  return command.action(() => {
    const stateDir = loadSettings(command).config["state.dir"];
    const file = requireDatabase(command, stateDir, putBack(command));
    // Where an exchange was broken off, this says so.
    if (!existsSync(file)) openDatabase(file).close();
    // Whoever prints a receipt meanwhile comes first.
    stepBack(NICENESS_MAX);
    const sqlite = openDamaged(file);
    try {
      const faults = faultsOf({ sqlite }, "quick");
      for (const fault of faults) printLine(fault);
      if (faults.length > 0) throw new CliFailure(EXIT.attention, damagedText(stateDir));
      printLine("the database is whole");
      for (const line of differenceLines(sqlite)) printLine(line);
    } finally {
      sqlite.close();
    }
  });
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

function repairNamed(stateDir: string): RepairedState {
  try {
    return repairState(stateDir, systemClock.now());
  } catch (error) {
    if (!(error instanceof RepairRefused || error instanceof NothingSaved)) throw error;
    const isNothing = error instanceof NothingSaved;
    const cure = isNothing ? `; ${damagedText(stateDir, true)}` : "";
    const message = `nothing was repaired: ${error.message}${cure}`;
    throw new CliFailure(EXIT.state, message, { cause: error });
  }
}

function isWhole({ tables, orphans }: RepairedState): boolean {
  return tables.every(isWholeTable) && Object.keys(orphans).length === 0;
}

function tell(command: Command, repaired: RepairedState): void {
  const { tables, orphans, aside, held } = repaired;
  printTable([
    ["TABLE", "SAVED", "LOST"],
    ...tables.map((table) => [table.table, String(table.saved), lostText(table, orphans)]),
  ]);
  printLine("");
  if (aside !== undefined) {
    for (const line of folded("", `The damaged database is kept in ${aside}.`)) printLine(line);
  }
  const text =
    "Nobody knows what the newest rows were. So each printer is asked for its last receipt at the " +
    "next start; one that has printed more than is known is held until an owner accepts its state.";
  for (const line of folded("", text)) printLine(line);
  if (held.length > 0) {
    const keys =
      `What is lost may be what keeps a receipt from being printed again: ${held.join(", ")} ` +
      `${held.length === 1 ? "is" : "are"} held in any case. Compare paper and tills before an owner ` +
      "accepts that state, in the portal or by the last line here.";
    for (const line of folded("", keys)) printLine(line);
  }
  printLine(`Then: ${startLine(command)}`);
  if (held.length > 0) printLine(`Then: ${nextLine(command, "device", "accept", "PRINTER")}`);
}

function lostText(
  { table, saved, gaps, refused, lostColumns }: SalvagedTable,
  orphans: RepairedState["orphans"],
): string {
  const lost = [...new Set(gaps.map((gap) => gapText(gap, saved)))];
  if (refused > 0) lost.push(`${refused} that made no sense`);
  if (lostColumns.length > 0) lost.push(`of each row ${lostColumns.join(", ")}`);
  const loose = orphans[table] ?? 0;
  if (loose > 0) lost.push(`${loose} saved ones refer to lost ones`);
  return lost.length === 0 ? "nothing" : lost.join("; ");
}

function gapText({ after, before }: Gap, saved: number): string {
  // Rows are counted from 1.
  if (before === null && after < 1) return `${saved === 0 ? "all, " : ""}nobody knows how many`;
  if (before === null) return `all after row ${after}, nobody knows how many`;
  const most = before - after - 1;
  return most === 0 ? `nothing after row ${after}` : `up to ${most} after row ${after}`;
}
