/** `fiscald diagnostics`: one file for whoever helps, without secrets and without sales. */

import { closeSync, existsSync, fchownSync, openSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { Command } from "commander";
import { gatherDiagnostics, secretsOf, storedSecrets, withoutSecrets } from "../app/diagnostics.ts";
import { passphraseInTime } from "../app/passphrase-looks.ts";
import { stateFiles } from "../config/state-files.ts";
import { currentSurroundings } from "../config/surroundings.ts";
import type { Config } from "../config.ts";
import type { Diagnostics } from "../modules/diagnostics/schema.ts";
import { systemClock } from "../platform/clock.ts";
import { redact } from "../platform/redaction.ts";
import { errorText } from "../platform/thrown.ts";
import { userName } from "../platform/user-name.ts";
import { VERSION } from "../version.ts";
import { type Box, withBox } from "./box.ts";
import { examine } from "./doctor.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { askHealth, askOpenly } from "./gateway-answer.ts";
import { fieldsOf, JournalClosed, type NewestLines, newestLines } from "./log-lines.ts";
import { NOTHING_LIVE } from "./nothing-live.ts";
import { printError, printLine } from "./output.ts";
import { boxToken, gatewayPresence } from "./running-gateway.ts";
import { settingsOfState } from "./service-state.ts";
import { addSettings, loadSettings } from "./settings-options.ts";
import { programLine } from "./shell-line.ts";
import { closedState, isClosed } from "./state-keeper.ts";

const LOG_LINES = 2_000;
/** The file is to be read and sent by a person. */
const LOG_BYTES_MAX = 8_388_608;
/** In a line of the log, for whoever starts the gateway, and in nobody else's hands. */
const FOR_THE_STARTER: ReadonlySet<string> = new Set(["setupCode"]);

interface DiagnosticsOptions {
  readonly to: string;
  readonly file?: string;
}

export function diagnosticsCommand(): Command {
  const command = new Command("diagnostics")
    .description("write one file for whoever helps, without secrets and without sales")
    .requiredOption("--to <FILE>", "the file, JSON; it must not be there yet")
    .option("--file <FILE>", "a file of the gateway's output, in place of the journal");
  return addSettings(command).action(async (options: DiagnosticsOptions) => {
    // The journal is root's to read, and the file is for whoever asks.
    settingsOfState(command, "root");
    const log = await logOf(options.file);
    const text = `${JSON.stringify(await gather(command, log), null, 2)}\n`;
    try {
      writeForCaller(options.to, text);
    } catch (error) {
      const reason = errorText(error);
      throw new CliFailure(EXIT.usage, `${options.to} cannot be written: ${reason}`, {
        cause: error,
      });
    }
    printLine(`wrote ${options.to}: read it before you send it`);
    const missing = missingText(options.to, log);
    if (missing !== undefined) printError(missing);
  });
}

/** Makes the file, its owner's alone, though secrets are left out: read it, then send it. */
function writeForCaller(file: string, text: string): void {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    writeFileSync(descriptor, text);
    giveToCaller(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Who has it made by root, for the journal's sake, is to read it and to send it. By its name it may be another
 * file by then: whoever has the folder may lay a link there, for root to give away what that leads to.
 */
function giveToCaller(descriptor: number): void {
  const { SUDO_UID: uid, SUDO_GID: gid } = currentSurroundings().environment;
  if (process.geteuid?.() !== 0 || uid === undefined || gid === undefined) return;
  fchownSync(descriptor, Number(uid), Number(gid));
}

/** What to say where the file has no log, and the line that makes one with it. */
function missingText(to: string, log: ReadLog | Error): string | undefined {
  if (!(log instanceof Error)) {
    if (log.leftOut !== undefined || log.lines.length > 0) return log.leftOut;
    return `${to} has no line of the log`;
  }
  if (!(log instanceof JournalClosed)) return `${to} has no log: ${reasonOf(log)}`;
  const { dir, name, ext } = parse(to);
  const another = join(dir, `${name}-with-log${ext}`);
  const words = process.argv
    .slice(2)
    .map((word) => (word === to ? another : word === `--to=${to}` ? `--to=${another}` : word));
  const line = programLine("root", words);
  return `${to} has no log, for ${userName()} may not read the journal. One that has it:\n  ${line}`;
}

async function gather(command: Command, log: ReadLog | Error) {
  const { config } = loadSettings(command);
  const { line } = await passphraseInTime(config);
  const secrets = secretsOf(config, line);
  const findings = await examine(command);
  const stateDir = config["state.dir"];
  const told = isClosed(stateDir)
    ? closedState(stateDir).message
    : existsSync(stateFiles(stateDir).database)
      ? await withBox(command, (box) => {
          secrets.push(...storedSecrets(box.stores));
          return fromBox(box, config);
        }).catch(reasonOf)
      : "there is no database yet";
  return withoutSecrets({ findings: redact(findings), gateway: told, log: loggedOf(log) }, secrets);
}

async function fromBox(box: Box, config: Config): Promise<Diagnostics> {
  const { health, metrics } = await fromGateway(box, config["state.dir"]);
  return gatherDiagnostics(
    {
      ...{ config, stores: box.stores, now: systemClock.now(), version: VERSION, health, metrics },
      live: NOTHING_LIVE,
    },
    box.stores.organizations.list().map(({ id }) => id),
  );
}

/** What only the running gateway knows; nulls where none answers. */
async function fromGateway(
  box: Box,
  stateDir: string,
): Promise<Pick<Diagnostics, "health" | "metrics">> {
  const presence = gatewayPresence(stateDir);
  if (presence.kind !== "running") return { health: null, metrics: null };
  try {
    const token = await boxToken(box);
    const health = await askHealth(presence.url, token);
    const figures = await askOpenly(presence.url, "/metrics", token);
    return { health, metrics: figures.ok ? await figures.text() : null };
  } catch {
    return { health: null, metrics: null };
  }
}

/** Its lines, or why there are none. */
type ReadLog = Pick<NewestLines, "leftOut"> & { readonly lines: readonly unknown[] };

async function logOf(file: string | undefined): Promise<ReadLog | Error> {
  try {
    const source = { file, lines: LOG_LINES, bytesMax: LOG_BYTES_MAX };
    const { lines, leftOut } = await newestLines(source);
    return { lines: lines.map(withoutSetupCode), leftOut };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function withoutSetupCode(line: string): unknown {
  const fields = fieldsOf(line);
  if (fields === undefined) return redact(line);
  const kept = Object.entries(fields).filter(([name]) => !FOR_THE_STARTER.has(name));
  return redact(Object.fromEntries(kept));
}

/** What stands in the file: who reads it later sees there that older lines are left out. */
function loggedOf(log: ReadLog | Error): unknown {
  if (log instanceof Error) return reasonOf(log);
  return log.leftOut === undefined ? log.lines : [log.leftOut, ...log.lines];
}

function reasonOf(error: unknown): string {
  return String(redact(errorText(error)));
}
