/**
 * The one gate: bun run check. Everything that must hold before a change goes in.
 *
 * The tests start as soon as there is a build, and wait now and then for a printer or a clock: the
 * steps that take the processor alone fill those gaps, one after another. A failure does not hide
 * what else fails, except where the rest could not mean anything.
 */

import { packageManager } from "../package.json";
import {
  BUILD,
  EXECUTABLE,
  finish,
  LINT,
  runEach,
  runStep,
  type Step,
  sum,
  TYPES,
  testStep,
} from "./steps.ts";

const INSTALL: Step = { name: "install", args: ["install", "--frozen-lockfile"] };

/** What the examples in other languages run on. */
const RUNTIMES: Step = { name: "runtimes", args: ["scripts/runtimes.ts"] };

/** Known vulnerabilities of what is shipped. */
const AUDIT: Step = { name: "known vulnerabilities", args: ["scripts/audit.ts"] };

const wanted = packageManager.replace("bun@", "");
if (Bun.version !== wanted) {
  console.error(`this is Bun ${Bun.version}; run: npx --yes bun@${wanted} run check`);
  process.exit(1);
}
const installed = await runStep(INSTALL);
if (installed.failed > 0) finish(installed);
const before = await runEach(RUNTIMES, AUDIT);
const build = await runStep(BUILD);
const isBuilt = build.failed === 0;
const beside = [LINT, ...TYPES, ...(isBuilt ? [EXECUTABLE] : [])];
const scores = await Promise.all([runEach(...beside), runEach(...(isBuilt ? [testStep()] : []))]);
finish(sum([installed, before, build, ...scores]));
