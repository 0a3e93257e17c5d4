/** Exit codes, and which failure gets which. */

import { DriverNotLoaded, ExchangeBrokenOff } from "#db/doubts.ts";
import { SchemaMismatch } from "#db/migrate.ts";
import { ConfigFaults } from "../config/load-config.ts";
import { StateLocked } from "../platform/lock.ts";
import { redact } from "../platform/redaction.ts";
import { errorCode } from "../platform/thrown.ts";
import { clockTimezone } from "../platform/timezone.ts";
import { UpdateRefused, UpdateStuck } from "../update/failures.ts";
import { driverCure } from "./driver-cure.ts";
import { inLocalTime } from "./local-time.ts";

/** What the process tells whoever started it. Scripts and service managers rely on these. */
export const EXIT = {
  /** Done, or asked to stop. */
  ok: 0,
  /** Done as far as it goes; something needs a person. */
  attention: 1,
  /** Wrong command line or settings; nothing was touched. */
  usage: 2,
  /** The state directory, its lock or its database cannot be used, or no gateway runs on it. */
  state: 3,
  /** The listen address is in use or not this machine's. */
  address: 4,
  /** This version cannot bring the database to its schema, as `migrate` finds, on a copy before an upgrade too. */
  unfit: 5,
  /** Asked by what goes back from an upgrade: the shop has taken nothing since. */
  untaken: 6,
  /** A defect of the program. Source: EX_SOFTWARE of BSD's sysexits. */
  defect: 70,
} as const satisfies Record<string, number>;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure whose exit code and one-line message are known where it is thrown. */
export class CliFailure extends Error {
  override readonly name = "CliFailure";

  constructor(
    readonly exitCode: ExitCode,
    message: string,
    options?: { cause: unknown },
  ) {
    super(message, options);
  }
}

/** An exit code and what to tell the person at the terminal. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly message: string;
}

/** Maps anything thrown by a command to its exit code and a message. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CliFailure) return { exitCode: error.exitCode, message: error.message };
  if (error instanceof ConfigFaults) return { exitCode: EXIT.usage, message: error.message };
  if (error instanceof StateLocked) return { exitCode: EXIT.state, message: error.message };
  if (error instanceof SchemaMismatch) {
    const message = `${error.message}; run the version that wrote it, or a newer one`;
    return { exitCode: EXIT.state, message };
  }
  if (error instanceof UpdateRefused) return { exitCode: EXIT.usage, message: error.message };
  if (error instanceof UpdateStuck) {
    return { exitCode: EXIT.state, message: inLocalTime(error.message, clockTimezone()) };
  }
  if (error instanceof ExchangeBrokenOff) return { exitCode: EXIT.state, message: error.message };
  if (error instanceof DriverNotLoaded) {
    return { exitCode: EXIT.state, message: `${error.message}; ${driverCure()}` };
  }
  if (isSqliteError(error)) {
    return { exitCode: EXIT.state, message: `the database cannot be used: ${error.message}` };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  // Nobody knows what a defect's message holds, so it is cleaned like a line of the log.
  return { exitCode: EXIT.defect, message: `defect: ${redact(text)}` };
}

/** True for errors of the SQLite drivers, which name their code `SQLITE_...`. */
function isSqliteError(error: unknown): error is Error {
  return errorCode(error)?.startsWith("SQLITE_") === true && error instanceof Error;
}
