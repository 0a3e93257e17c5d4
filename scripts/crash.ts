/**
 * The complete crash test: bun run crash [--driver ID] [--others] [--processes] [--every-frame]
 *
 * Every single strike and every pair of two, with each driver, and every case in which somebody else
 * uses the printer at that moment; the gate has a share of them
 * (`src/e2e/crash`).
 *
 * --driver ID    only the devices of this driver
 * --others       also the models that the gate leaves out, and every model at a serial port
 * --processes    also pairs in which the printer's process is killed
 * --every-frame  second strikes at each frame of the recovery, not at one that moves on from pair
 *                to pair; takes ten times as long
 */

import { parseArgs } from "node:util";
import { type Campaign, runCampaign } from "#src/e2e/crash/campaign.ts";
import { allPairs, BLOWS, deeds, deedsMeanwhile, PAIRED, somePairs } from "#src/e2e/crash/cases.ts";
import { DOCUMENT_KINDS } from "#src/e2e/crash/documents.ts";
import { type CrashShard, otherModels, SHARDS } from "#src/e2e/crash/models.ts";
import { Tally } from "#src/e2e/crash/tally.ts";

const PROGRESS_MS = 30_000;
/** Each has two gateways and a dozen printers. */
const SHARDS_AT_ONCE = 2;

const { values } = parseArgs({
  options: {
    driver: { type: "string" },
    others: { type: "boolean", default: false },
    processes: { type: "boolean", default: false },
    "every-frame": { type: "boolean", default: false },
  },
});

const blows = values.processes ? BLOWS : PAIRED;
const pairsOf: Campaign["pairsOf"] = (measured) =>
  values["every-frame"] ? allPairs(measured, blows) : somePairs(measured, blows);

const sharedOf: Campaign["sharedOf"] = (measured) => [
  ...deeds(measured),
  ...deedsMeanwhile(measured),
];

const shards: readonly CrashShard[] = [
  ...Object.values(SHARDS),
  ...(values.others ? [{ models: otherModels(), printers: 1 }] : []),
];
const groups = shards.map((group) => ({
  ...group,
  models: group.models.filter(
    ({ driver }) => values.driver === undefined || driver === values.driver,
  ),
}));

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0);
const runs = DOCUMENT_KINDS.map((kind) => ({
  kind,
  tallies: { alone: new Tally(), shared: new Tally() },
}));
const tallies = runs.flatMap(({ kind, tallies: { alone, shared } }) => [
  { title: kind, tally: alone },
  { title: `${kind}, with other hands at the printer`, tally: shared },
]);
const sum = (count: (tally: Tally) => number) =>
  tallies.reduce((total, { tally }) => total + count(tally), 0);

const progress = setInterval(() => {
  const counts = `${sum(({ cases }) => cases)} cases, ${sum(({ failures }) => failures.length)} wrong`;
  console.error(`${counts}, ${seconds()} s`);
}, PROGRESS_MS);
const waiting = groups.filter(({ models }) => models.length > 0);
const ends: PromiseSettledResult<void>[] = [];
/** Takes shard after shard, as a worker of the tests does. */
async function work(): Promise<void> {
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    const { models, printers } = group;
    const campaigns = runs.map(({ kind, tallies }) =>
      runCampaign({ models, printers, pairsOf, sharedOf, kind }, tallies),
    );
    ends.push(...(await Promise.allSettled(campaigns)));
  }
}
await Promise.all(Array.from({ length: SHARDS_AT_ONCE }, work));
clearInterval(progress);

for (const { title, tally } of tallies) {
  for (const failure of tally.failures) console.log(failure);
  console.log([`\n${title}`, tally.table(), ...tally.reasons].join("\n"));
}
const broken = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
for (const reason of broken) console.error(reason);
const wrong = sum(({ failures }) => failures.length);
console.log(`\n${sum(({ cases }) => cases)} cases, ${wrong} wrong, ${seconds()} s`);
process.exit(wrong === 0 && broken.length === 0 ? 0 : 1);
