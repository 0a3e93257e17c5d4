/** Whose a number is, where a paper has two of them, a day, or a former printer's record. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Baseline } from "#core/command/marks.ts";
import { COMMANDS, commandIdOf, SALE, UNKNOWN } from "../commands/testing/commands-bench.ts";
import { NAMES, RECEIPTS } from "./testing/receipts-bench.ts";
import { createSaidBench, DAY_MS, OTHER_SALE, type SaidBench } from "./testing/said-bench.ts";

const { fiscalMemorySerialNumber } = NAMES;

let bench: SaidBench;
beforeEach(async () => {
  bench = await createSaidBench();
});
afterEach(() => bench.close());

const change = (record: Parameters<SaidBench["stores"]["devices"]["update"]>[2]) =>
  bench.stores.devices.update(bench.orgId, bench.deviceId, record);
const say = (commandId: string, fiscalId: string) =>
  bench.resolve(commandId, { outcome: "printed", fiscalId });
/** A receipt as an older version stored it: what its printer told of a number that was said is left out. */
const asOlder = (id: string, said: string): string => {
  const older = "UPDATE receipts SET receipt_number = ?, z_report_number = NULL WHERE id = ?";
  bench.database.sqlite.prepare(older).run(said, id);
  return id;
};
/** What the controller was told to take back by a command. */
const takenBy = (commandId: string) =>
  bench.levers.sent.flatMap((one) =>
    "command" in one && one.command.id === commandId ? [one.command.original] : [],
  );
/** A reversal by what stands on a paper, whatever is stored. */
const taken = (originalReceiptNumber: string, more: object = {}) => {
  const originalReceiptDateTime = new Date(bench.clock.now()).toISOString();
  return bench.reversal("", originalReceiptNumber, { originalReceiptDateTime, ...more });
};

