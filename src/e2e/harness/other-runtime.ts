/** Programs that are not ours and need not be there: what runs on them is tried where they are. */

import { runToEnd } from "./run-to-end.ts";

/** Begins the line that says so where one is missing; the gate shows such lines. */
export const NOT_TRIED = "not tried: ";

/**
 * True where all of these programs are on the path. Where one is not, says what is not tried.
 * @param what is tried with them, for people
 */
export function hasPrograms(what: string, programs: readonly string[]): boolean {
  const missing = programs.filter((program) => Bun.which(program) === null);
  if (missing.length === 0) return true;
  process.stderr.write(
    `${NOT_TRIED}${what}, because this machine has no ${missing.join(", no ")}\n`,
  );
  return false;
}

/**
 * Whom to try something as that root alone may do, for `describe.each`: nobody where another user runs
 * the tests, and then says what is not tried.
 * @param what is tried, for people
 */
export function asRoot(what: string): string[] {
  if (process.geteuid?.() === 0) return ["root"];
  process.stderr.write(`${NOT_TRIED}${what}, because this is not root\n`);
  return [];
}

/** The environment in which they are found. */
export function programEnvironment(): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME };
}

/** Runs one of them to its end. @throws Error with what it wrote when it fails */
export async function mustRun(cwd: string, command: readonly string[]): Promise<void> {
  const { code, out, err } = await runToEnd(command, { cwd, env: programEnvironment() });
  if (code !== 0) throw new Error(`${command.join(" ")}:\n${out}${err}`);
}
