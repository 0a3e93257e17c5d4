/** Asking the installer's own steps: those of this version, whatever version the files on the machine are of. */

import STEPS from "../../systemd/steps.sh" with { type: "text" };
import { type Run, run } from "./run-program.ts";

/**
 * @param step with its words as `$1`, `$2`...
 * @param state folder of what the gateway has stored, for steps that look at it
 */
export function askSteps(
  step: string,
  words: readonly string[],
  { state }: { readonly state: string } = { state: "" },
): Promise<Run> {
  const script = `root= state=$1 user=; shift\n${STEPS}\n${step}`;
  return run(["sh", "-euc", script, "sh", state, ...words]);
}
