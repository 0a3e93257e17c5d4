/** `fiscald logs`: the log of the service, for a person to read. */

import { Command, InvalidArgumentError, Option } from "commander";
import { LOG_LEVELS } from "../platform/log-level.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { fieldsOf, journalWords, newestLines, readable } from "./log-lines.ts";
import { harmless, printError, printLine } from "./output.ts";
import { readLines } from "./read-lines.ts";
import { addSettings } from "./settings-options.ts";

const LINES = 100;
const LINES_MAX = 100_000;
/** So many lines of the gateway's own have less. */
const BYTES_MAX = 33_554_432;
/** A gateway in a container, or one started by hand, has no journal. */
const NO_LINES =
  "there is no log here: the journal of the service fiscald, or the file, has no line. A gateway " +
  "that no service started writes its log to its own output: name a file that keeps it with --file";

interface LogsOptions {
  readonly lines: number;
  readonly level: (typeof LOG_LEVELS)[number];
  readonly follow?: true;
  readonly file?: string;
  readonly json?: true;
}

export function logsCommand(): Command {
  const command = new Command("logs")
    .description("show the log of the service, in words")
    .option("--lines <N>", "begin with so many of the newest", readCount, LINES)
    .addOption(
      new Option("--level <LEVEL>", "only lines of this level and above")
        .choices(LOG_LEVELS.filter((level) => level !== "silent"))
        .default("debug"),
    )
    .addOption(new Option("--follow", "go on with what comes, until Ctrl-C").conflicts("file"))
    .option("--file <FILE>", "a file of the gateway's output, in place of the journal")
    .option("--json", "print the lines as they are");
  // Taken as all commands take it, which are typed one after another.
  return addSettings(command, ["state.dir"]).action((options: LogsOptions) => show(options));
}

async function show(options: LogsOptions): Promise<void> {
  const print = (line: string): boolean => {
    if (!isShown(line, options.level)) return true;
    return printLine(options.json === true ? line : harmless(readable(line)));
  };
  if (options.follow === true) return follow(options.lines, print);
  const { lines, leftOut } = await newestLines({ ...options, bytesMax: BYTES_MAX });
  if (lines.length === 0 && leftOut === undefined) throw new CliFailure(EXIT.state, NO_LINES);
  for (const line of lines) if (!print(line)) return;
  if (leftOut !== undefined) printError(leftOut);
}

async function follow(lines: number, print: (line: string) => boolean): Promise<void> {
  // Who may not read it waits for nothing else.
  await newestLines({ lines: 1, bytesMax: BYTES_MAX });
  const journal = Bun.spawn([...journalWords(lines), "--follow"], { stderr: "inherit" });
  try {
    for await (const line of readLines(journal.stdout)) if (!print(line)) break;
  } finally {
    journal.kill();
  }
  if ((await journal.exited) > 0) throw new CliFailure(EXIT.state, "the journal cannot be read");
}

/** Lines that are not the log's, such as a crash's, are always shown. */
function isShown(line: string, least: LogsOptions["level"]): boolean {
  const levels: readonly unknown[] = LOG_LEVELS;
  const rank = levels.indexOf(fieldsOf(line)?.level);
  return rank === -1 || rank >= levels.indexOf(least);
}

function readCount(text: string): number {
  const lines = Number(text);
  if (Number.isInteger(lines) && lines >= 1 && lines <= LINES_MAX) return lines;
  throw new InvalidArgumentError(`It takes a number from 1 to ${LINES_MAX}.`);
}
