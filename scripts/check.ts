/**
 * The one gate: bun run check. Everything that must hold before a change goes in.
 *
 * The tests and the other steps run side by side. A failure does not hide what else fails, except
 * where the rest could not mean anything.
 */

import { packageManager } from "../package.json";
import {
  BUILD,
  EXECUTABLE,
  finish,
  LINT,
  runAll,
  runStep,
  type Step,
  sum,
  TYPES,
  testStep,
} from "./steps.ts";

const INSTALL: Step = { name: "install", args: ["install", "--frozen-lockfile"] };

const wanted = packageManager.replace("bun@", "");
if (Bun.version !== wanted) {
  console.error(`this is Bun ${Bun.version}; run: npx --yes bun@${wanted} run check`);
  process.exit(1);
}
const installed = await runStep(INSTALL);
if (installed.failed > 0) finish(installed);
finish(sum([installed, await runAll([[testStep()], [LINT], [TYPES], [BUILD, EXECUTABLE]])]));
