/** Running the product as a process of its own, as an operator would. */

import { join } from "node:path";
import { build } from "../../../scripts/build.ts";
import { until } from "./until.ts";

const ROOT = join(import.meta.dir, "../../..");

let built: Promise<string> | undefined;

/** Path of the executable, built from the source as it is now, once for each run. */
export function executable(): Promise<string> {
  built ??= build({ outfile: join(ROOT, "dist", "e2e", "fiscald") });
  return built;
}

/** A running process that said it is ready. */
export interface Running {
  readonly pid: number;
  /** What it said when it was ready. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** Everything it wrote so far. */
  output(): string;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for its end. @returns the exit code */
  stop(): Promise<number>;
  /** Its exit code once it has ended. */
  readonly exited: Promise<number>;
}

/** Output kept of one process. */
const OUTPUT_CHARACTERS_MAX = 1_000_000;

/**
 * Starts the product and waits for the JSON line that says it is ready.
 * The process gets an empty environment, as nothing it needs may come from one.
 * @param readyMessage the `msg` of that line
 * @param program path of the executable; one built from the source unless given
 * @throws Error with its output when it ends first
 */
export async function startProduct(
  args: readonly string[],
  readyMessage: string,
  program: string | Promise<string> = executable(),
): Promise<Running> {
  const child = Bun.spawn([await program, ...args], {
    env: {},
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let output = "";
  let ready: Record<string, unknown> | undefined;
  let ended = false;
  const hear = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
      if (ready) continue;
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      ready = lines.map(parseLine).find((line) => line?.msg === readyMessage);
    }
  };
  const heard = Promise.all([hear(child.stdout), hear(child.stderr)]);
  void child.exited.then(() => {
    ended = true;
  });
  const line = await until(`"${readyMessage}"`, () => {
    if (ended && !ready) throw new Error(`${args.join(" ")} ended early:\n${output}`);
    return ready;
  }).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  return {
    pid: child.pid,
    ready: line,
    output: () => output,
    exited: child.exited,
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
      await heard;
    },
    async stop() {
      child.kill("SIGTERM");
      const code = await child.exited;
      await heard;
      return code;
    },
  };
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Text of a field of a ready line. @throws Error when it is not there */
export function readyText(running: Running, field: string): string {
  const value = running.ready[field];
  if (typeof value !== "string") throw new Error(`no ${field} in ${JSON.stringify(running.ready)}`);
  return value;
}
