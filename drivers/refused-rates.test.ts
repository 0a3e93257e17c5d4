/** What a VAT table may not take is refused by the same code on every driver. */

import { describe, expect, test } from "bun:test";
import { ContractBench } from "./testing/contract-bench.ts";
import { EVERY_MODEL, isMute } from "./testing/every-model.ts";

const KINDS = EVERY_MODEL.filter((kind) => !isMute(kind)).map(
  (kind) => [`${kind.driver}, ${kind.model}`, kind] as const,
);

const IMPOSSIBLE = [
  ["a group that it has not", { group: "VAT16", rate: 1, enabled: true }, "E403"],
  ["a group that stays on", { group: "VAT2", rate: 0, enabled: false }, "E400"],
] as const;

describe.each(KINDS)("rates on a device of %s", (_title, kind) => {
  test("are refused by one code each, where it cannot have them", () =>
    ContractBench.on(kind, "tcp", async (bench) => {
      for (const [what, rate, expected] of IMPOSSIBLE) {
        const { ended } = await bench.attempt("set_vat_rates", { rates: [rate] });
        if (ended.how === "done") continue;
        const code = ended.how === "refused" ? ended.error.code : ended.how;
        // Some cannot set rates at all.
        expect([what, code]).toEqual([what, code === "E201" ? code : expected]);
      }
    }));
});
