/** Running the programs that an update needs. */

/** What became of a program. */
export interface Run {
  readonly code: number;
  /** What it answered, by its standard output alone: this is read. */
  readonly answer: string;
  /** All that it wrote, complaints of whatever it runs too: for a person. */
  readonly said: string;
}

/**
 * Runs a program to its end, in a group of its own: a terminal signals all of the group in front, and
 * what is under way on the machine is not for Ctrl-C to cut off.
 * @param held an open file that it, and what it starts, has open too until its end
 * @throws Error when it is not there
 */
export async function run(command: readonly string[], held?: number): Promise<Run> {
  const inherited = held === undefined ? [] : [held];
  const stdio = ["ignore", "pipe", "pipe", ...inherited] as const;
  const child = Bun.spawn([...command], { stdio: [...stdio], detached: true });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, answer: out.trim(), said: `${out}${err}`.trim() };
}

/** As `run`. @throws Error with what it wrote when it fails */
export async function mustRun(command: readonly string[], held?: number): Promise<Run> {
  const ended = await run(command, held);
  if (ended.code === 0) return ended;
  throw new Error(`${command.slice(0, 2).join(" ")} ended with ${ended.code}: ${ended.said}`);
}
