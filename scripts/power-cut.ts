/**
 * Power cuts in number: bun run power-cut [--cuts 400] [--shops 2] [--sales 4] [--upkeep 240] [--seed 1]
 *
 * Runs that many shops at once under strace, tries their share of the cuts on each, and prints every
 * one that lost, printed twice or told wrongly. Then it does the same for what an appliance goes through
 * besides selling: a backup, an update that stays, one that goes back, a repair and a restore, `--upkeep`
 * cuts in all, half of them at a call that makes what was written count. The gate tries some
 * (`src/e2e/power-cut.test.ts`); `--cuts 0` or `--upkeep 0` leaves one of the two out. What was written
 * and when differs from run to run, so the same seed finds the like, not the same.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { goOnAfter, nameOf } from "#src/e2e/power-cut/aftermath.ts";
import { chooseCuts } from "#src/e2e/power-cut/cuts.ts";
import { LEFTOVERS } from "#src/e2e/power-cut/disk.ts";
import { canRecord, deedsOn, record } from "#src/e2e/power-cut/recording.ts";
import {
  goOnAfterUpkeep,
  partOf,
  recordUpkeep,
  turningPointsOf,
} from "#src/e2e/power-cut/upkeep-aftermath.ts";
import { CHORES } from "#src/e2e/power-cut/upkeep-story.ts";

const PROGRESS_MS = 30_000;

const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: "400" },
    shops: { type: "string", default: "2" },
    sales: { type: "string", default: "4" },
    upkeep: { type: "string", default: "240" },
    seed: { type: "string", default: "1" },
  },
});
const countIn = (text: string, least: number): number => {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < least) throw new Error(`${text} is no count`);
  return number;
};
const [cuts, upkeepCuts] = [countIn(values.cuts, 0), countIn(values.upkeep, 0)];
const [shops, sales, seed] = [values.shops, values.sales, values.seed].map((text) =>
  countIn(text, 1),
) as [number, number, number];

const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), "fiscald-power-"));
const tried = new Map(LEFTOVERS.map((leftover) => [leftover, 0]));
const failures: string[] = [];
let [told, printed, deeds] = [0, 0, 0];
const count = () => [...tried.values()].reduce((sum, each) => sum + each, 0);
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0);

type Cut = ReturnType<typeof chooseCuts>[number];

async function tryCut(cut: Cut, goOn: () => Promise<void>): Promise<void> {
  try {
    await goOn();
  } catch (error) {
    failures.push(error instanceof Error ? error.message : `${nameOf(cut)}: ${String(error)}`);
  }
  tried.set(cut.leftover, (tried.get(cut.leftover) ?? 0) + 1);
}

async function tryShop(number: number): Promise<void> {
  const recording = await record(mkdtempSync(join(folder, "shop-")), sales);
  deeds += recording.calls.length;
  for (const cut of chooseCuts(recording, Math.ceil(cuts / shops), seed + number)) {
    await tryCut(cut, async () => {
      const after = await goOnAfter(recording, cut);
      told += after.told;
      printed += after.printed;
    });
  }
}

/** One chore after the other: all of them have their printer at the same address. */
async function tryUpkeep(): Promise<void> {
  const upkeep = await recordUpkeep(mkdtempSync(join(folder, "upkeep-")));
  const share = Math.ceil(upkeepCuts / CHORES.length / 2);
  for (const chore of CHORES) {
    const part = partOf(upkeep, chore);
    const states = { old: 0, new: 0, again: 0 };
    for (const where of [part, turningPointsOf(part)]) {
      for (const cut of chooseCuts(where, share, seed)) {
        await tryCut(cut, async () => {
          const { state, wasHeld } = await goOnAfterUpkeep(upkeep, chore, cut);
          states[wasHeld ? "again" : state] += 1;
        });
      }
    }
    console.log(
      `${chore.padEnd(15)} ${deedsOn(part).length} calls: ${states.old} times as before, ` +
        `${states.new} as after, ${states.again} done again as the gateway said`,
    );
  }
}

if (!(await canRecord(folder))) process.exit(1);
const progress = setInterval(() => {
  console.error(`${count()} cuts, ${failures.length} wrong, ${seconds()} s`);
}, PROGRESS_MS);
try {
  if (cuts > 0) await Promise.all(Array.from({ length: shops }, (_, number) => tryShop(number)));
  if (upkeepCuts > 0) await tryUpkeep();
} finally {
  clearInterval(progress);
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.log(failure);
for (const [leftover, times] of tried) console.log(`${leftover.padEnd(10)} ${times}`);
console.log(
  `${count()} cuts, ${failures.length} wrong, ${seconds()} s: ${deeds} calls of ${shops} shops, ` +
    `${told} answers held, ${printed} receipts printed once`,
);
process.exit(failures.length === 0 ? 0 : 1);
