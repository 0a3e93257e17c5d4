/** Running the programs that an update needs. */

/** What became of a program. */
export interface Run {
  readonly code: number;
  /** All that it wrote. */
  readonly said: string;
}

/** Runs a program to its end. @throws Error when it is not there */
export async function run(command: readonly string[]): Promise<Run> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, said: `${out}${err}`.trim() };
}

/** Runs a program to its end. @returns what it wrote @throws Error with that when it fails */
export async function mustRun(command: readonly string[]): Promise<string> {
  const { code, said } = await run(command);
  if (code === 0) return said;
  throw new Error(`${command.slice(0, 2).join(" ")} ended with ${code}: ${said}`);
}
