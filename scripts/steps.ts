/**
 * Steps of the gate and of the loop, each a process of its own.
 *
 * They need no `bun` on the PATH, for they may have been started by npx: each runs on the very
 * executable that runs this. A step is quiet unless it fails, but for what this machine lacks to try.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import bunfig from "../bunfig.toml";
import { NOT_TRIED } from "../src/e2e/harness/other-runtime.ts";

const ROOT = join(import.meta.dir, "..");
const BUN = process.execPath;

const TIMINGS = join(ROOT, "dist", "test-timings.json");

/**
 * Seconds that the slowest test files take one by one, roughly, what they wait for included: they are
 * started first, so that no core is left with one of them when the others are done.
 */
const SLOW_TESTS_SECONDS: Readonly<Record<string, number>> = {
  "src/e2e/crash/every-driver.test.ts": 236,
  "src/cli/update-interrupted.test.ts": 109,
  "src/e2e/power-cut.test.ts": 64,
  "src/e2e/settled-away.test.ts": 54,
  "src/portal/journeys/pages.test.ts": 54,
  "src/cli/update.test.ts": 53,
  "src/e2e/settled-later.test.ts": 50,
  "src/portal/journeys/away.test.ts": 49,
  "drivers/contract.test.ts": 45,
  "src/e2e/trade-day.test.ts": 42,
  "src/portal/journeys/reload.test.ts": 42,
  "src/cli/update-sold.test.ts": 38,
  "scripts/broken-off.test.ts": 36,
  "src/e2e/examples.test.ts": 36,
  "src/portal/journeys/receipts.test.ts": 35,
  "src/e2e/settled-crash.test.ts": 32,
  "src/portal/journeys/once.test.ts": 32,
  "src/e2e/database-loss.test.ts": 29,
  "src/portal/journeys/trouble.test.ts": 28,
  "scripts/ways-back.test.ts": 26,
  "src/e2e/thousand-receipts.test.ts": 25,
  "src/portal/journeys/first-start.test.ts": 24,
  "src/portal/journeys/printer.test.ts": 24,
  "src/e2e/restored-state.test.ts": 23,
  "src/portal/journeys/settings.test.ts": 23,
  "src/portal/journeys/box.test.ts": 22,
  "drivers/isl/printed-once.test.ts": 21,
  "src/portal/journeys/day-end.test.ts": 21,
  "src/e2e/gone-database.test.ts": 20,
  "src/e2e/other-hands.test.ts": 20,
  "db/stores/command-list.test.ts": 19,
  "src/e2e/other-printer.test.ts": 18,
  "src/portal/journeys/reversal.test.ts": 18,
  "scripts/install.test.ts": 17,
  "src/cli/update-once.test.ts": 17,
  "src/e2e/hung-place.test.ts": 17,
  "src/e2e/outages.test.ts": 17,
  "drivers/custom-serial/printed-once.test.ts": 16,
  "src/e2e/last-document-asked.test.ts": 16,
  "src/e2e/ledger-outages.test.ts": 16,
  "src/e2e/put-back.test.ts": 16,
  "src/modules/fuzz.test.ts": 16,
  "src/e2e/device-states.test.ts": 15,
  "src/e2e/lying-controller.test.ts": 15,
  "src/portal/journeys/coming.test.ts": 15,
  "src/e2e/backup.test.ts": 14,
  "drivers/isl/simulator/wrong-states.test.ts": 13,
  "drivers/shtrih/printed-once.test.ts": 13,
  "scripts/install-services.test.ts": 13,
  "src/portal/journeys/webhooks.test.ts": 13,
  "src/cli/box.test.ts": 12,
  "src/cli/setup.test.ts": 12,
  "src/e2e/controller-check.test.ts": 12,
  "src/e2e/unknown-documents-clock.test.ts": 12,
  "drivers/zfp/printed-once.test.ts": 11,
  "src/cli/update-answers.test.ts": 11,
  "scripts/handbook/snippets.test.ts": 10,
  "src/modules/events/events.test.ts": 10,
  "src/portal/journeys/focus.test.ts": 10,
  "db/migrate.test.ts": 9,
  "db/stores/receipt-list.test.ts": 9,
  "drivers/open-receipt.test.ts": 9,
  "src/controller-check/check.test.ts": 9,
  "src/e2e/https.test.ts": 9,
  "src/e2e/live-routes.test.ts": 9,
  "db/salvage.test.ts": 8,
  "src/cli/command-words.test.ts": 8,
  "src/cli/put-tls-back.test.ts": 8,
  "src/cli/serve.test.ts": 8,
  "src/cli/update-controller.test.ts": 8,
  "src/e2e/full-disk.test.ts": 8,
  "src/e2e/replicate.test.ts": 8,
  "src/portal/journeys/asked-printer.test.ts": 8,
  "drivers/ledger.test.ts": 7,
  "scripts/handbook/browser.test.ts": 7,
  "src/e2e/device-changes.test.ts": 7,
  "src/e2e/image-put-back.test.ts": 7,
  "src/e2e/lost-tables.test.ts": 7,
  "src/e2e/unknown-documents.test.ts": 7,
  "src/lan/announcer.test.ts": 7,
  "src/portal/journeys/one-browser.test.ts": 7,
  "src/portal/journeys/practice.test.ts": 7,
  "src/portal/journeys/pressed-in-vain.test.ts": 7,
  "src/app/repaired-start.test.ts": 6,
  "src/cli/private-state.test.ts": 6,
  "src/e2e/accepted-state.test.ts": 6,
  "src/e2e/behind-failed-sale.test.ts": 6,
  "src/e2e/exchanged-before-asked.test.ts": 6,
  "src/e2e/leftovers.test.ts": 6,
  "src/e2e/simulated-printer.test.ts": 6,
  "src/modules/access.test.ts": 6,
  "src/modules/live/live.test.ts": 6,
  "src/modules/webhooks/deliveries.test.ts": 6,
  "src/backup/usb-sticks.test.ts": 5,
  "src/cli/log-file.test.ts": 5,
  "src/controller/one-connection.test.ts": 5,
  "src/e2e/at-the-box.test.ts": 5,
  "src/e2e/detect.test.ts": 5,
  "src/e2e/lost-shop.test.ts": 5,
  "src/e2e/senseless-rows.test.ts": 5,
  "src/http/slow-clients.test.ts": 5,
  "src/modules/controllers/connect.test.ts": 5,
  "src/portal/journeys/printer-step.test.ts": 5,
  "src/portal/journeys/wrong-clock.test.ts": 5,
};

