/** What a person is told of an upgrade of this machine: one under way, one broken off, the last one. */

import { statSync } from "node:fs";
import type { Command } from "commander";
import { startsFile } from "../config/state-files.ts";
import { againLine } from "../update/broken-upgrade.ts";
import { pathsAround } from "../update/machine-paths.ts";
import { readUpdateNote } from "../update/outcome-note.ts";
import { servicesIn } from "../update/services.ts";
import { type UpgradeNote, underWayText, upgradeState } from "../update/upgrade-lock.ts";
import { startLine } from "./service-state.ts";
import { loadSettings } from "./settings-options.ts";

/** An upgrade that has not come to its end, or whose services have not: `unstarted`. */
export interface UnendedUpgrade {
  readonly kind: "under_way" | "broken_off" | "unstarted";
  /** Instants are ISO 8601. */
  readonly text: string;
  /** What to do about it. */
  readonly cure: string;
  /** Line to be pasted; absent where there is only to wait. */
  readonly line?: string;
}

/**
 * Looks for one on the machine whose state a command works on.
 * @param isRunning whether its gateway runs: one that was broken off before it replaced anything is
 * over then
 */
export function unendedUpgrade(command: Command, isRunning: boolean): UnendedUpgrade | undefined {
  const paths = pathsAround(loadSettings(command).config["state.dir"]);
  if (paths === undefined) return undefined;
  const state = upgradeState(paths);
  if (state.kind === "none") return undefined;
  const { note } = state;
  if (state.kind === "under_way") {
    return { kind: state.kind, text: underWayText(note), cure: "wait until it has ended" };
  }
  if (state.kind === "unstarted") {
    return isRunning || hasStartedSince(command, paths)
      ? undefined
      : unstartedGateway(command, note);
  }
  const { kind } = state;
  const which = [
    ...(note.to === undefined ? [] : [` to ${note.to}`]),
    ...(note.since === undefined ? [] : [` of ${note.since}`]),
  ].join("");
  if (state.isBetween) {
    const line = againLine(note);
    return {
      ...{ kind, line },
      text:
        `the update${which} was broken off: this machine is between two versions; ` +
        "the new one stays where it has taken commands for some minutes since",
      cure: `${line}: it goes back to the former version and begins anew; a restart of the machine goes back too`,
    };
  }
  if (isRunning) return undefined;
  const line = startLine(command);
  const text = `the update${which} was broken off before it replaced anything, its gateway stopped`;
  return { ...{ kind, text, line }, cure: `${line}; then begin the update anew` };
}

/** Whether the gateway has started since what an update left was noted; false where nobody can tell. */
function hasStartedSince(command: Command, { lock }: { readonly lock: string }): boolean {
  try {
    const starts = startsFile(loadSettings(command).config["state.dir"]);
    return statSync(starts).mtimeMs > statSync(lock).mtimeMs;
  } catch {
    return false;
  }
}

/** @returns undefined where it is another service that does not start */
function unstartedGateway(command: Command, note: UpgradeNote): UnendedUpgrade | undefined {
  if (!servicesIn(note.services ?? "").includes("fiscald")) return undefined;
  const line = startLine(command);
  const text = "the gateway did not start when the last update ended";
  const cure = `${line}; why it does not start shows journalctl -u fiscald -n 50`;
  return { kind: "unstarted", text, line, cure };
}

/** What the last one came to; undefined where none is known. Instants are ISO 8601. */
export function lastUpgrade(command: Command): string | undefined {
  const paths = pathsAround(loadSettings(command).config["state.dir"]);
  const last = paths === undefined ? null : readUpdateNote(paths.note);
  if (last === null) return undefined;
  const { outcome, from, to, at, reason } = last;
  if (outcome === "updated") return `${from} to ${to}, at ${at}`;
  return `${from} was not updated to ${to} at ${at}: ${reason ?? "the reason is not known"}`;
}
