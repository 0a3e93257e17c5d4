/**
 * The complete crash test: bun run crash [--only TEXT] [--others] [--processes] [--every-frame]
 *                                   bun run crash --two [--days N] [--only TEXT]
 *
 * Every single strike and every pair of two, with each driver, and every case in which somebody else
 * uses the printer at that moment, repetitions of one another included; the gate has a share of
 * them (`src/e2e/crash`).
 *
 * --only TEXT    only the devices with this in their name, as the table has it: `shtrih`, `remote`
 * --others       also the models that the gate leaves out, and every model at a serial port
 * --processes    also pairs in which the printer's process is killed
 * --two          instead of all that, two hosts that sell at one device of every model, with faults and
 *                kills drawn by dice, in simulated time: `--days N` days of so many sales of each
 * --every-frame  second strikes at each frame of the recovery, not at one that moves on from pair
 *                to pair; takes ten times as long
 */

import { parseArgs } from "node:util";
import { type Campaign, runCampaign } from "#src/e2e/crash/campaign.ts";
import {
  allPairs,
  BLOWS,
  deeds,
  deedsMeanwhile,
  PAIRED,
  singles,
  somePairs,
} from "#src/e2e/crash/cases.ts";
import { DOCUMENT_KINDS } from "#src/e2e/crash/documents.ts";
import { GATE_MODELS, nameOf, otherModels } from "#src/e2e/crash/models.ts";
import { Tally } from "#src/e2e/crash/tally.ts";
import { tradeInPairs } from "./crash-two.ts";

const PROGRESS_MS = 30_000;

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    others: { type: "boolean", default: false },
    processes: { type: "boolean", default: false },
    "every-frame": { type: "boolean", default: false },
    two: { type: "boolean", default: false },
    days: { type: "string", default: "5" },
  },
});

if (values.two) process.exit((await tradeInPairs(values.only, Number(values.days))) ? 0 : 1);

const blows = values.processes ? BLOWS : PAIRED;
const aloneOf: Campaign["aloneOf"] = (measured) => [
  ...singles(measured),
  ...(values["every-frame"] ? allPairs(measured, blows) : somePairs(measured, blows)),
];

const sharedOf: Campaign["sharedOf"] = (measured) => [
  ...deeds(measured),
  ...deedsMeanwhile(measured),
];

/** Printers in all, as many as a machine of two cores drives well, and of each model at least. */
const PRINTERS = 32;
const PRINTERS_MIN = 2;

/** One after another: each has some printers for each of its models. */
const groups = [GATE_MODELS, values.others ? otherModels() : []]
  .map((models) => models.filter((model) => nameOf(model).includes(values.only)))
  .filter((models) => models.length > 0)
  .map((models) => {
    const count = Math.max(PRINTERS_MIN, Math.floor(PRINTERS / models.length));
    return models.map((model) => Array.from({ length: count }, () => model));
  });

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

/** What was wrong so far: a run takes most of an hour, and nobody waits that long for the first. */
const told = new Set<string>();
function tellFailures(): void {
  for (const failure of tallies.flatMap(({ tally }) => tally.failures)) {
    if (!told.has(failure)) console.error(failure);
    told.add(failure);
  }
}
const progress = setInterval(() => {
  tellFailures();
  const counts = `${sum(({ cases }) => cases)} cases, ${sum(({ failures }) => failures.length)} wrong`;
  console.error(`${counts}, ${seconds()} s`);
}, PROGRESS_MS);
const broken: unknown[] = [];
for (const families of groups) {
  for (const { kind, tallies } of runs) {
    await runCampaign({ families, aloneOf, sharedOf, kind }, tallies).catch((error: unknown) =>
      broken.push(error),
    );
  }
}
clearInterval(progress);

for (const { title, tally } of tallies) {
  for (const failure of tally.failures) console.log(failure);
  console.log([`\n${title}`, tally.table(), ...tally.reasons].join("\n"));
}
for (const reason of broken) console.error(reason);
const wrong = sum(({ failures }) => failures.length);
console.log(`\n${sum(({ cases }) => cases)} cases, ${wrong} wrong, ${seconds()} s`);
process.exit(wrong === 0 && broken.length === 0 ? 0 : 1);
