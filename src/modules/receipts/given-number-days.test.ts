/** Numbers that a person said are told from those that a printer gives again: another day, another round. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Baseline } from "#core/command/marks.ts";
import { commandIdOf, SALE } from "../commands/testing/commands-bench.ts";
import { NAMES } from "./testing/receipts-bench.ts";
import { createSaidBench, DAY_MS, type SaidBench } from "./testing/said-bench.ts";

const { fiscalMemorySerialNumber } = NAMES;

let bench: SaidBench;
beforeEach(async () => {
  bench = await createSaidBench();
});
afterEach(() => bench.close());

describe("a sale whose number a person said", () => {
  // The number that a person said, what the printer gave before and behind it and how much later, and the answer.
  const BY_DAY: readonly {
    readonly name: string;
    readonly before?: string;
    readonly number: string;
    readonly closed?: number;
    readonly given: readonly [fiscalId: string, afterMs: number];
    readonly status: number;
  }[] = [
    {
      ...{ name: "of the day of the receipt before", before: "0012-0032", number: "34" },
      ...{ given: ["0012-0034", 60_000], status: 422 },
    },
    {
      ...{ name: "said with its day", number: "12-34" },
      ...{ given: ["0012-0034", 60_000], status: 422 },
    },
    {
      ...{ name: "of which nobody knows the day", number: "34" },
      ...{ given: ["0012-0034", 60_000], status: 422 },
    },
    {
      ...{ name: "of which nobody knows the day, but long ago", number: "34" },
      ...{ given: ["0012-0034", 2 * DAY_MS], status: 202 },
    },
    {
      ...{ name: "of the day before", before: "0012-0032", number: "34", closed: 12 },
      ...{ given: ["0013-0034", 60_000], status: 202 },
    },
  ];
  test.each(BY_DAY)(
    "is compared by the day where numbers begin anew each day, $name",
    async (scene) => {
      const { before, number, closed, given: then, status } = scene;
      bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "custom.serial" });
      if (before !== undefined) await bench.given(before);
      const ofPerson = await bench.said(number);
      if (closed !== undefined) {
        const data = { type: "z_report", reportNumber: closed };
        await bench.finish(await bench.queued("z_report", {}), { success: true, data });
      }
      await bench.clock.advanceAsync(then[1]);
      await bench.given(then[0]);
      expect((await bench.reversal(ofPerson, "34")).status).toBe(status);
      if (status === 422) expect((await bench.storno(ofPerson)).status).toBe(status);
    },
  );

  describe("where others made the Z report", () => {
    const AFTER_Z = { zNumber: 12 };
    beforeEach(() => {
      bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "custom.serial" });
    });

    test.each<[as: string, read: Baseline]>([
      ["as its printer told", AFTER_Z],
      ["as the next one shows", {}],
    ])(
      "is not taken back once the printer gave that number in the day behind it, %s",
      async (_, read) => {
        await bench.given("0012-0032");
        const ofPerson = await bench.said("2", await bench.inDoubt(read));
        await bench.clock.advanceAsync(60_000);
        const ofPrinter = await bench.given("0013-0002");
        const refused = await bench.reversal(ofPerson, "2");
        expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
        expect(refused.text).toContain(`gave that number to receipt ${ofPrinter}`);
      },
    );

    test("may have a number of the day before, as its printer told", async () => {
      await bench.given("0012-0001");
      await bench.said("1", await bench.inDoubt(AFTER_Z));
    });

    test("may have a number of the day before, by a command of its maker's own", async () => {
      await bench.given("0012-0001");
      const raw = await bench.queued("raw_command", { command: 56 });
      await bench.finish(raw, { success: true, data: {} });
      await bench.clock.advanceAsync(2 * DAY_MS);
      await bench.said("1");
    });
  });

  test("is taken back by one of the round before, where the printer has gone on before the person spoke", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    for (const number of ["34", "9990", "33"]) {
      await bench.given(number);
      await bench.clock.advanceAsync(30 * DAY_MS);
    }
    const commandId = await bench.inDoubt();
    await bench.clock.advanceAsync(60_000);
    await bench.sale("35");
    await bench.clock.advanceAsync(60_000);
    expect((await bench.storno(await bench.said("0034", commandId))).status).toBe(202);
  });

  const misreadToo = async () => {
    await bench.clock.advanceAsync(60_000);
    await bench.said("0241");
  };
  /** Another printer stands in its place for a while, and ends in being another one's. */
  const onLoan = async () => {
    const { orgId, deviceId, stores } = bench;
    stores.devices.update(orgId, deviceId, { fiscalMemorySerialNumber: "02000999" });
    const data = { receiptNumber: "5000", fiscalMemorySerialNumber: "02000999" };
    await bench.clock.advanceAsync(DAY_MS);
    await bench.finish(await bench.queued(), { success: true, data, fiscalId: "5000" });
    stores.devices.update(orgId, deviceId, { fiscalMemorySerialNumber });
  };
  // The number that a person said, what the printer gave since and after how many days, and the answer.
  const BEHIND_SAID: readonly {
    readonly name: string;
    readonly number: string;
    readonly meanwhile?: () => Promise<void>;
    readonly numbers: readonly (readonly [fiscalId: string, days: number])[];
    readonly status: number;
  }[] = [
    {
      ...{ name: "where its numbers began anew", number: "0009", status: 202 },
      numbers: [
        ["9990", 30],
        ["9", 30],
      ],
    },
    ...[
      { name: "but not as it came to it" },
      { name: "but not where the next one was misread too", meanwhile: misreadToo },
      { name: "but not where another printer gave higher ones meanwhile", meanwhile: onLoan },
    ].map((scene) => ({
      ...{ ...scene, number: "0240", status: 422 },
      numbers: [["141", 2] as const, ["239", 2] as const, ["240", 0] as const],
    })),
  ];
  test.each(BEHIND_SAID)("is taken back by one that is given again, $name", async (scene) => {
    const { number, meanwhile, numbers, status } = scene;
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    const ofPerson = await bench.said(number);
    await meanwhile?.();
    for (const [fiscalId, days] of numbers) {
      await bench.clock.advanceAsync(days * DAY_MS);
      await bench.given(fiscalId);
    }
    expect((await bench.storno(ofPerson)).status).toBe(status);
  });

  test("is not meant any more by a void or duplicate of that number in the printer's next round", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    const commandId = await bench.lost();
    await bench.said("0034", commandId);
    await bench.ended(commandId, "34");
    for (const number of ["35", "9990", "33"]) {
      await bench.given(number);
      await bench.clock.advanceAsync(30 * DAY_MS);
    }
    const newest = await bench.given("34");
    const duplicate = await bench.queued("print_duplicate", { receiptId: "34" });
    expect(bench.stores.commands.get(bench.orgId, duplicate)).toMatchObject({ status: "sent" });
    await bench.finish(duplicate, { success: true, data: {} });
    await bench.queued("void_receipt", { receiptId: "0034" });
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { original: { id: newest } } });
  });

  test("may be meant by a void of that number where the printer only came to it later", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    const commandId = await bench.lost();
    await bench.said("0240", commandId);
    await bench.ended(commandId, "140");
    for (const number of ["141", "239", "240"]) {
      await bench.given(number);
      await bench.clock.advanceAsync(2 * DAY_MS);
    }
    const refused = await bench.submit("void_receipt", { receiptId: "240" });
    expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
  });

  test.each<[that: string, later: () => Promise<string>]>([
    ["a till told", () => bench.sale("34", { zReportNumber: "15" })],
    ["a person said too", async () => bench.said("34", await bench.inDoubt({ zNumber: 14 }))],
  ])("is not meant by a void of that number of a later day, which %s", async (_, later) => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "custom.serial" });
    await bench.said("34", await bench.inDoubt({ zNumber: 11 }));
    await bench.clock.advanceAsync(3 * DAY_MS);
    const newest = await later();
    await bench.queued("void_receipt", { receiptId: "34" });
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { original: { id: newest } } });
  });

  test("is not the one of a round before that a reversal names with its time", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    await bench.given("26");
    const newest = await bench.given("27");
    const paper = (days: number) => {
      const at = new Date(bench.clock.now() - days * DAY_MS).toISOString();
      return bench.reversal(newest, "27", { originalReceiptDateTime: at });
    };
    const before = commandIdOf(await paper(300));
    expect(bench.stores.reversals.of(before)?.acceptedFor).toBeNull();
    const own = commandIdOf(await paper(0.5));
    expect(bench.stores.reversals.of(own)?.acceptedFor).toBe(newest);
  });

  test("is meant by its number though another one is told with a time days off, as on its paper", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    await bench.given("26");
    const ours = await bench.given("27");
    const behind = bench.clock.now() - 3 * DAY_MS;
    await bench.clock.advanceAsync(60_000);
    await bench.sale("28", {
      ...{ items: SALE.items, payments: SALE.payments },
      ...{ uniqueSaleNumber: undefined, zReportNumber: undefined },
      issuedAt: new Date(behind + 60_000).toISOString(),
    });
    const change = {
      originalReceiptDateTime: new Date(behind).toISOString(),
      ...{ uniqueSaleNumber: "", originalZReportNumber: "" },
    };
    const back = commandIdOf(await bench.reversal(ours, "27", change));
    expect(bench.stores.reversals.of(back)?.acceptedFor).toBe(ours);
  });

  test("is meant by its number though the time on its paper is days off", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    await bench.given("26");
    const ours = await bench.given("27");
    const untold = { uniqueSaleNumber: undefined, zReportNumber: undefined };
    const soldAt = bench.clock.now() + DAY_MS / 24;
    await bench.clock.advanceAsync(5 * DAY_MS);
    const ofTill = await bench.sale("34", {
      ...untold,
      items: SALE.items,
      payments: SALE.payments,
    });
    const paper = (receiptId: string, number: string, at: number) => {
      const originalReceiptDateTime = new Date(at).toISOString();
      const change = { originalReceiptDateTime, uniqueSaleNumber: "", originalZReportNumber: "" };
      return bench.reversal(receiptId, number, change).then(commandIdOf);
    };
    const { reversals } = bench.stores;
    const of = async (commandId: Promise<string>) => reversals.of(await commandId)?.acceptedFor;
    expect(await of(paper(ours, "27", soldAt - 3 * DAY_MS))).toBe(ours);
    expect(await of(paper(ofTill, "34", soldAt))).toBe(ofTill);
  });

  describe("of a printer whose numbers begin anew after thousands", () => {
    beforeEach(() => {
      bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    });
    const paper = (at: number) => ({ originalReceiptDateTime: new Date(at).toISOString() });
    const countsOn = (commandId: string) =>
      bench.stores.reversals.of(commandId)?.acceptedFor ?? undefined;
    const STATED = { items: SALE.items, payments: SALE.payments };
    const UNTOLD = { uniqueSaleNumber: undefined, zReportNumber: undefined };

    test("is not meant where the printer had gone on from its number by then", async () => {
      await bench.given("26");
      await bench.clock.advanceAsync(60_000);
      const named = paper(bench.clock.now());
      await bench.clock.advanceAsync(60_000);
      await bench.given("28");
      await bench.clock.advanceAsync(7 * DAY_MS);
      await bench.given("24");
      const newest = await bench.given("27");
      expect(countsOn(commandIdOf(await bench.reversal(newest, "27", named)))).toBeUndefined();
    });

    test("is meant where its receipt has the number, not where another one's document has it", async () => {
      const numbers = (receiptNumber: string) => ({ ...STATED, ...UNTOLD, receiptNumber });
      const other = await bench.sale("51", numbers("49"));
      const named = {
        ...paper(bench.clock.now()),
        uniqueSaleNumber: "",
        originalZReportNumber: "",
      };
      await bench.clock.advanceAsync(3_600_000);
      const own = await bench.sale("53", numbers("51"));
      expect(countsOn(commandIdOf(await bench.reversal(own, "51", named)))).toBe(own);
      expect((await bench.storno(own)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
      expect((await bench.storno(other)).status).toBe(202);
    });

    test("is meant by its time where POST /receipts tells none of its own", async () => {
      await bench.given("20");
      const named = { ...paper(bench.clock.now() + 3_600_000), uniqueSaleNumber: "" };
      await bench.clock.advanceAsync(20 * DAY_MS);
      const late = await bench.sale("34", { ...STATED, ...UNTOLD });
      expect(countsOn(commandIdOf(await bench.reversal(late, "34", named)))).toBe(late);
    });

    test("counts what took it back before POST /receipts told it, without its time", async () => {
      const before = await bench.given("20");
      const named = { ...paper(bench.clock.now()), uniqueSaleNumber: "" };
      const back = commandIdOf(await bench.reversal(before, "34", named));
      await bench.ended(back, "33");
      await bench.clock.advanceAsync(2 * DAY_MS);
      const late = await bench.sale("34", { ...STATED, ...UNTOLD });
      expect((await bench.storno(late)).text).toContain("Nothing is left of");
    });
  });

  test("does not keep the right one from being said of the next sale, where it was misread as a higher one", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    // Of the round before.
    await bench.given("142");
    await bench.given("9990");
    await bench.clock.advanceAsync(30 * DAY_MS);
    await bench.given("140");
    await bench.said("0241");
    await bench.clock.advanceAsync(60_000);
    await bench.said("0142");
  });
});
