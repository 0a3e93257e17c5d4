/** `fiscald doctor`: looks for what keeps a gateway from working, and says what to do about each. */

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { Command } from "commander";
import { damageNote, openDatabase } from "#db/connection.ts";
import { DatabaseGone, DriverNotLoaded, ExchangeBrokenOff } from "#db/doubts.ts";
import { SchemaMismatch } from "#db/migrate.ts";
import { differencesOf } from "#db/own-schema.ts";
import { isDamage } from "#db/snapshot.ts";
import { hasDatabase } from "../app/database-loss.ts";
import { requireNotGone } from "../app/gone-database.ts";
import { requireWhole } from "../app/whole-check.ts";
import { stateFiles } from "../config/state-files.ts";
import type { Config } from "../config.ts";
import { errorText } from "../platform/thrown.ts";
import { DatabaseOutdated, shopTimezone, withBox } from "./box.ts";
import { awayText } from "./damaged-text.ts";
import { lookAtBackups } from "./doctor-backups.ts";
import { cureOf } from "./doctor-cures.ts";
import {
  calledBy,
  error,
  type Finding,
  lookAtCertificate,
  lookAtClock,
  lookAtNames,
  lookAtPorts,
  lookAtState,
  ok,
  warning,
} from "./doctor-findings.ts";
import { lookAtPrinters, lookAtSerialPorts } from "./doctor-printers.ts";
import { lookAtReplica } from "./doctor-replica.ts";
import { driverCure } from "./driver-cure.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { askHealth } from "./gateway-answer.ts";
import { knownBackups } from "./known-backups.ts";
import { inLocalTime } from "./local-time.ts";
import { harmless, printJson, printLine } from "./output.ts";
import { boxToken, type GatewayPresence, gatewayPresence } from "./running-gateway.ts";
import { schemaTexts } from "./schema-texts.ts";
import { otherVersionText, restartLine, settingsOfState, startLine } from "./service-state.ts";
import { addSettings, loadSettings, nextLine } from "./settings-options.ts";
import { isClosed } from "./state-keeper.ts";
import { unendedUpgrade } from "./update-told.ts";

const MARKS = { ok: "ok      ", warning: "warning ", error: "ERROR   " } as const;

export function doctorCommand(): Command {
  const command = new Command("doctor")
    .description("look for what is wrong with gateway, machine and printers, with a cure for each")
    .option("--json", "print JSON");
  return addSettings(command).action(async (options: { json?: true }) => {
    settingsOfState(command);
    const findings = await examine(command);
    if (options.json === true) printJson(findings);
    else print(findings, await shopTimezone(command));
    const wrong = findings.filter(({ state }) => state !== "ok").length;
    if (wrong === 0) return;
    throw new CliFailure(EXIT.attention, wrong === 1 ? "1 finding" : `${wrong} findings`);
  });
}

/** Looks at everything. What cannot be looked at is a finding too. */
export async function examine(command: Command): Promise<Finding[]> {
  const settings = loadSettings(command);
  const { config } = settings;
  const stateDir = config["state.dir"];
  // Nothing can be said of settings, database and gateway that nobody may look at.
  if (isClosed(stateDir)) return [...lookAtState(stateDir), ...lookAtSerialPorts()];
  const gateway = presenceOf(stateDir);
  const told = await lookAtGateway(command, gateway);
  return [
    ...told.findings,
    ...lookAtUpgrade(command, gateway),
    ...(gateway?.kind === "absent" ? await lookAtPorts(config) : []),
    ...lookAtState(stateDir),
    ...lookAtClock(await shopTimezone(command)),
    ...lookAtCertificate(config),
    ...(await lookAtBackups(settings, { gateway, isTold: told.faults.has("backup") })),
    ...(await lookAtReplica(stateDir, told.faults.get("replica"))),
    ...lookAtSerialPorts(),
    ...(gateway ? await lookInDatabase(command, config, gateway) : []),
  ];
}

/** Undefined where nobody can say: a state directory that is closed is told by another finding. */
function presenceOf(stateDir: string): GatewayPresence | undefined {
  try {
    return gatewayPresence(stateDir);
  } catch {
    return undefined;
  }
}

function lookAtUpgrade(command: Command, gateway: GatewayPresence | undefined): Finding[] {
  const unended = unendedUpgrade(command, gateway?.kind !== "absent");
  if (unended === undefined) return [];
  const { kind, text, cure } = unended;
  return [kind === "under_way" ? warning("Update", text, cure) : error("Update", text, cure)];
}

/** What a gateway tells of itself. */
interface Told {
  readonly findings: readonly Finding[];
  /** Of its checks, those that are not well: what it says of each, by name. */
  readonly faults: ReadonlyMap<string, string>;
}

const only = (...findings: readonly Finding[]): Told => ({ findings, faults: new Map() });
/** Checks of which doctor says more by itself. */
const LOOKED_AT: readonly string[] = ["update", "replica"];

