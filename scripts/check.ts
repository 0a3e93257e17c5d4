/**
 * The one gate: bun run check. Everything that must hold before a change goes in.
 *
 * It needs no `bun` on the PATH, for it may have been started by npx: each step runs on the very
 * executable that runs this. Steps are quiet unless they fail, and a failure does not hide what
 * comes after it, except where the rest could not mean anything.
 */

import { join } from "node:path";
import { packageManager } from "../package.json";

const ROOT = join(import.meta.dir, "..");
const BUN = process.execPath;

interface Step {
  readonly name: string;
  readonly args: readonly string[];
  /** True for a step without which the later ones would only repeat its failure. */
  readonly isFoundation?: boolean;
}

const STEPS: readonly Step[] = [
  { name: "install", args: ["install", "--frozen-lockfile"], isFoundation: true },
  {
    name: "format and lint",
    args: ["run", "--bun", "biome", "ci", "--error-on-warnings", "--colors=off", "."],
  },
  { name: "types", args: ["run", "--bun", "tsc", "--noEmit"] },
  { name: "tests", args: ["test", "--only-failures"] },
  { name: "build", args: ["scripts/build.ts"], isFoundation: true },
  { name: "executable", args: ["scripts/smoke-binary.ts"] },
];

interface Score {
  readonly passed: number;
  readonly failed: number;
}

interface Outcome {
  readonly code: number;
  readonly output: string;
}

async function run(args: readonly string[]): Promise<Outcome> {
  const child = Bun.spawn([BUN, ...args], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, NO_COLOR: "1" },
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output: `${out}${err}` };
}

/** A run of the tests counts each test, any other step counts as one. */
function scoreOf({ code, output }: Outcome): Score {
  const passed = lastCount(output, "pass");
  const failed = lastCount(output, "fail");
  if (passed === undefined || failed === undefined) {
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  }
  // A run that ends badly without a failed test did so outside of them, and has failed all the same.
  return { passed, failed: code === 0 ? failed : Math.max(1, failed) };
}

function lastCount(output: string, word: string): number | undefined {
  const counts = [...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))];
  const text = counts.at(-1)?.[1];
  return text === undefined ? undefined : Number(text);
}

function requireRuntime(): void {
  const wanted = packageManager.replace("bun@", "");
  if (Bun.version === wanted) return;
  console.error(`this is Bun ${Bun.version}; run: npx --yes bun@${wanted} run check`);
  process.exit(1);
}

async function main(): Promise<number> {
  requireRuntime();
  let passed = 0;
  let failed = 0;
  for (const step of STEPS) {
    const startedAt = performance.now();
    const outcome = await run(step.args);
    const score = scoreOf(outcome);
    passed += score.passed;
    failed += score.failed;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const isGood = score.failed === 0;
    if (!isGood) console.log(outcome.output);
    console.log(`${isGood ? "ok    " : "FAILED"} ${step.name} (${seconds} s)`);
    if (!isGood && step.isFoundation === true) break;
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exit(await main());
