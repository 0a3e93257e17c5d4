/** Any command as a process of its own, watched through a file that holds what it writes. */

import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./until.ts";

/** A process that was started. */
export interface OwnProcess {
  readonly pid: number;
  /** Waits for a JSON line with this `msg`. @throws Error with the output when it ends first */
  line(message: string): Promise<Readonly<Record<string, unknown>>>;
  /** Everything it wrote so far. */
  output(): string;
  /** Its exit code once it has ended. */
  readonly exited: Promise<number>;
  /** SIGTERM, and waits for its end. @returns the exit code */
  stop(): Promise<number>;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
}

/** What a process writes: a file, and not a pipe, which would fill up unless somebody reads it. */
class Output {
  readonly descriptor: number;
  /** All of it, once the process is gone. */
  #whole: string | undefined;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "fiscald-output-"));
    this.descriptor = openSync(join(folder, "output"), "a+");
    // An open file needs no name, and so none is left behind, however the tests end.
    rmSync(folder, { recursive: true });
  }

  read(): string {
    if (this.#whole !== undefined) return this.#whole;
    const bytes = Buffer.alloc(fstatSync(this.descriptor).size);
    const length = readSync(this.descriptor, bytes, 0, bytes.length, 0);
    return bytes.toString("utf8", 0, length);
  }

  close(): void {
    this.#whole = this.read();
    closeSync(this.descriptor);
  }
}

/**
 * Most of those that tests start live for a second: what the engine's compilers cost they never earn
 * back. The optimizing one takes a seventh of their processor time, and the other one another tenth
 * unless it waits for what runs twenty times as often as it would. Benches measure what a shop runs.
 */
const BRIEF =
  process.env.NODE_ENV === "test"
    ? {
        BUN_JSC_useDFGJIT: "0",
        BUN_JSC_thresholdForJITAfterWarmUp: "10000",
        BUN_JSC_thresholdForJITSoon: "2000",
      }
    : {};

/**
 * Starts a command.
 * @param env its environment: empty unless given, but for an option of the engine, as nothing the
 * product needs may come from one
 */
export function startOwnProcess(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): OwnProcess {
  const written = new Output();
  const child = Bun.spawn([...command], {
    env: { ...BRIEF, ...env },
    stdin: "ignore",
    stdout: written.descriptor,
    stderr: written.descriptor,
  });
  const exited = child.exited.finally(() => written.close());
  const output = (): string => written.read();
  return {
    pid: child.pid,
    output,
    exited,
    line: (message) =>
      until(`"${message}" of ${command.join(" ")}`, () => {
        const hasEnded = child.exitCode !== null || child.signalCode !== null;
        const found = findLine(output(), message);
        if (found !== undefined) return found;
        if (hasEnded) throw new Error(`${command.join(" ")} ended early:\n${output()}`);
        return undefined;
      }),
    stop: () => {
      child.kill("SIGTERM");
      return exited;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Text of a field of a line. @throws Error when it is not there */
export function textOf(line: Readonly<Record<string, unknown>>, field: string): string {
  const value = line[field];
  if (typeof value !== "string") throw new Error(`no ${field} in ${JSON.stringify(line)}`);
  return value;
}

function findLine(text: string, message: string): Record<string, unknown> | undefined {
  for (const line of text.split("\n").slice(0, -1)) {
    if (!line.includes(`"msg":${JSON.stringify(message)}`)) continue;
    const fields: Record<string, unknown> = JSON.parse(line);
    return fields;
  }
  return undefined;
}
