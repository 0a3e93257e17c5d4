/**
 * Power cuts in number: bun run power-cut [--cuts 400] [--shops 2] [--sales 4] [--seed 1]
 *
 * Runs that many shops at once under strace, tries their share of the cuts on each, and prints every
 * one that lost, printed twice or told wrongly. The gate tries some (`src/e2e/power-cut.test.ts`).
 * What was written and when differs from run to run, so the same seed finds the like, not the same.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { goOnAfter, nameOf } from "#src/e2e/power-cut/aftermath.ts";
import { chooseCuts } from "#src/e2e/power-cut/cuts.ts";
import { LEFTOVERS } from "#src/e2e/power-cut/disk.ts";
import { canRecord, record } from "#src/e2e/power-cut/recording.ts";

const PROGRESS_MS = 30_000;

const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: "400" },
    shops: { type: "string", default: "2" },
    sales: { type: "string", default: "4" },
    seed: { type: "string", default: "1" },
  },
});
const [cuts, shops, sales, seed] = [values.cuts, values.shops, values.sales, values.seed].map(
  (text) => {
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`${text} is no count`);
    return number;
  },
) as [number, number, number, number];

const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), "fiscald-power-"));
const tried = new Map(LEFTOVERS.map((leftover) => [leftover, 0]));
const failures: string[] = [];
let [told, printed, deeds] = [0, 0, 0];
const count = () => [...tried.values()].reduce((sum, each) => sum + each, 0);
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0);

async function tryShop(number: number): Promise<void> {
  const recording = await record(mkdtempSync(join(folder, "shop-")), sales);
  deeds += recording.calls.length;
  for (const cut of chooseCuts(recording, Math.ceil(cuts / shops), seed + number)) {
    try {
      const after = await goOnAfter(recording, cut);
      told += after.told;
      printed += after.printed;
    } catch (error) {
      failures.push(error instanceof Error ? error.message : `${nameOf(cut)}: ${String(error)}`);
    }
    tried.set(cut.leftover, (tried.get(cut.leftover) ?? 0) + 1);
  }
}

if (!(await canRecord(folder))) process.exit(1);
const progress = setInterval(() => {
  console.error(`${count()} cuts, ${failures.length} wrong, ${seconds()} s`);
}, PROGRESS_MS);
try {
  await Promise.all(Array.from({ length: shops }, (_, number) => tryShop(number)));
} finally {
  clearInterval(progress);
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.log(failure);
for (const [leftover, times] of tried) console.log(`${leftover.padEnd(10)} ${times}`);
console.log(
  `${count()} cuts of ${deeds} calls in ${shops} shops, ${failures.length} wrong, ${seconds()} s: ` +
    `${told} answers held, ${printed} receipts printed once`,
);
process.exit(failures.length === 0 ? 0 : 1);
