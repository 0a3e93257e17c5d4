/**
 * Printed once, whatever is taken away and when: the gateway is killed, the line is cut, the
 * printer loses its power, at every frame of a sale and of a storno, on either side of the printer,
 * one blow alone or two in a row. After each case the printer's own books are compared with what
 * the gateway reports.
 */

import { afterAll, expect, test } from "bun:test";
import { World } from "../harness/world.ts";
import { BLOWS, type CrashCase, somePairs, strikes } from "./cases.ts";
import { DOCUMENT_KINDS, type DocumentKind, orderFor } from "./documents.ts";
import { runUnstoredCase } from "./marks.ts";
import { countFrames, runCase, type Verdict } from "./run.ts";

/** Both frame generations of the protocol. */
const MODELS = ["x", "p"] as const;
/**
 * The devices of other makers that share this protocol and its document flow: of the single blows,
 * one in so many, each model beginning at another one so that together they strike more frames.
 */
const MAKERS = [
  { driver: "vendorB.isl", model: "dy", first: 0 },
  { driver: "vendorC.isl", model: "ed", first: 1 },
  { driver: "vendorD.isl", model: "in", first: 2 },
] as const;
const MAKER_THINNING = 3;
/** Frames from the loss of a line to the end of a resolution, and a few more. */
const RECOVERY_FRAMES = 10;
const TEST_MS = 600_000;
/**
 * Of the pairs, one in so many. After each restart of the gateway the second model costs half a
 * second more, because a device of its generation is silent to the first question.
 */
const THINNING = { x: 1, p: 5 } as const;

const tally = { cases: 0, printed: 0, recovered: 0, not_printed: 0 };
function count(verdict: Verdict): void {
  tally.cases += 1;
  tally[verdict.outcome] += 1;
  if (verdict.recovered) tally.recovered += 1;
}
afterAll(() => {
  process.stdout.write(
    `crash cases: ${tally.cases} (${tally.printed} printed, ${tally.recovered} of them ` +
      `recovered; ${tally.not_printed} not printed)\n`,
  );
});

function every<T>(nth: number, all: readonly T[]): T[] {
  return all.filter((_, index) => index % nth === 0);
}

async function inWorld(model: string, use: (world: World) => Promise<void>): Promise<void> {
  const driver = MAKERS.find((maker) => maker.model === model)?.driver ?? "vendorA.isl";
  const world = await World.open({ driver, model });
  try {
    await use(world);
  } finally {
    await world.close();
  }
}

async function runAll(
  model: string,
  kind: DocumentKind,
  casesOf: (frames: number) => readonly CrashCase[],
): Promise<void> {
  await inWorld(model, async (world) => {
    const frames = await countFrames(world, await orderFor(world, kind));
    for (const strikes of casesOf(frames)) {
      count(await runCase(world, { kind, order: await orderFor(world, kind) }, strikes));
    }
  });
}

for (const model of MODELS) {
  for (const kind of DOCUMENT_KINDS) {
    test.concurrent(
      `a ${kind} on model ${model} is told as it is after any one blow`,
      () => runAll(model, kind, (frames) => strikes(frames, BLOWS).map((strike) => [strike])),
      TEST_MS,
    );
    test.concurrent(
      `a ${kind} on model ${model} is told as it is after two blows`,
      () =>
        runAll(model, kind, (frames) => every(THINNING[model], somePairs(frames, RECOVERY_FRAMES))),
      TEST_MS,
    );
    test.concurrent(
      `a ${kind} on model ${model} is told as it is when no mark could be stored`,
      () =>
        inWorld(model, async (world) => {
          const frames = await countFrames(world, await orderFor(world, kind));
          const marks = new Set<string | null>();
          for (let frame = 1; frame <= frames; frame++) {
            const order = await orderFor(world, kind);
            const verdict = await runUnstoredCase(world, { kind, order }, frame);
            marks.add(verdict.mark);
            count(verdict);
          }
          // Proof that the gateway was killed before each of the marks it waits for.
          expect([...marks]).toEqual(expect.arrayContaining([null, "baseline", "committing"]));
        }),
      TEST_MS,
    );
  }
}

for (const { model, first } of MAKERS) {
  for (const kind of DOCUMENT_KINDS) {
    test.concurrent(
      `a ${kind} on model ${model} is told as it is after one of the blows`,
      () =>
        runAll(model, kind, (frames) => {
          const single = strikes(frames, BLOWS).map((strike) => [strike] as const);
          return every(MAKER_THINNING, single.slice(first));
        }),
      TEST_MS,
    );
  }
}
