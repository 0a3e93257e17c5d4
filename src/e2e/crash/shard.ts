/**
 * Printed once, whatever is taken away and when, at every driver: the gateway is killed, the line
 * is cut, the printer loses its power or its process, at every frame of a sale and of a storno, on
 * either side of the printer; the gateway is killed before each mark is on disk; and a fixed share
 * of the pairs of two such strikes, and of the cases in which somebody else uses the printer at that
 * moment. After each case the printer's own books are compared with what the gateway reports.
 * `bun run crash` tries all of them.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { runCampaign, type Tallies } from "./campaign.ts";
import { deeds, deedsMeanwhile, every, type Measured, somePairs } from "./cases.ts";
import { DOCUMENT_KINDS, type DocumentKind } from "./documents.ts";
import { type CrashShard, nameOf, SHARDS, type ShardName } from "./models.ts";
import { Tally } from "./tally.ts";

const SHARD_MS_MAX = 900_000;
/**
 * Of the pairs, one in so many. It has no divisor in common with the number of second strikes that
 * follow each first one, so that all of them are among those that are tried.
 */
const THINNING = 11;
const pairsOf = (measured: Measured) => every(THINNING, somePairs(measured));
/** The same of the cases with other hands, of which there are more. */
const SHARED_THINNING = 29;
const sharedOf = (measured: Measured) =>
  every(SHARED_THINNING, [...deeds(measured), ...deedsMeanwhile(measured)]);

/** Describes what a shard's devices are put through: each kind of document on a bed of its own. */
export function describeCrashes(name: ShardName): void {
  const shard: CrashShard = SHARDS[name];
  const tallies: Readonly<Record<DocumentKind, Tallies>> = {
    sale: { alone: new Tally(), shared: new Tally() },
    storno: { alone: new Tally(), shared: new Tally() },
  };

  describe(`crash cases of ${name}`, () => {
    beforeAll(async () => {
      const campaigns = DOCUMENT_KINDS.map((kind) =>
        runCampaign({ ...shard, kind, pairsOf, sharedOf }, tallies[kind]),
      );
      // Only when both have switched their printers off.
      const ends = await Promise.allSettled(campaigns);
      const broken = ends.find((end) => end.status === "rejected");
      if (broken) throw broken.reason;
    }, SHARD_MS_MAX);

    afterAll(() => {
      for (const kind of DOCUMENT_KINDS) {
        const { alone, shared } = tallies[kind];
        const lines = [
          ...[`crash cases of a ${kind}, ${name}`, alone.table(), ...alone.reasons],
          ...["with other hands at the printer", shared.table(), ...shared.reasons],
        ];
        process.stdout.write(`\n${lines.join("\n")}\n`);
      }
    });

    for (const model of shard.models) {
      for (const kind of DOCUMENT_KINDS) {
        test(`what the gateway says of a ${kind} on ${nameOf(model)} is in the printer's books`, () => {
          const { alone, shared } = tallies[kind];
          for (const { cases, failures } of [alone.of(model), shared.of(model)]) {
            expect(failures).toEqual([]);
            expect(cases).toBeGreaterThan(0);
          }
        });
      }
    }
  });
}
