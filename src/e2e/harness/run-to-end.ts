/** Running a command to its end. */

/** What came of it. */
export interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Empty unless given, as nothing the product needs may come from one. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Runs a command, gives it its input and waits for its end. */
export async function runToEnd(
  command: readonly string[],
  { cwd, env = {}, stdin = "" }: RunOptions = {},
): Promise<Ended> {
  const child = Bun.spawn([...command], {
    env: { ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
}
