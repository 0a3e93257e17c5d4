/** Taking and showing measurements. */

import { readdir } from "node:fs/promises";

/** Durations of many equal operations, in milliseconds. */
export class Durations {
  readonly #ms: number[] = [];

  add(ms: number): void {
    this.#ms.push(ms);
  }

  get count(): number {
    return this.#ms.length;
  }

  /** The duration that `share` (0..1) of the operations did not pass. */
  percentile(share: number): number {
    const sorted = this.#ms.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  }
}

/** What a run of parallel workers came to. */
export interface Throughput {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Runs `work` `count` times in all over so many workers, each one after the other.
 * @param work given the number of the run, 0..count-1, and of the worker
 */
export async function measure(
  options: { readonly workers: number; readonly count: number },
  work: (run: number, worker: number) => Promise<void>,
): Promise<Throughput> {
  const durations = new Durations();
  let next = 0;
  const startedAt = performance.now();
  const worker = async (index: number): Promise<void> => {
    while (next < options.count) {
      const run = next++;
      const begin = performance.now();
      await work(run, index);
      durations.add(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: options.workers }, (_, index) => worker(index)));
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    perSecond: options.count / seconds,
    p50Ms: durations.percentile(0.5),
    p99Ms: durations.percentile(0.99),
  };
}

/** Memory of a process in MB: what is resident, and what of it is its own. */
export interface MemoryUse {
  readonly resident: number;
  /** Without the pages of the executable file, which the system can drop at any time. */
  readonly anonymous: number;
}

/** Reads the memory of a process; NaN where the system does not tell. */
export async function memoryOf(pid: number): Promise<MemoryUse> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  const megabytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1_024;
  return { resident: megabytes("VmRSS"), anonymous: megabytes("RssAnon") };
}

/** Processor time that all threads of a process have taken so far. Milliseconds. */
export async function processorMsOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = threads.map((thread) => threadMsOf(pid, Number(thread)));
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0);
}

/** Processor time that one thread has taken so far; the main thread's number is the process's. */
export async function threadMsOf(pid: number, thread: number): Promise<number> {
  const file = Bun.file(`/proc/${pid}/task/${thread}/schedstat`);
  // A thread may have ended since.
  const text = await file.text().catch(() => "0");
  return Number(text.split(" ")[0]) / 1e6;
}

/** Prints one line: what, how much, and what it is compared with. */
export function show(what: string, figure: string, beside = ""): void {
  console.log(`${what.padEnd(58)} ${figure.padStart(24)}   ${beside}`);
}

export function title(text: string): void {
  console.log(`\n${text}`);
}

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString("en")}/s`;
export const ms = (value: number): string => `${value.toFixed(2)} ms`;
export const percent = (value: number, ceiling: number, decimals = 0): string =>
  `${((100 * value) / ceiling).toFixed(decimals)} %`;
