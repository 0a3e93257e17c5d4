/**
 * Printed once, whatever is taken away and when, at every driver: the gateway is killed, the line
 * is cut, the printer loses its power or its process, at every frame of a sale and of a storno, on
 * either side of the printer; the gateway is killed before each mark is on disk; and a fixed share
 * of the pairs of two such strikes. After each case the printer's own books are compared with what
 * the gateway reports. `bun run crash` tries all pairs.
 */

import { afterAll, expect, test } from "bun:test";
import { type Campaign, runCampaign } from "./campaign.ts";
import { every, type Measured, somePairs } from "./cases.ts";
import { DOCUMENT_KINDS, type DocumentKind } from "./documents.ts";
import { GATE_MODELS, nameOf, SLOW_MODELS } from "./models.ts";
import { Tally } from "./tally.ts";

const TEST_MS = 900_000;
/**
 * Of the pairs, one in so many. It has no divisor in common with the number of second strikes that
 * follow each first one, so that all of them are among those that are tried.
 */
const THINNING = 11;
/** How many printers share the cases of a slow device. */
const SLOW_PRINTERS = 7;

type Group = Omit<Campaign, "kind">;
const pairsOf = (measured: Measured) => every(THINNING, somePairs(measured));
const GROUPS: readonly Group[] = [
  { models: GATE_MODELS, pairsOf },
  { models: SLOW_MODELS, printers: SLOW_PRINTERS, pairsOf },
];

const tallies: Readonly<Record<DocumentKind, Tally>> = { sale: new Tally(), storno: new Tally() };

let tried: Promise<unknown> | undefined;
/** Tries everything once: each kind of document and each group on a test bed of its own. */
function everything(): Promise<unknown> {
  tried ??= Promise.allSettled(
    DOCUMENT_KINDS.flatMap((kind) =>
      GROUPS.map((group) => runCampaign({ ...group, kind }, tallies[kind])),
    ),
  ).then((ends) => {
    // Only when all have switched their printers off.
    const broken = ends.find((end) => end.status === "rejected");
    if (broken) throw broken.reason;
  });
  return tried;
}

afterAll(() => {
  for (const kind of DOCUMENT_KINDS) {
    const tally = tallies[kind];
    const lines = [`crash cases of a ${kind}`, tally.table(), ...tally.reasons];
    process.stdout.write(`\n${lines.join("\n")}\n`);
  }
});

for (const model of GROUPS.flatMap(({ models }) => models)) {
  for (const kind of DOCUMENT_KINDS) {
    test(
      `what the gateway says of a ${kind} on ${nameOf(model)} is in the printer's books`,
      async () => {
        await everything();
        const { cases, failures } = tallies[kind].of(model);
        expect(failures).toEqual([]);
        expect(cases).toBeGreaterThan(0);
      },
      TEST_MS,
    );
  }
}
