/** Any command as a process of its own, watched through a file that holds what it writes. */

import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./until.ts";

/** A process that was started. */
export interface OwnProcess {
  readonly pid: number;
  /** Waits for a JSON line with this `msg`. @returns the line's text field of that name */
  logged(message: string, field: string): Promise<string>;
  /** Everything it wrote so far. */
  output(): string;
  /** Its exit code once it has ended. */
  readonly exited: Promise<number>;
  /** SIGTERM, and waits for its end. @returns the exit code */
  stop(): Promise<number>;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
}

let started = 0;

/**
 * Starts a command with nothing in its environment.
 * @param folder where what it writes is kept
 */
export function startOwnProcess(command: readonly string[], folder: string): OwnProcess {
  const file = join(folder, `output-${process.pid}-${++started}.log`);
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
    logged: (message, field) =>
      until(`"${message}" of ${command.join(" ")}`, () => {
        const hasEnded = child.exitCode !== null;
        const found = findField(output(), message, field);
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

function findField(text: string, message: string, field: string): string | undefined {
  for (const line of text.split("\n").slice(0, -1)) {
    if (!line.includes(`"msg":${JSON.stringify(message)}`)) continue;
    const fields: Record<string, unknown> = JSON.parse(line);
    return String(fields[field]);
  }
  return undefined;
}
