/** Any command as a process of its own, watched through a file that holds what it writes. */

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
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

let folder: string | undefined;
let started = 0;

/** A new file for what a process writes; all of them go when this process ends. */
function outputFile(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "fiscald-output-"));
    process.on("exit", () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return join(folder, `${++started}.log`);
}

/** Starts a command with nothing in its environment, as nothing it needs may come from one. */
export function startOwnProcess(command: readonly string[]): OwnProcess {
  const file = outputFile();
  // A file, and not a pipe: it neither fills up nor has to be read for the process to go on.
  const descriptor = openSync(file, "a");
  const child = Bun.spawn([...command], {
    env: {},
    stdin: "ignore",
    stdout: descriptor,
    stderr: descriptor,
  });
  closeSync(descriptor);
  const output = (): string => readFileSync(file, "utf8");
  return {
    pid: child.pid,
    output,
    exited: child.exited,
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
      return child.exited;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
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
