/** A workload as it was watched, and when in it somebody was told something. */

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasPrograms, NOT_TRIED, programEnvironment } from "../harness/other-runtime.ts";
import { runToEnd } from "../harness/run-to-end.ts";
import type { Story, Told, Witness } from "./story.ts";
import { type Call, readCalls, straceWords } from "./system-calls.ts";

/** What a program did to its disk. */
export interface Watched {
  readonly folder: string;
  /** What is subject to the loss of power. */
  readonly disk: string;
  readonly calls: readonly Call[];
}

/** A shop's first hour. */
export interface Recording extends Watched {
  /** Where the printers keep their books: what was done to them is not lost. */
  readonly printers: string;
  readonly story: Story;
  /** What was told, by the position from which on it may have been read. */
  readonly told: readonly { readonly at: number; readonly what: Told }[];
}

/** True where processes can be watched. Where they cannot, says what is not tried. */
export async function canRecord(folder: string): Promise<boolean> {
  const what = "a power cut at any write";
  if (!hasPrograms(what, ["strace"])) return false;
  const trial = join(folder, "trial");
  const words = [...straceWords(trial), process.execPath, "--version"];
  const { code } = await runToEnd(words, { env: programEnvironment() });
  if (code === 0 && existsSync(trial)) return true;
  process.stderr.write(`${NOT_TRIED}${what}, because strace may watch nothing here\n`);
  return false;
}

/**
 * Runs a program of this folder and watches it. What it does to `disk` in the folder is told.
 * @param name of the program's file
 * @param folder of its own; its first argument
 * @throws Error with what the program wrote when it fails
 */
export async function watch(
  name: string,
  folder: string,
  args: readonly string[] = [],
): Promise<Watched> {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const output = join(folder, "calls");
  const program = [process.execPath, join(import.meta.dir, name), folder, ...args];
  const words = [...straceWords(output), ...program];
  const { code, out, err } = await runToEnd(words, { env: programEnvironment() });
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${out}${err}`);
  return { folder, disk, calls: readCalls(output) };
}

/**
 * Watches a shop's first hour.
 * @param folder of its own, empty
 * @param sales of each till
 */
export async function record(folder: string, sales: number): Promise<Recording> {
  const printers = join(folder, "printers");
  mkdirSync(printers);
  const watched = await watch("workload.ts", folder, [String(sales)]);
  const { calls } = watched;
  const story: Story = JSON.parse(readFileSync(join(folder, "story.json"), "utf8"));
  const positionOf = positions(calls);
  const told = story.told.map(({ by, what }) => ({ at: positionOf(by), what }));
  return { ...watched, printers, story, told };
}

/** Calls that change the disk or have it written. */
export function deedsOn({ disk, calls }: Watched): readonly Call[] {
  return calls.filter(({ deed }) => {
    if (deed.kind === "open" && !deed.how.includes("O_CREAT")) return false;
    const paths = "path" in deed ? [deed.path] : "from" in deed ? [deed.from, deed.to] : [];
    return paths.some((path) => path.startsWith(disk));
  });
}

const REQUEST_ID = /^HTTP\/1\.1 [\s\S]*?\r\nx-request-id: (story-\d+)\r\n/i;
/** Of an answer, before its body. */
const HEAD_BYTES = 2_000;

function positions(calls: readonly Call[]): (by: Witness) => number {
  const answers = new Map<string, number>();
  const marks = new Map<string, number>();
  for (const { begin, deed } of calls) {
    if (deed.kind === "open" && deed.how.includes("O_CREAT")) marks.set(deed.path, begin);
    if (deed.kind !== "send") continue;
    const id = REQUEST_ID.exec(deed.data.toString("latin1", 0, HEAD_BYTES))?.[1];
    if (id !== undefined && !answers.has(id)) answers.set(id, begin);
  }
  return (by) => {
    const at = "mark" in by ? marks.get(by.mark) : answers.get(by.requestId);
    if (at === undefined) throw new Error(`nobody was seen telling ${JSON.stringify(by)}`);
    return at;
  };
}