async function lookAtGateway(
  command: Command,
  gateway: GatewayPresence | undefined,
): Promise<Told> {
  if (gateway === undefined) return only();
  if (gateway.kind === "absent") {
    const cure = unendedUpgrade(command, false)?.cure ?? startLine(command);
    return only(warning("Gateway", "it does not run", cure));
  }
  const log = "journalctl -u fiscald shows why";
  if (gateway.kind === "not_listening")
    return only(warning("Gateway", "it starts or stops, and takes no requests", log));
  try {
    // Of a database that cannot be opened, the gateway tells as much as it tells anybody.
    const token = await withBox(command, boxToken).catch(() => undefined);
    const { version, checks } = await askHealth(gateway.url, token);
    // Without the database nobody knows of the printers either: the cure is that of the database.
    const isLost = checks.database?.status === "failed";
    const faults = Object.entries(checks).filter(
      ([name, { status, findings = [] }]) =>
        status !== "ok" && !(isToldByPrinter(findings) || (isLost && name === "printers")),
    );
    const toTell = faults.filter(([name]) => !LOOKED_AT.includes(name));
    const told = toTell.map(([name, { detail = "not ok", findings = [] }]) => {
      const line = (...words: readonly string[]) => nextLine(command, ...words);
      const cures = new Set(findings.map(({ code }) => cureOf(code, line, detail)));
      return error("Gateway", `${name}: ${detail}`, [...cures].join("; ") || log);
    });
    const other = otherVersionText(version);
    const well =
      other === undefined
        ? ok("Gateway", `${version} at ${gateway.url}`)
        : warning("Gateway", other, restartLine(command));
    const details = faults.map(([name, { detail = "" }]) => [name, detail] as const);
    return { findings: [well, ...told], faults: new Map(details) };
  } catch (fault) {
    const reason = errorText(fault);
    return only(error("Gateway", `it does not answer at ${gateway.url}: ${reason}`, log));
  }
}

/** True where the lines of the printers say more. */
function isToldByPrinter(findings: readonly { readonly code: string }[]): boolean {
  return findings.length > 0 && findings.every(({ code }) => code === "printers_need_person");
}

async function lookInDatabase(
  command: Command,
  config: Config,
  gateway: GatewayPresence,
): Promise<Finding[]> {
  const absent = absentDatabase(command, stateFiles(config["state.dir"]).database);
  if (absent !== undefined) return [absent, ...(await lookAtNames(calledBy(config)))];
  try {
    const ofSchema = lookAtSchema(command, stateFiles(config["state.dir"]).database);
    return await withBox(command, async (box) => {
      const webhooks = box.stores.organizations
        .list()
        .flatMap(({ id }) => box.stores.webhooks.enabledOf(id))
        .map(({ url }) => new URL(url).hostname);
      return [
        ...(ofSchema.length > 0 ? ofSchema : [ok("Database", "it opens and is of this version")]),
        ...(await lookAtNames([...calledBy(config), ...webhooks])),
        ...(await lookAtPrinters({ command, box, gateway })),
      ];
    });
  } catch (fault) {
    // As the work in a box tells a damaged one to whoever looks no further.
    const { cause } = fault instanceof CliFailure ? fault : {};
    return [databaseFault(command, isDamage(cause) ? cause : fault)];
  }
}

/**
 * Of a database that is there.
 * @throws DatabaseDoubted, SchemaMismatch, or the database's error
 */
function lookAtSchema(command: Command, file: string): Finding[] {
  const database = openDatabase(file);
  try {
    // As a start looks at it.
    requireWhole(database, file);
    return schemaTexts(differencesOf(database)).map(({ text, outcome, isMended }) =>
      isMended
        ? warning("Database", text, `${outcome}: ${startLine(command)}`)
        : error("Database", text, nextLine(command, "repair")),
    );
  } finally {
    database.close();
  }
}

/** What to do where the file is not there; undefined where it is. */
function absentDatabase(command: Command, file: string): Finding | undefined {
  try {
    requireNotGone(dirname(file));
  } catch (fault) {
    return databaseFault(command, fault);
  }
  if (existsSync(file)) return undefined;
  // What the gateway had open when the file went.
  if (hasDatabase(file)) {
    return error("Database", "it was removed; a copy is kept", `${startLine(command)}: takes it`);
  }
  // Between two renames of an exchange that was broken off.
  if (existsSync(damageNote(file))) {
    try {
      openDatabase(file).close();
    } catch (fault) {
      return databaseFault(command, fault);
    }
  }
  return warning("Database", "there is none yet", nextLine(command, "setup"));
}

/** What to do where the gateway does not run on its database, so that no page of it helps. */
function databaseFault(command: Command, fault: unknown): Finding {
  const reason = errorText(fault);
  if (fault instanceof DatabaseOutdated) {
    const cure = `${startLine(command)}, or ${nextLine(command, "migrate")}: both bring it up to date`;
    return error("Database", "it is of an older version than this program", cure);
  }
  if (fault instanceof SchemaMismatch) {
    const restore = nextLine(command, "restore", "FILE");
    const cure = `install the version that made it, or restore a backup made before: ${restore}`;
    return error("Database", reason, cure);
  }
  if (fault instanceof ExchangeBrokenOff) {
    return error("Database", reason, "run it again, to its end: nothing is lost by that");
  }
  if (fault instanceof DriverNotLoaded) return error("Database", reason, driverCure());
  // Whoever puts a backup back loses what was taken since: only where nothing else helps.
  if (!(isDamage(fault) || fault instanceof DatabaseGone)) {
    const line = (...words: readonly string[]) => nextLine(command, ...words);
    return error("Database", reason, cureOf("database_unreadable", line));
  }
  const { there, away } = knownBackups(loadSettings(command).config);
  const line = nextLine(command, "restore", (there ?? away)?.file ?? "FILE");
  const restore = away === undefined ? line : `${line} (the last one: ${awayText(away)})`;
  if (fault instanceof DatabaseGone) return error("Database", reason, restore);
  const repair = nextLine(command, "repair");
  return error(
    "Database",
    reason,
    `put a backup back: ${restore}; or save what is left: ${repair}`,
  );
}

function print(findings: readonly Finding[], timezone: string): void {
  for (const { about, state, text, cure } of findings) {
    printLine(harmless(`${MARKS[state]}${about}: ${inLocalTime(text, timezone)}`));
    if (cure !== undefined) printLine(harmless(`        -> ${cure}`));
  }
}
