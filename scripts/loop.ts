/**
 * What to run after each change: bun run loop [COMMIT]
 *
 * Format, lint, types, a build that prints a receipt, and the tests that depend on what has changed
 * since the last commit, or since COMMIT, in less than a minute. What a test imports is what it
 * depends on; those that start the executable depend on everything and are left to the gate.
 */

import { join } from "node:path";
import { BUILD, EXECUTABLE, finish, LINT, runAll, TYPES, testStep } from "./steps.ts";

const END_TO_END = join(import.meta.dir, "..", "src", "e2e");
/** Whole-path tests in one process. */
const WITHOUT_EXECUTABLE: readonly string[] = ["device-states.test.ts", "trade-day.test.ts"];

const left = [...new Bun.Glob("**/*.test.ts").scanSync(END_TO_END)]
  .filter((path) => !WITHOUT_EXECUTABLE.includes(path))
  .map((path) => `--path-ignore-patterns=src/e2e/${path}`);
const [since] = process.argv.slice(2);
const tests = testStep(
  since === undefined ? "--changed" : `--changed=${since}`,
  "--pass-with-no-tests",
  ...left,
);
finish(await runAll([[tests], [LINT], TYPES, [BUILD, EXECUTABLE]]));
