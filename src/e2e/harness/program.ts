/** Running the product as a process of its own, as an operator would. */

import { join } from "node:path";
import { build } from "../../../scripts/build.ts";
import { type OwnProcess, startOwnProcess, textOf } from "./own-process.ts";

const ROOT = join(import.meta.dir, "../../..");

let built: Promise<string> | undefined;

/** Path of the executable, built from the source as it is now, once for each run. */
export function executable(): Promise<string> {
  built ??= build({ outfile: join(ROOT, "dist", "e2e", "fiscald") });
  return built;
}

/** A running process that said it is ready. */
export interface Running extends Omit<OwnProcess, "line"> {
  /** What it said when it was ready. */
  readonly ready: Readonly<Record<string, unknown>>;
}

/**
 * Starts the product and waits for the JSON line that says it is ready.
 * @param readyMessage the `msg` of that line
 * @param program path of the executable; one built from the source unless given
 * @throws Error with its output when it ends first
 */
export async function startProduct(
  args: readonly string[],
  readyMessage: string,
  program: string | Promise<string> = executable(),
): Promise<Running> {
  const started = startOwnProcess([await program, ...args]);
  try {
    return { ...started, ready: await started.line(readyMessage) };
  } catch (error) {
    await started.kill();
    throw error;
  }
}

/** Text of a field of a ready line. @throws Error when it is not there */
export function readyText({ ready }: Running, field: string): string {
  return textOf(ready, field);
}
