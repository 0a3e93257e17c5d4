/** A password from the standard input: a flag would show it to every process. */

import { CliFailure, EXIT } from "./exit.ts";

/** The first line. @throws CliFailure with code 2 when there is none */
export async function readPasswordLine(): Promise<string> {
  const [line = ""] = (await Bun.stdin.text()).split(/\r?\n/, 1);
  if (line === "") throw new CliFailure(EXIT.usage, "the standard input holds no password");
  return line;
}
