/** What a person rings up is theirs: none of our papers and no cash movement may end it. */

import { describe, expect, test } from "bun:test";
import { ContractBench } from "./testing/contract-bench.ts";
import { smallSale } from "./testing/contract-payloads.ts";
import { EVERY_MODEL, isMute } from "./testing/every-model.ts";
import { Sweep } from "./testing/sweep.ts";

/** What the test leaves open is seen by the next frame. */
const PERSON = { kind: "other_hands", deed: "open", amountMinor: 500 };

const KINDS = EVERY_MODEL.filter((kind) => !isMute(kind)).map(
  (kind) => [`${kind.driver}, ${kind.model}`, kind] as const,
);

describe.each(KINDS)("a receipt that a person has open on a device of %s", (_title, kind) => {
  test.each(["x_report", "z_report", "print_duplicate", "cash_in"] as const)(
    "is left to them by %s, which fails with E301",
    (type) =>
      ContractBench.on(kind, "tcp", async (bench) => {
        await bench.done("print_receipt", smallSale({}));
        await bench.device.fault(PERSON);
        await bench.done("get_status", {});
        const { openDocument, cash, zNumber } = bench.device.books();
        expect(openDocument).not.toBeNull();
        const { ended } = await bench.attempt(type, type === "cash_in" ? { amount: 1 } : {});
        expect(ended).toMatchObject({ how: "refused", error: { code: "E301" } });
        expect(bench.device.books()).toMatchObject({ openDocument, cash, zNumber });
      }),
  );
});

describe.each(KINDS)("a receipt that a person left open on a device of %s", (_title, kind) => {
  test("is told in the audit log by its own number or none when a sale clears the way", () =>
    ContractBench.on(kind, "tcp", async (bench) => {
      const { device } = bench;
      await bench.done("print_receipt", smallSale({}));
      for (const isPaid of [false, true]) {
        await device.fault(PERSON);
        if (isPaid) await device.fault({ ...PERSON, deed: "pay", amountMinor: 50 });
        await bench.done("get_status", {});
        const { openDocument, lastReceiptNumber } = device.books();
        expect(openDocument).not.toBeNull();
        device.noted.length = 0;
        await bench.done("print_receipt", smallSale({}));
        const numbers = device.noted.map(({ details }) => details.number);
        expect(numbers).toHaveLength(1);
        expect(numbers).not.toContain(lastReceiptNumber);
      }
    }));
});

/** More than `void_open_receipt` takes on any device. */
const VOID_FRAMES_MAX = 8;

describe.each(KINDS)("a receipt that a person is ringing up on a device of %s", (_title, kind) => {
  test.each([
    ["pays a part of it", { ...PERSON, deed: "pay", amountMinor: 50 }, { isCancelled: false }],
    // A receipt behind a cancelled one may look like the one that was to be cancelled.
    ["finishes it and sells more", { ...PERSON, deed: "finish", amountMinor: 777 }, {}],
  ])("is told as cancelled only where it was, though he %s meanwhile", (_what, hands, refused) =>
    ContractBench.on(kind, "tcp", async (bench) => {
      const { device } = bench;
      for (let at = 1; at <= VOID_FRAMES_MAX; at += 1) {
        await device.fault(PERSON);
        const { length: receipts } = device.books().receipts;
        await device.fault({ ...hands, when: "before", at });
        const { ended } = await bench.attempt("void_open_receipt", {});
        await device.clear();
        const { openDocument, receipts: sold } = device.books();
        const isSold = sold.slice(receipts).some(({ total }) => total === PERSON.amountMinor);
        const isCancelled = openDocument === null && !isSold;
        expect({ at, how: ended.how, isCancelled }).toMatchObject(
          ended.how === "done" ? { isCancelled: true } : { how: "refused", ...refused },
        );
        await device.fault({ ...PERSON, deed: "finish" });
      }
    }),
  );
});

/** Of one line and one tender. */
const SALE = { type: "print_receipt", payload: smallSale({}) } as const;

describe.each(KINDS)("a sale that ends without a receipt on a device of %s", (_title, kind) => {
  test.each([
    ["whoever had theirs cancelled with it", { ...PERSON, when: "before" }, true],
    ["nobody where it was ours alone", { kind: "refuse" }, false],
    ["nobody where what was refused was carried out", { kind: "deny" }, false],
  ])("names in the audit log %s", async (_what, fault, isTheirs) => {
    const sweep = await Sweep.start(kind);
    const { device } = sweep;
    expect((await device.run(SALE)).error).toBeUndefined();
    const frames = await sweep.countFrames(SALE);
    for (let at = 1; at <= frames; at += 1) {
      device.noted.length = 0;
      const begun = () => device.fault({ ...fault, at });
      const { outcome, error, recovered } = await device.run({ ...SALE, begun });
      await device.clear();
      const isLeft = device.state().openDocument !== null;
      const isNoted = device.noted.length > 0;
      const label = { at, outcome, error: error?.message };
      // They get no receipt of their own any more behind the closing of ours, and what puts away one
      // in doubt names it whoever rang it up.
      if (outcome !== "printed" && !isLeft && !(recovered && !isTheirs))
        expect({ ...label, isNoted }).toEqual({ ...label, isNoted: isTheirs });
      await device.fault({ kind: "other_hands", deed: "cancel" });
    }
    await sweep.stop();
  });
});
