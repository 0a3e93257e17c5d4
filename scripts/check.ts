/**
 * The one gate: bun run check. Everything that must hold before a change goes in.
 *
 * One step after another: the linter and the type checker have work for every core, and together they
 * take longer than one after the other; the tests need the machine for themselves, as gateways and
 * printers talk to each other in real time in them. A failure does not hide what else fails, except
 * where the rest could not mean anything.
 */

import { packageManager } from "../package.json";
import {
  BUILD,
  EXECUTABLE,
  finish,
  LINT,
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
const runtimes = await runStep(RUNTIMES);
const audit = await runStep(AUDIT);
const build = await runStep(BUILD);
const isBuilt = build.failed === 0;
const scores = [installed, runtimes, audit, build];
for (const step of [LINT, ...TYPES, ...(isBuilt ? [EXECUTABLE, testStep()] : [])]) {
  scores.push(await runStep(step));
}
finish(sum(scores));
