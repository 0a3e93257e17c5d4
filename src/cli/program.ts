/** The command line: its commands, and how their failures become exit codes. */

import { Command, CommanderError } from "commander";
import { settingsHelp } from "../config/settings-text.ts";
import { commandCommand } from "./command.ts";
import { configCommand } from "./config.ts";
import { detectCommand } from "./detect.ts";
import { deviceCommand } from "./device.ts";
import { describeFailure, EXIT, type ExitCode } from "./exit.ts";
import { keyCommand } from "./key.ts";
import { migrateCommand } from "./migrate.ts";
import { printError, printErrorText, printText } from "./output.ts";
import { profileCommand } from "./profile.ts";
import { serveCommand } from "./serve.ts";
import { simulateCommand } from "./simulate.ts";
import { traceCommand } from "./trace.ts";
import { userCommand } from "./user.ts";
import { versionCommand, versionLine } from "./version.ts";

/** One line per command, in the order of the help. */
const COMMANDS: readonly (() => Command)[] = [
  serveCommand,
  simulateCommand,
  userCommand,
  keyCommand,
  deviceCommand,
  commandCommand,
  traceCommand,
  detectCommand,
  profileCommand,
  migrateCommand,
  configCommand,
  versionCommand,
];

function createProgram(): Command {
  const program = new Command("fiscald")
    .description("Fiscal device gateway: one legal receipt for each sale, printed once.")
    .version(versionLine(), "--version", "print the version")
    .helpCommand(false)
    .addHelpText("after", `\n${settingsHelp()}`);
  for (const create of COMMANDS) program.addCommand(create());
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .showHelpAfterError("Run it with --help to see what it takes.")
      .configureOutput({ writeOut: printText, writeErr: printErrorText });
  }
  return program;
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/**
 * Runs one command line.
 * @param args the arguments after the program's name
 * @returns the exit code; messages have been printed
 */
export async function runCommandLine(args: readonly string[]): Promise<ExitCode> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    // The parser has printed its message or the help already; help asked for is no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { exitCode, message } = describeFailure(error);
    printError(message);
    return exitCode;
  }
}