/** A process, and what it is called. */
export interface Step {
  readonly name: string;
  /** Arguments of Bun. */
  readonly args: readonly string[];
  /** What its environment has besides. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Counts of tests, or of steps that are none. */
export interface Score {
  readonly passed: number;
  readonly failed: number;
}

/** What Bun writes above an error that belongs to no test. */
const UNHANDLED = "# Unhandled error between tests";

interface Outcome {
  readonly code: number;
  readonly output: string;
}

export const LINT: Step = {
  name: "format and lint",
  args: ["run", "--bun", "biome", "ci", "--error-on-warnings", "--colors=off", "."],
};

/** Of what runs on Bun, of the pages, and of the portal's tests: each has types the others lack. */
export const TYPES: readonly Step[] = [
  types("types", "."),
  types("types of the portal", "src/portal"),
  types("types of the handbook", "src/handbook"),
  types("types of the portal's tests", "src/portal/tsconfig.tests.json"),
];

function types(name: string, project: string): Step {
  return {
    name,
    // Several checkers work the same types out each for itself, and tests have the other processors.
    args: ["run", "--bun", "tsc", "--noEmit", "--checkers", "1", "--project", project],
    // It is over before its memory is worth collecting so often.
    env: { GOGC: "400" },
  };
}

/** The executable, and the simulated printer alone, as the tests start them too. */
export const BUILD: Step = { name: "build", args: ["src/e2e/harness/build-programs.ts"] };

/** Builds it when BUILD has not. */
export const EXECUTABLE: Step = { name: "executable", args: ["scripts/smoke-binary.ts"] };

/**
 * Tests in four processes more than the machine has cores, the slowest files first.
 * @param which further arguments of `bun test`
 */
export function testStep(...which: readonly string[]): Step {
  writeTimings();
  return {
    name: "tests",
    args: [
      "test",
      // More than half the time of most that take long they wait for a printer, a clock or the disk: with
      // three more, two cores had nothing to do for a sixth of the time.
      `--parallel=${availableParallelism() + 4}`,
      // Loading the product anew for each file takes longer than most files do.
      "--no-isolate",
      // Each of them has a gateway and a printer: more at once wait for the processor only.
      "--max-concurrency=5",
      // The processes do not read it themselves.
      `--timeout=${bunfig.test.timeout}`,
      `--timings=${TIMINGS}`,
      "--only-failures",
      ...which,
    ],
  };
}

/** Runs a step, prints how it went, and what it wrote when it failed. */
export async function runStep(step: Step): Promise<Score> {
  const startedAt = performance.now();
  const outcome = await run(step);
  const score = scoreOf(outcome);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const isGood = score.failed === 0;
  const failures = failedTests(outcome.output);
  if (!isGood) {
    // Before what the other tests wrote: a server of continuous integration may show a part of it.
    for (const { name, wrote } of failures) console.log(`FAILED ${name}\n${wrote}\n`);
    console.log(outcome.output);
  }
  console.log(`${isGood ? "ok    " : "FAILED"} ${step.name} (${seconds} s)`);
  for (const line of notTried(outcome.output)) console.log(`       ${line}`);
  // Once more behind it all: who sees but the end of a long output sees what it was.
  for (const { name } of failures) console.log(`       ${name}`);
  return score;
}

/** Runs steps one after another, whatever becomes of those before. */
export async function runEach(...steps: readonly Step[]): Promise<Score> {
  const scores: Score[] = [];
  for (const step of steps) scores.push(await runStep(step));
  return sum(scores);
}

/** Runs steps one after another; one that fails ends them. */
export async function runChain(...steps: readonly Step[]): Promise<Score> {
  const scores: Score[] = [];
  for (const step of steps) {
    scores.push(await runStep(step));
    if (scores.at(-1)?.failed !== 0) break;
  }
  return sum(scores);
}

/** Runs chains of steps side by side. */
export async function runAll(chains: readonly (readonly Step[])[]): Promise<Score> {
  return sum(await Promise.all(chains.map((steps) => runChain(...steps))));
}

/** Adds scores up. */
export function sum(scores: readonly Score[]): Score {
  return {
    passed: scores.reduce((total, { passed }) => total + passed, 0),
    failed: scores.reduce((total, { failed }) => total + failed, 0),
  };
}

/** Ends this process with a last line that is the count. */
export function finish({ passed, failed }: Score): never {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

/** Of every file, because Bun starts those first of which it knows nothing. */
function writeTimings(): void {
  const paths = ["src", "drivers", "db", "scripts"].flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**/*.test.ts`).scanSync(ROOT),
  ]);
  const files = Object.fromEntries(
    paths.map((path) => [path, 1_000 * (SLOW_TESTS_SECONDS[path] ?? 0.1)]),
  );
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  writeFileSync(TIMINGS, JSON.stringify({ version: 1, files }));
}

/** The engine's highest compiler takes more of a test's time than it saves: a tenth of the modules' tests. */
const QUICK = { BUN_JSC_useFTLJIT: "0" };

/** Steps under way. They would go on without whoever waits for them. */
const running = new Set<Bun.Subprocess>();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(1);
  });
}

