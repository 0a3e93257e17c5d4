/** What `fiscald update` says of a new version that did not work, by what became of the machine. */

import { errorText } from "../platform/thrown.ts";
import type { Machine, WayBack } from "../update/machine.ts";
import { CliFailure, EXIT } from "./exit.ts";

/** A version that does not work as it has to. */
export interface Failed {
  readonly former: string;
  readonly to: string;
  /** What was wrong with it. */
  readonly error: unknown;
}

/** It stays, for the shop has sold with it. */
export function stayed({ former, to, error }: Failed): CliFailure {
  const why = `the shop has sold with it, on a database that ${former} does not work on`;
  const message = `updated to ${to}, which stays: ${why}. It is not well: ${errorText(error)}`;
  return new CliFailure(EXIT.attention, message, { cause: error });
}

/** Nobody could tell whether the saved database has to come back: what is in its place stays. */
export function undecided({ former, to, error }: Failed, { isFormer, why }: WayBack): CliFailure {
  const message = isFormer
    ? `not updated (${errorText(error)}), and ${former}, which is in its place, does not work on the database: ${why}`
    : `${to} stays for now: whether ${former} can come back cannot be told: ${why}. It is not well: ${errorText(error)}`;
  return new CliFailure(EXIT.state, message, { cause: error });
}

/** The former version is in its place, and the database is one that it does not work on. */
export function kept({ former, error }: Failed, why: string): CliFailure {
  const database = `does not work on the database, which stays for what may have been taken since: ${why}`;
  const message = `not updated (${errorText(error)}), and ${former}, which is in its place, ${database}`;
  return new CliFailure(EXIT.state, message, { cause: error });
}

/** What was wrong, and where that is which was sold meanwhile; may be empty. */
export function withAside(error: unknown, aside: string): unknown {
  return aside === "" ? error : new Error(`${errorText(error)}; ${aside}`, { cause: error });
}

/** The former version is in its place again, or still. */
export function goneBack({ services }: Machine, former: string, error: unknown): CliFailure {
  const message = `not updated, ${howItRuns(services, former)}: ${errorText(error)}`;
  return new CliFailure(EXIT.attention, message, { cause: error });
}

function howItRuns(services: Machine["services"], former: string): string {
  const { missing } = services;
  if (missing.length === 0) return `${former} runs as before`;
  const names = missing.join(" or ");
  // Of the gateway nothing went on without it.
  if (!missing.some((name) => services.hasTo(name))) {
    return `${former} is in its place as before, and ${names} does not start, as before`;
  }
  return `${former} runs as before, but for ${names}, which does not start in it either`;
}