describe("where documents and receipts are counted apart", () => {
  beforeEach(() => change({ driver: "vendorF.shtrih" }));

  const end = (commandId: string, fiscalId: string, receiptNumber: string) => {
    const data = { receiptNumber, zReportNumber: "12", fiscalMemorySerialNumber };
    return bench.finish(commandId, { success: true, data, fiscalId }, bench.orgId);
  };
  const sold = async (fiscalId: string, receiptNumber: string) =>
    end(await bench.queued(), fiscalId, receiptNumber);

  test.each(["28", "1234"])("a misread sale is not taken back by its proven %s", async (number) => {
    const commandId = await bench.lost();
    await bench.said("0027", commandId);
    await end(commandId, "1234", "28");
    const refused = await taken(number);
    expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(refused.text).toContain("the printer proved that it has number 1234");
  });

  test("a person may name that of the receipt though a document had it, and takes it back", async () => {
    for (const number of [27, 28, 29]) await sold(String(number), String(number - 3));
    const id = await bench.said("27", await bench.inDoubt());
    expect((await bench.storno(id)).status).toBe(202);
  });

  test("a number of a document and of a receipt is of one of them in no void and no duplicate", async () => {
    for (const number of [27, 28, 29]) await sold(String(number), String(number - 3));
    const id = await bench.said("27", await bench.inDoubt());
    const voided = await bench.submit("void_receipt", { receiptId: "27" });
    expect(voided.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    const repeated = async (receiptId: string) => {
      const commandId = await bench.queued("print_duplicate", { receiptId });
      return bench.stores.commands.get(bench.orgId, commandId);
    };
    expect(await repeated("27")).toMatchObject({
      status: "failed",
      result: { errorCode: "E400", errorMessage: expect.stringContaining("name the id") },
    });
    expect(await repeated(id)).toMatchObject({ status: "sent" });
  });

  test("a person may not name one that both a document and a receipt have", async () => {
    for (const number of [27, 28, 29, 30]) await sold(String(number), String(number - 3));
    expect((await say(await bench.inDoubt(), "27")).refusal).toBe("409 CONFLICT");
  });

  test("a sale is not taken back by a number that the printer gave to another receipt", async () => {
    const id = await bench.said("28", await bench.inDoubt());
    await sold("31", "28");
    expect((await bench.storno(id)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
  });

  test("a sale stands in the books under either, and takes no document's number", async () => {
    const commandId = await bench.lost();
    await bench.said("0027", commandId);
    await end(commandId, "1234", "27");
    const again = await bench.till.post(RECEIPTS, bench.saleBody("1234", SALE));
    expect(again.refusal).toBe("409 CONFLICT");
    const other = await bench.lost();
    expect((await bench.resolve(other, { outcome: "printed" })).status).toBe(200);
    await end(other, "27", "5");
    expect(bench.stores.receipts.ofCommand(other)).toMatchObject({ fiscalId: "27" });
  });

  test.each(["before", "behind"])(
    "a storno names that of the receipt, proven %s the word on the document's",
    async (when) => {
      const commandId = when === "before" ? await bench.inDoubt() : await bench.lost();
      if (when === "before") await end(commandId, "1234", "27");
      const id = await bench.said("1234", commandId);
      if (when === "behind") await end(commandId, "1234", "27");
      expect((await bench.storno(id)).text).toContain('"originalReceiptNumber":"27"');
    },
  );

  describe("one that an older version stored as the document's number, which was said", () => {
    /** @returns its id */
    const older = async (): Promise<string> => {
      const commandId = await bench.lost();
      const id = await bench.said("1234", commandId);
      await end(commandId, "1234", "27");
      return asOlder(id, "1234");
    };

    test("is named by that of the receipt", async () => {
      const id = await older();
      const commandId = commandIdOf(await bench.submit("void_receipt", { receiptId: id }));
      expect(takenBy(commandId)).toMatchObject([{ id, receiptNumber: "27" }]);
      await bench.finish(commandId, { success: false, data: { outcome: "not_printed" } });
      expect((await bench.storno(id)).text).toContain('"originalReceiptNumber":"27"');
    });

    test.each(["27", "1234"])("is taken back once, by %s", async (number) => {
      const id = await older();
      expect((await taken(number)).status).toBe(202);
      for (const again of ["0027", "1234"]) {
        expect((await taken(again)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
      }
      expect((await bench.storno(id)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    });
  });
});

describe("where numbers begin anew each day", () => {
  beforeEach(() => change({ driver: "custom.serial" }));

  test.each<[told: string, read: Baseline, proven: string | undefined]>([
    ["proved", {}, "0012-0034"],
    ["told before", { zNumber: 11 }, undefined],
  ])("a storno of what an older version stored names the day %s", async (_, read, proven) => {
    const commandId = await bench.inDoubt(read);
    if (proven !== undefined) await bench.ended(commandId, proven);
    const id = asOlder(await bench.said("34", commandId), "34");
    expect((await bench.storno(id)).text).toContain('"originalZReportNumber":"12"');
  });

  test.each(["before", "behind"])("a sale gets the day proven %s the word", async (when) => {
    const commandId = when === "before" ? await bench.inDoubt() : await bench.lost();
    if (when === "before") await bench.ended(commandId, "0012-0034");
    const id = await bench.said("34", commandId);
    if (when === "behind") await bench.ended(commandId, "0012-0034");
    expect((await bench.storno(id)).text).toContain('"originalZReportNumber":"12"');
  });

  test("a sale gets the day that its printer told before it", async () => {
    const id = await bench.said("34", await bench.inDoubt({ zNumber: 11 }));
    expect((await bench.storno(id)).text).toContain('"originalZReportNumber":"12"');
  });

  test.each(["34", "12-34"])(
    "a sale said as %s is taken back once by its fiscal id",
    async (word) => {
      await bench.said(word, await bench.inDoubt({ zNumber: 11 }));
      const named = { originalZReportNumber: "12" };
      expect((await taken("0012-0034", named)).status).toBe(202);
      expect((await taken("0012-0034", named)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    },
  );

  test.each([
    ["of another day", { zNumber: 11 }, DAY_MS / 2],
    ["of a day that nobody knows, long ago", undefined, 60 * DAY_MS],
  ] as const)("a sale %s is not meant by the number of a day", async (_, read, later) => {
    const id = await bench.said("34", await bench.inDoubt(read));
    await bench.clock.advanceAsync(later);
    const named = { originalZReportNumber: "72" };
    const reversal = commandIdOf(await taken("0072-0034", named));
    expect(bench.stores.reversals.of(reversal)?.acceptedFor).toBeNull();
    expect((await bench.storno(id)).status).toBe(202);
  });

  describe("a sale of a day that nobody knows is taken back once", () => {
    const onPaper = () => new Date(bench.clock.now() - 5 * DAY_MS).toISOString();
    const takenAsOf = async (originalReceiptDateTime: string) => {
      const named = { originalZReportNumber: "12", originalReceiptDateTime };
      expect((await taken("34", named)).status).toBe(202);
      expect((await taken("34", named)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    };

    test("by its unique sale number, though its till told no time", async () => {
      const { items, payments } = SALE;
      await bench.sale("34", { items, payments, zReportNumber: undefined });
      await takenAsOf(onPaper());
    });

    test("by the time on its paper, though the printer's clock is wrong", async () => {
      const data = { receiptNumber: "34", fiscalMemorySerialNumber, issuedAt: onPaper() };
      await bench.finish(await bench.queued(), { success: true, fiscalId: "34", data });
      await takenAsOf(data.issuedAt);
    });
  });

  /** A sale of another till. */
  const stored = (fiscalId: string, daysAgo: number, more: object) => {
    const issuedAt = new Date(bench.clock.now() - daysAgo * DAY_MS).toISOString();
    return bench.sale(fiscalId, { ...more, issuedAt });
  };
  const voided = (receiptId: string) => bench.submit("void_receipt", { receiptId });

  test("a void is of the receipt that it was accepted for, whatever has that number by then", async () => {
    const id = await stored("34", 2, { zReportNumber: "12" });
    const busy = await bench.queued();
    const commandId = commandIdOf(await voided("34"));
    const other = await stored("34", 1, { ...OTHER_SALE, zReportNumber: "13" });
    await bench.ended(busy, "0014-0001");
    await bench.atRest();
    expect(takenBy(commandId)).toMatchObject([{ id, zReportNumber: "12" }]);
    await bench.ended(commandId, "0014-0002");
    const { receipts } = bench.stores;
    expect(receipts.ofCommand(commandId)).toMatchObject({ originalReceiptId: id });
    expect((await bench.storno(other)).status).toBe(202);
  });

  test("a void is of what was issued last with that number, in whatever order they were told", async () => {
    const last = await stored("34", 1, { zReportNumber: "13" });
    await stored("34", 3, { ...OTHER_SALE, zReportNumber: "11" });
    expect(takenBy(commandIdOf(await voided("34")))).toMatchObject([{ id: last }]);
  });

  test.each(["12-34", "0012-0034"])(
    "a void of %s finds the sale that was said as 34",
    async (id) => {
      const receipt = await bench.said("34", await bench.inDoubt({ zNumber: 11 }));
      expect(takenBy(commandIdOf(await voided("13-34")))).toEqual([]);
      expect(takenBy(commandIdOf(await voided(id)))).toMatchObject([{ id: receipt }]);
    },
  );
});

test("a person may say what the printer proved, though another sale was misread as that", async () => {
  await bench.said("0009");
  const commandId = await bench.inDoubt();
  await bench.ended(commandId, "9");
  expect((await say(commandId, "9")).status).toBe(200);
});

test("a printer in the place of another counts anew", async () => {
  await bench.given("34");
  const memory = { fiscalMemorySerialNumber: "02000999" };
  change(memory);
  const body = bench.saleBody("34", { ...OTHER_SALE, ...memory });
  expect((await bench.till.post(RECEIPTS, body)).status).toBe(201);
  expect((await bench.till.post(RECEIPTS, body)).refusal).toBe("409 CONFLICT");
  const former = bench.saleBody("0034", { ...OTHER_SALE });
  expect((await bench.till.post(RECEIPTS, former)).refusal).toBe("409 CONFLICT");
});

test("a till may leave out the zeros of a fiscal memory", async () => {
  const id = await bench.given("34");
  const memory = { fiscalMemorySerialNumber: "2000600" };
  const again = bench.saleBody("34", { ...SALE, ...memory });
  expect((await bench.till.post(RECEIPTS, again)).refusal).toBe("409 CONFLICT");
  expect((await bench.reversal(id, "34", memory)).status).toBe(202);
  expect((await bench.reversal(id, "34", memory)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
  const other = bench.saleBody("35", memory);
  await bench.store(other);
  expect((await bench.till.post(RECEIPTS, bench.saleBody("35"))).refusal).toBe("409 CONFLICT");
  const letters = { fiscalMemorySerialNumber: "AB02000600" };
  await bench.store(bench.saleBody("36", letters));
  await bench.sale("36", { fiscalMemorySerialNumber: "AB2000600" });
});

test("simulated printers of one model do not share what one of them proved", async () => {
  const { orgId, owner, stores, till } = bench;
  const [one, other] = await Promise.all(
    ["One", "Other"].map(async (name) => {
      const body = { name, driver: "vendorA.isl", locationId: "shop" };
      const id = (await owner.post("/api/v1/devices/simulated", body)).field("id");
      stores.devices.update(orgId, id, { fiscalMemorySerialNumber });
      return id;
    }),
  );
  const queue = (deviceId: string | undefined, type: string, payload: object) =>
    till.post(COMMANDS, { deviceId, type, payload });
  const commandId = commandIdOf(await queue(one, "print_receipt", SALE));
  await bench.atRest();
  const report = (type: string, more: object) =>
    bench.reported({ type, deviceId: one, commandId, ...more } as Parameters<
      SaidBench["reported"]
    >[0]);
  await report("command.mark", { mark: "baseline" });
  await report("command.mark", { mark: "committing" });
  await report("command.result", { result: UNKNOWN });
  await bench.atRest();
  await bench.said("0009", commandId);
  const data = { receiptNumber: "10", fiscalMemorySerialNumber };
  await report("command.result", { result: { success: true, data, fiscalId: "10" } });
  await bench.atRest();
  const named = {
    ...{ ...SALE, ...NAMES, originalReceiptNumber: "10", reason: "operator-error" },
    originalReceiptDateTime: new Date(bench.clock.now()).toISOString(),
  };
  expect((await queue(one, "print_reversal_receipt", named)).status).toBe(422);
  expect((await queue(other, "print_reversal_receipt", named)).status).toBe(202);
});
