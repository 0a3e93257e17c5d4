/**
 * Printed once, whatever is taken away and when, at every driver: the gateway is killed, the line
 * is cut, the printer loses its power or its process, at every frame of a sale and of a storno, on
 * either side of the printer, but for what would only repeat another case (`distinct.ts`); the
 * gateway is killed before each mark is on disk; and a fixed share of the pairs of two such strikes,
 * and of the cases in which somebody else uses the printer at that moment. Each of them is tried at
 * one of the devices that share the document flow. After each case the printer's own books are
 * compared with what the gateway reports. `bun run crash` tries all of them at each device.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { runCampaign, type Tallies } from "./campaign.ts";
import { deeds, deedsMeanwhile, every, type Measured, singles, somePairs } from "./cases.ts";
import { distinct } from "./distinct.ts";
import { DOCUMENT_KINDS, type DocumentKind } from "./documents.ts";
import { GATE_FAMILIES, GATE_MODELS, nameOf } from "./models.ts";
import { Tally } from "./tally.ts";

const ALL_MS_MAX = 3_600_000;
/**
 * Of the pairs, one in so many. It has no divisor in common with the number of second strikes that
 * follow each first one, so that all of them are among those that are tried.
 */
const THINNING = 11;
const aloneOf = (measured: Measured) => [
  ...distinct(measured, singles(measured)),
  ...every(THINNING, distinct(measured, somePairs(measured))),
];
/** The same of the cases with other hands, of which there are more. */
const SHARED_THINNING = 29;
const sharedOf = (measured: Measured) =>
  every(SHARED_THINNING, [...deeds(measured), ...distinct(measured, deedsMeanwhile(measured))]);

const tallies: Readonly<Record<DocumentKind, Tallies>> = {
  sale: { alone: new Tally(), shared: new Tally() },
  storno: { alone: new Tally(), shared: new Tally() },
};

/** One kind of document after the other: so many printers are enough for a machine. */
beforeAll(async () => {
  for (const kind of DOCUMENT_KINDS) {
    await runCampaign({ families: GATE_FAMILIES, kind, aloneOf, sharedOf }, tallies[kind]);
  }
}, ALL_MS_MAX);

afterAll(() => {
  for (const kind of DOCUMENT_KINDS) {
    const { alone, shared } = tallies[kind];
    const lines = [
      ...[`crash cases of a ${kind}`, alone.table(), ...alone.reasons],
      ...["with other hands at the printer", shared.table(), ...shared.reasons],
    ];
    process.stdout.write(`\n${lines.join("\n")}\n`);
  }
});

describe.each(GATE_MODELS.map((model) => [nameOf(model), model] as const))("%s", (_, model) => {
  test.each(DOCUMENT_KINDS)("what the gateway says of a %s is in its books", (kind) => {
    const { alone, shared } = tallies[kind];
    for (const { cases, failures } of [alone.of(model), shared.of(model)]) {
      expect(failures).toEqual([]);
      expect(cases).toBeGreaterThan(0);
    }
  });
});
