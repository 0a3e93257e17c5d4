/** Whether the real command line would take a call: its command and options have to exist. */

import { type Command, CommanderError } from "commander";
import { createProgram } from "../../src/cli/program.ts";

/** Explained by every command. */
const HELP = ["--help", "-h", "--version"];
/** A name in the place of a word: nothing that exists. */
const PLACEHOLDER = /^<.*>$|^\.\.\.$/;

/**
 * What is wrong with a call; undefined when nothing is.
 * @param words behind the name of the program
 * @param isMention of a command in a text, without what it is about
 */
export async function callFault(
  words: readonly string[],
  { isMention }: { readonly isMention: boolean },
): Promise<string | undefined> {
  const [first = ""] = words;
  if (PLACEHOLDER.test(first)) return undefined;
  const program = await createProgram(words);
  quiet(program);
  const fault = faultOf(
    program,
    words.filter((word) => word !== "..."),
    isMention,
  );
  return fault === undefined ? undefined : `fiscald ${words.join(" ")}: ${fault}`;
}

/** What is wrong is told by the caller. */
function quiet(command: Command): void {
  command.configureOutput({ writeErr: () => undefined });
  for (const inner of command.commands) quiet(inner);
}

function faultOf(
  command: Command,
  words: readonly string[],
  isMention: boolean,
): string | undefined {
  const [first, ...rest] = words;
  const inner = command.commands.find((one) => one.name() === first);
  if (inner !== undefined) return faultOf(inner, rest, isMention);
  const isGroup = command.commands.length > 0;
  if (isGroup && first !== undefined && !first.startsWith("-")) return `no command ${first}`;
  try {
    const asked = words.filter((word) => !HELP.includes(word));
    // A mention of an option may leave its value out.
    if (isMention && asked.at(-1)?.startsWith("-") === true) asked.push("value");
    const { operands, unknown } = command.parseOptions([...asked]);
    const [stray] = unknown;
    if (stray !== undefined) return `no option ${stray}`;
    if (isMention || asked.length < words.length || isGroup) return undefined;
    const taken = command.registeredArguments;
    const required = taken.filter((argument) => argument.required).length;
    const max = taken.at(-1)?.variadic === true ? Number.POSITIVE_INFINITY : taken.length;
    const isFit = operands.length >= required && operands.length <= max;
    return isFit ? undefined : `takes ${required} to ${max} words, not ${operands.length}`;
  } catch (error) {
    if (error instanceof CommanderError) return error.message;
    throw error;
  }
}
