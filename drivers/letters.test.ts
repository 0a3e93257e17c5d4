/** Letters that a device lacks: what stays on it is refused by them, what is printed once goes on. */

import { expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import { ContractBench } from "./testing/contract-bench.ts";
import { smallSale } from "./testing/contract-payloads.ts";
import { EVERY_MODEL, isMute } from "./testing/every-model.ts";

/** No device has the first of these letters, and some have none of the others. */
const STRANGE = "日 Хляб";

test.concurrent.each(EVERY_MODEL.filter((kind) => !isMute(kind)))(
  "a device of $driver, $model, keeps none, and sells with any",
  (kind) =>
    ContractBench.on(kind, "tcp", async (bench) => {
      const told = async (type: CommandType) => {
        const { ended } = await bench.attempt(type, {});
        return ended.how === "done" ? ended.success.data : undefined;
      };
      const kept = async () => [await told("get_header_footer"), await told("get_operators")];
      const refused = async (type: CommandType, payload: object) => {
        const { ended, progress } = await bench.attempt(type, payload);
        expect([type, progress.marks]).toEqual([type, []]);
        return ended.how === "refused" ? `${ended.error.code} ${ended.error.message}` : ended.how;
      };
      const before = await kept();
      const lines = { header: ["Bread?", STRANGE], footer: [] };
      expect(await refused("set_header_footer", lines)).toMatch(
        /^(E201 |E400 header.1: this device has no letter for 日(, Х, л, я, б)?$|E400 header: this device has 0 lines)/,
      );
      expect(await refused("set_operator", { operatorId: 1, name: STRANGE })).toMatch(
        /^(E201 |E400 name: this device has no letter for 日(, Х, л, я, б)?$)/,
      );
      expect(await kept()).toEqual(before);
      await bench.done("print_receipt", smallSale({ name: STRANGE }));
      const { receipts } = bench.device.books();
      expect(["? Хляб", "? ????"]).toContain(receipts.at(-1)?.items[0]?.name ?? "");
    }),
);