async function run({ args, env }: Step): Promise<Outcome> {
  const child = Bun.spawn([BUN, ...args], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, ...QUICK, ...env, NO_COLOR: "1" },
  });
  running.add(child);
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  running.delete(child);
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

/** A test that failed, or a file that broke outside of a test. */
interface FailedTest {
  /** With its file. */
  readonly name: string;
  /** Its error, with what it and others wrote. */
  readonly wrote: string;
}

/** Lines that are shown of an error: the runner's excerpt of the code, what differs, the stack. */
const ERROR_LINES = 40;

function failedTests(output: string): FailedTest[] {
  const lines = output.split("\n");
  let file = "";
  let begin = 0;
  const found: FailedTest[] = [];
  const add = (name: string, from: number, to: number) =>
    found.push({ name: `${file} ${name}`, wrote: lines.slice(from, to).join("\n") });
  for (const [at, line] of lines.entries()) {
    const isFile = /^\S+\.test\.tsx?:$/.test(line);
    const isFailed = line.startsWith("(fail) ");
    if (isFile) file = line;
    // A test's error stands before its name, any other behind its head.
    if (isFailed) add(line.slice("(fail) ".length), Math.max(begin, at - ERROR_LINES), at);
    if (line === UNHANDLED) add("an error outside of its tests", at + 1, at + 1 + ERROR_LINES);
    if (isFile || isFailed) begin = at + 1;
  }
  return found;
}

/** What a step could not try on this machine, in its own words. */
function notTried(output: string): Set<string> {
  return new Set(output.split("\n").filter((line) => line.startsWith(NOT_TRIED)));
}

function lastCount(output: string, word: string): number | undefined {
  const counts = [...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))];
  const text = counts.at(-1)?.[1];
  return text === undefined ? undefined : Number(text);
}
