/** The command line: its commands, and how their failures become exit codes. */

import { Command, CommanderError } from "commander";
import { settingsHelp } from "../config/settings-text.ts";
import { describeFailure, EXIT, type ExitCode } from "./exit.ts";
import { printError, printErrorText, printText } from "./output.ts";
import { versionLine } from "./version-line.ts";

type Creators = ReadonlyMap<string, () => Promise<Command>>;

/**
 * One line per command, in the groups and the order of the help. Each has its code loaded when it is
 * the one that runs: all of it takes a tenth of a second of the processor.
 */
const GROUPS: ReadonlyMap<string, Creators> = new Map([
  [
    "Begin:",
    new Map([
      ["setup", async () => (await import("./setup.ts")).setupCommand()],
      ["serve", async () => (await import("./serve.ts")).serveCommand()],
      ["controller", async () => (await import("./controller.ts")).controllerCommand()],
      ["detect", async () => (await import("./detect.ts")).detectCommand()],
    ]),
  ],
  [
    "Every day:",
    new Map([
      ["status", async () => (await import("./status.ts")).statusCommand()],
      ["address", async () => (await import("./address.ts")).addressCommand()],
      ["alert", async () => (await import("./alert.ts")).alertCommand()],
      ["command", async () => (await import("./command.ts")).commandCommand()],
    ]),
  ],
  [
    "Change:",
    new Map([
      ["device", async () => (await import("./device.ts")).deviceCommand()],
      ["key", async () => (await import("./key.ts")).keyCommand()],
      ["user", async () => (await import("./user.ts")).userCommand()],
      ["plan", async () => (await import("./plan.ts")).planCommand()],
    ]),
  ],
  [
    "Keep safe:",
    new Map([
      ["backup", async () => (await import("./backup.ts")).backupCommand()],
      ["restore", async () => (await import("./restore.ts")).restoreCommand()],
      ["check", async () => (await import("./repair.ts")).checkCommand()],
      ["repair", async () => (await import("./repair.ts")).repairCommand()],
    ]),
  ],
  [
    "Look closer:",
    new Map([
      ["doctor", async () => (await import("./doctor.ts")).doctorCommand()],
      ["logs", async () => (await import("./logs.ts")).logsCommand()],
      ["diagnostics", async () => (await import("./diagnostics.ts")).diagnosticsCommand()],
      ["trace", async () => (await import("./trace.ts")).traceCommand()],
      ["tls", async () => (await import("./tls.ts")).tlsCommand()],
      ["config", async () => (await import("./config.ts")).configCommand()],
      ["profile", async () => (await import("./profile.ts")).profileCommand()],
      ["simulate", async () => (await import("./simulate.ts")).simulateCommand()],
      [
        "controller-check",
        async () => (await import("./controller-check.ts")).controllerCheckCommand(),
      ],
      ["update", async () => (await import("./update.ts")).updateCommand()],
      ["migrate", async () => (await import("./migrate.ts")).migrateCommand()],
      ["version", async () => (await import("./version.ts")).versionCommand()],
    ]),
  ],
]);

/** The command line as far as these arguments need it: with the command they name, or all. */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command("fiscald")
    .description("Fiscal device gateway: one legal receipt for each sale, printed once.")
    .version(versionLine(), "--version", "print the version")
    .helpCommand(false)
    .addHelpText("after", () => `\n${settingsHelp()}`);
  // No option before a command takes a value, so the first word is the command.
  const word = args.find((one) => !one.startsWith("-")) ?? "";
  const isNamed = [...GROUPS.values()].some((creators) => creators.has(word));
  for (const [heading, creators] of GROUPS) {
    for (const [name, create] of creators) {
      if (!isNamed || name === word) program.addCommand((await create()).helpGroup(heading));
    }
  }
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .showHelpAfterError(`${calledAs(command)} --help shows what it takes.`)
      .configureOutput({ writeOut: printText, writeErr: printErrorText });
  }
  return program;
}

/** `fiscald command list`. */
function calledAs(command: Command): string {
  const above = command.parent === null ? [] : [calledAs(command.parent)];
  return [...above, command.name()].join(" ");
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
    await (await createProgram(args)).parseAsync(args, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    // The parser has printed its message or the help already; help asked for is no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { exitCode, message } = describeFailure(error);
    printError(message);
    return exitCode;
  }
}
