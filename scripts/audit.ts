/**
 * Looks for known vulnerabilities of the packages that are shipped: a step of the gate.
 *
 *   bun scripts/audit.ts              where the registry gives no answer it says `not tried: ...`
 *   bun scripts/audit.ts --required   fails then too: for a release
 *
 * What is known and does not concern us stands in audit-accepted.json, with the reason and the day
 * until which somebody has judged it so.
 */

import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { NOT_TRIED } from "../src/e2e/harness/other-runtime.ts";
import { runToEnd } from "../src/e2e/harness/run-to-end.ts";
import accepted from "./audit-accepted.json";

const ROOT = join(import.meta.dir, "..");
/** A registry that takes longer is as good as none. */
const ANSWER_MS = 60_000;

/** One known vulnerability, as the registry tells it. */
const Advisory = Type.Object({
  url: Type.String(),
  title: Type.String(),
  severity: Type.String(),
  vulnerable_versions: Type.String(),
});
const Answer = Type.Record(Type.String(), Type.Array(Advisory));

/** One that somebody has judged. */
export interface Accepted {
  /** `GHSA-xxxx-xxxx-xxxx`. */
  readonly id: string;
  readonly package: string;
  /** Why it does not concern what is shipped. */
  readonly reason: string;
  /** `2027-01-31`: from the day after on it fails again, so that somebody looks anew. */
  readonly until: string;
}

/** What came of an audit: lines that fail it, or why there was none. */
export type Audited =
  | { readonly kind: "found"; readonly faults: readonly string[] }
  | { readonly kind: "untried"; readonly reason: string };

/**
 * Judges what `bun audit --json` wrote.
 * @param today `2026-11-25`
 */
export function judge(
  wrote: { readonly out: string; readonly err: string },
  accepts: readonly Accepted[],
  today: string,
): Audited {
  let answer: unknown;
  try {
    answer = JSON.parse(wrote.out);
  } catch {
    const reason =
      wrote.err
        .trim()
        .split("\n")
        .at(-1)
        ?.replace(/^error: /, "") || "nothing";
    return { kind: "untried", reason };
  }
  if (!Value.Check(Answer, answer)) return { kind: "untried", reason: "the answer is no list" };
  const found = Object.entries(answer).flatMap(([name, advisories]) =>
    advisories.map((one) => ({ ...one, name, id: one.url.split("/").at(-1) ?? "" })),
  );
  const isAccepted = (one: { readonly name: string; readonly id: string }): boolean =>
    accepts.some(
      ({ id, package: of, until }) => id === one.id && of === one.name && today <= until,
    );
  const open = found
    .filter((one) => !isAccepted(one))
    .map(
      (one) => `${one.name} ${one.vulnerable_versions} (${one.severity}): ${one.title} ${one.url}`,
    );
  const left = accepts
    .filter(({ id, package: of }) => !found.some((one) => one.id === id && one.name === of))
    .map(({ id, package: of }) => `audit-accepted.json: ${id} of ${of} is not found any more`);
  return { kind: "found", faults: [...open, ...left] };
}

if (import.meta.main) {
  const command = [process.execPath, "audit", "--json", "--production"];
  const asked = runToEnd(command, { cwd: ROOT, env: process.env as Record<string, string> });
  const late = Bun.sleep(ANSWER_MS).then(() => ({ out: "", err: "it does not come", code: 1 }));
  const audited = judge(
    await Promise.race([asked, late]),
    accepted,
    new Date().toISOString().slice(0, 10),
  );
  if (audited.kind === "untried") {
    console.log(`${NOT_TRIED}known vulnerabilities, because the registry says ${audited.reason}`);
    process.exit(process.argv.includes("--required") ? 1 : 0);
  }
  for (const fault of audited.faults) console.log(fault);
  process.exit(audited.faults.length > 0 ? 1 : 0);
}
