/** An update that was broken off and left its machine between two versions: what is known of it. */

import { lineOfUser } from "../platform/user-line.ts";
import { pathsAround } from "./machine-paths.ts";
import { type UpgradeNote, upgradeState } from "./upgrade-lock.ts";

export interface BrokenUpgrade {
  readonly note: UpgradeNote;
  /** To be typed at the machine: it goes back to the former version and begins anew. */
  readonly line: string;
}

/**
 * Looks for one on the machine whose gateway keeps its state there.
 * @returns undefined where there is none, and while one is under way
 */
export function upgradeBetween(stateDir: string): BrokenUpgrade | undefined {
  const paths = pathsAround(stateDir);
  const state = paths === undefined ? undefined : upgradeState(paths);
  if (state?.kind !== "broken_off" || !state.isBetween) return undefined;
  return { note: state.note, line: againLine(state.note) };
}

/** What began it; the path of the archive is not known of what was left by an older version. */
export function againLine({ file }: UpgradeNote): string {
  if (file?.endsWith("/install.sh") === true) return lineOfUser("root", ["sh", file]);
  const archive = file?.endsWith("/go-back.sh") === true ? undefined : file;
  return lineOfUser("root", ["fiscald", "update", archive ?? "FILE"]);
}
