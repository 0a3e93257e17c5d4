/** Programs that are not ours and need not be there: what runs on them is tried where they are. */

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

/** The environment in which they are found. */
export function programEnvironment(): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME };
}
