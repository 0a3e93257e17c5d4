/** Whether the gateway that was just started is well, and stays so. */

import { readFileSync } from "node:fs";
import { stateFiles } from "../config/state-files.ts";
import { errorText } from "../platform/thrown.ts";

/** It has been started before: what it does at its start is done, but for a slow disk. */
const DEADLINE_MS = 60_000;
const BETWEEN_MS = 250;
const ANSWER_MS = 5_000;

export interface Expected {
  readonly version: string;
  /** How long it has to be well without a break. Milliseconds. */
  readonly watchMs: number;
}

/**
 * Waits until it is well for long enough.
 * @throws Error with what was wrong last when it was not in time
 */
export async function isWell(stateDir: string, { version, watchMs }: Expected): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS + watchMs;
  let wellSince: number | undefined;
  for (;;) {
    const fault = await faultOf(stateDir, version);
    const now = performance.now();
    wellSince = fault === undefined ? (wellSince ?? now) : undefined;
    if (wellSince !== undefined && now - wellSince >= watchMs) return;
    if (now > deadline) throw new Error(fault ?? "it was not well for long enough");
    await Bun.sleep(BETWEEN_MS);
  }
}

/** Undefined when it is well. */
async function faultOf(stateDir: string, version: string): Promise<string | undefined> {
  try {
    const url = new URL(readFileSync(stateFiles(stateDir).address, "utf8").trim());
    if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
    if (url.hostname === "[::]") url.hostname = "[::1]";
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(`${url.origin}/health`, { signal, proxy: false });
    const health = (await response.json()) as Readonly<Record<string, unknown>>;
    if (health.version !== version) return `version ${health.version} answers, not ${version}`;
    return response.ok ? undefined : `/health says ${JSON.stringify(health.checks)}`;
  } catch (error) {
    return `it does not answer: ${errorText(error)}`;
  }
}
