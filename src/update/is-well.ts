/** Whether the gateway that was just started is well, and stays so. */

import { readFileSync } from "node:fs";
import { stateFiles } from "../config/state-files.ts";
import { errorText } from "../platform/thrown.ts";

/** It has been started before: what it does at its start is done, but for a slow disk. */
const DEADLINE_MS = 60_000;
const BETWEEN_MS = 250;
const ANSWER_MS = 5_000;
/** Without these nothing works: they have to be well, however they were before. */
const ALWAYS: readonly string[] = ["database", "disk"];

export interface Expected {
  readonly version: string;
  /** How long it has to be well without a break. Milliseconds. */
  readonly watchMs: number;
  /** Names of checks that had failed before: an ended certificate is no fault of the new version. */
  readonly failedBefore: readonly string[];
}

/** What `/health` says, as far as an update looks at it. */
interface Health {
  readonly version?: unknown;
  readonly checks?: Readonly<Record<string, { readonly status?: unknown }>>;
}

/**
 * Waits until it is well for long enough.
 * @throws Error with what was wrong last when it was not in time
 */
export async function isWell(stateDir: string, expected: Expected): Promise<void> {
  const { watchMs } = expected;
  const deadline = performance.now() + DEADLINE_MS + watchMs;
  let wellSince: number | undefined;
  for (;;) {
    const fault = await faultOf(stateDir, expected);
    const now = performance.now();
    wellSince = fault === undefined ? (wellSince ?? now) : undefined;
    if (wellSince !== undefined && now - wellSince >= watchMs) return;
    if (now > deadline) throw new Error(fault ?? "it was not well for long enough");
    await Bun.sleep(BETWEEN_MS);
  }
}

/** Names of the checks that fail now; none where nobody answers, as while no gateway runs. */
export async function failedChecks(stateDir: string): Promise<string[]> {
  try {
    return failedOf((await askHealth(stateDir)).health);
  } catch {
    return [];
  }
}

/** Undefined when it is well. */
async function faultOf(
  stateDir: string,
  { version, failedBefore }: Expected,
): Promise<string | undefined> {
  try {
    const { isOk, health } = await askHealth(stateDir);
    if (health.version !== version) return `version ${health.version} answers, not ${version}`;
    const failed = failedOf(health);
    const isNew = (name: string): boolean => ALWAYS.includes(name) || !failedBefore.includes(name);
    if (isOk || (failed.length > 0 && !failed.some(isNew))) return undefined;
    return `/health says ${JSON.stringify(health.checks)}`;
  } catch (error) {
    return `it does not answer: ${errorText(error)}`;
  }
}

function failedOf({ checks = {} }: Health): string[] {
  return Object.keys(checks).filter((name) => checks[name]?.status === "failed");
}

/** @throws Error where nobody answers, or not with JSON */
async function askHealth(stateDir: string): Promise<{ isOk: boolean; health: Health }> {
  const url = new URL(readFileSync(stateFiles(stateDir).address, "utf8").trim());
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(`${url.origin}/health`, { signal, proxy: false });
  return { isOk: response.ok, health: (await response.json()) as Health };
}
