/**
 * Two hosts at one printer: whatever breaks while both sell, what each of them tells of its sales
 * stands in the device's books. One device of each protocol and some sales of each host;
 * `bun run crash --two` lets them sell for longer on every model.
 */

import { expect, test } from "bun:test";
import { EVERY_MODEL } from "./testing/every-model.ts";
import { tradeTogether } from "./testing/two-hosts.ts";

/** By model: days on which a host once told what was not true, where there was one so short. */
const SEEDS: Readonly<Record<string, number>> = { x: 14, p: 10, v1: 11, "fr-k": 11, gen3: 23 };
const SALES = 20;

for (const kind of EVERY_MODEL) {
  const seed = SEEDS[kind.model];
  if (seed === undefined) continue;
  test(`two hosts at a device of ${kind.driver}, ${kind.model}, tell what is true of their sales`, async () => {
    const sold = await tradeTogether(kind, { seed, sales: SALES });
    expect(sold.filter(({ lies }) => lies.length > 0)).toEqual([]);
    expect(sold.filter(({ told }) => told.outcome === "printed").length).toBeGreaterThan(SALES / 4);
  });
}
