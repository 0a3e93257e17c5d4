/** A sale by a number that a person misread is taken back in no way: the printer gave it to another. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Baseline } from "#core/command/marks.ts";
import { paperNumbers } from "#core/command/settled.ts";
import { COMMANDS, commandIdOf, SALE, UNKNOWN } from "../commands/testing/commands-bench.ts";
import {
  createReceiptsBench,
  NAMES,
  pageOf,
  RECEIPTS,
  type ReceiptsBench,
} from "./testing/receipts-bench.ts";

const { fiscalMemorySerialNumber } = NAMES;
const DAY_MS = 86_400_000;
const OTHER_SALE = { uniqueSaleNumber: "DT000600-0002-0000001" };

let bench: ReceiptsBench;
beforeEach(async () => {
  bench = await createReceiptsBench();
  bench.stores.devices.update(bench.orgId, bench.deviceId, { fiscalMemorySerialNumber });
});
afterEach(() => bench.close());

const byNumber = async (fiscalId: string): Promise<string> =>
  pageOf(await bench.till.get(`${RECEIPTS}?fiscalId=${fiscalId}`)).receipts[0]?.id ?? "";

/** Whose the controller is. */
const OUTSIDE = (): string | null => bench.orgId;
const CONTROLLERS: readonly [string, () => string | null][] = [
  ["outside of the process", OUTSIDE],
  // It is given its next command while the result of the one before is being written.
  ["inside the process", () => null],
];

/** A sale of which nobody can tell. @param read of its printer before. @returns its command */
async function inDoubt(read?: Baseline): Promise<string> {
  const commandId = await bench.queued();
  await bench.marked(commandId, "baseline", read);
  await bench.marked(commandId, "committing", read);
  await bench.finish(commandId, UNKNOWN);
  return commandId;
}

/** A sale whose line is lost while it is paid. @returns its command */
async function lost(): Promise<string> {
  const commandId = await bench.queued();
  await bench.marked(commandId, "baseline");
  await bench.marked(commandId, "committing");
  bench.queue.lineLost(bench.deviceId);
  await bench.clock.advanceAsync(60_000);
  return commandId;
}

/** A sale of which a person says that it was printed. @returns the id of its receipt */
async function said(fiscalId: string, commandId?: string): Promise<string> {
  const doubtful = commandId ?? (await inDoubt());
  const answer = await bench.resolve(doubtful, { outcome: "printed", fiscalId });
  expect(answer.status).toBe(200);
  return byNumber(fiscalId);
}

/** The printer ends a command with a number. @returns the id of its receipt */
async function ended(commandId: string, fiscalId: string, of = OUTSIDE): Promise<string> {
  const { receiptNumber, zReportNumber } = paperNumbers(fiscalId);
  const data = { receiptNumber, zReportNumber, fiscalMemorySerialNumber };
  await bench.finish(commandId, { success: true, data, fiscalId }, of());
  return byNumber(fiscalId);
}

const given = async (fiscalId: string) => ended(await bench.queued(), fiscalId);

type Taking = (receiptId: string, number: string) => ReturnType<ReceiptsBench["storno"]>;
const reversal: Taking = async (receiptId, originalReceiptNumber) => {
  const at = bench.stores.receipts.get(bench.orgId, receiptId)?.issuedAt ?? 0;
  const named = { originalReceiptNumber, originalReceiptDateTime: new Date(at).toISOString() };
  const payload = { ...SALE, ...NAMES, ...named, reason: "operator-error" };
  return bench.submit("print_reversal_receipt", payload);
};
/** Each way in which a sale is taken back. */
const WAYS: readonly [string, Taking][] = [
  ["its storno", (receiptId) => bench.storno(receiptId)],
  ["a void of its id", (receiptId) => bench.submit("void_receipt", { receiptId })],
  ["a void of its number", (_, receiptId) => bench.submit("void_receipt", { receiptId })],
  ["a reversal that names it", reversal],
];

describe("a sale whose number a person said", () => {
  test.each(WAYS.filter(([way]) => way !== "a void of its number"))(
    "is not taken back by %s once the printer gave that number to another, which is",
    async (_, take) => {
      const ofPerson = await said("0009");
      await bench.clock.advanceAsync(60_000);
      const ofPrinter = await given("9");
      const refused = await take(ofPerson, "9");
      expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
      expect(refused.text).toContain(`gave that number to receipt ${ofPrinter}`);
      expect((await take(ofPrinter, "9")).status).toBe(202);
    },
  );

  describe.each(CONTROLLERS)("at a controller %s", (_where, of) => {
    test.each(WAYS)("is not taken back by %s that waits while that happens", async (_, take) => {
      const ofPerson = await said("0009");
      await bench.clock.advanceAsync(60_000);
      const other = await bench.queued();
      const commandId = commandIdOf(await take(ofPerson, "0009"));
      const ofPrinter = await ended(other, "9", of);
      const errorMessage = expect.stringContaining(`gave that number to receipt ${ofPrinter}`);
      expect((await bench.till.get(`${COMMANDS}/${commandId}`)).body).toMatchObject({
        command: {
          status: "failed",
          result: { errorCode: "E402", errorMessage, data: { outcome: "not_printed" } },
        },
      });
      expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: other } });
    });
  });

  test("is taken back where another one has that number of another day", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "custom.serial" });
    const first = await said("0034");
    await bench.clock.advanceAsync(3 * DAY_MS);
    const second = await given("34");
    for (const id of [first, second]) expect((await bench.storno(id)).status).toBe(202);
  });

  test("keeps the receipt of another till with that number from no books, and is not taken back then", async () => {
    const ofPerson = await said("0009");
    await bench.clock.advanceAsync(60_000);
    // The same sale once more, and another one.
    const again = await bench.till.post(RECEIPTS, bench.saleBody("9", SALE));
    expect(again.refusal).toBe("409 CONFLICT");
    const ofTill = await bench.sale("9", OTHER_SALE);
    for (const [, take] of WAYS.filter(([way]) => way !== "a void of its number")) {
      const refused = await take(ofPerson, "0009");
      expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
      expect(refused.text).toContain(`gave that number to receipt ${ofTill}`);
    }
    expect((await bench.till.post(RECEIPTS, bench.saleBody("9"))).refusal).toBe("409 CONFLICT");
  });

  test("is not taken back once the printer proves that number of one that was said to be printed, which is", async () => {
    const ofPerson = await said("0009");
    const other = await lost();
    expect((await bench.resolve(other, { outcome: "printed" })).status).toBe(200);
    const proven = await ended(other, "9");
    const refused = await bench.storno(ofPerson);
    expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(refused.text).toContain(`gave that number to receipt ${proven}`);
    expect((await bench.storno(proven)).status).toBe(202);
  });

  /** When the printer proves the number of a sale, as against a person's word on it. */
  const PROVEN: readonly [string, (said: string, proven: string) => Promise<string>][] = [
    [
      "before the person spoke",
      async (number, proven) => {
        const commandId = await inDoubt();
        await ended(commandId, proven);
        return said(number, commandId);
      },
    ],
    [
      "when its line was back",
      async (number, proven) => {
        const commandId = await lost();
        const id = await said(number, commandId);
        await ended(commandId, proven);
        return id;
      },
    ],
  ];
  describe.each(PROVEN)("and its printer proved %s", (_when, inBooks) => {
    test.each(WAYS)("is not taken back by %s where that is another one", async (way, take) => {
      const id = await inBooks("0009", "10");
      const onPaper = /of its number|names it/.test(way) ? ["10", "0010"] : [];
      for (const number of ["0009", ...onPaper]) {
        const refused = await take(id, number);
        expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
        expect(refused.text).toContain("the printer proved that it has number 10");
      }
    });

    test("has that number in the books, and no other", async () => {
      await inBooks("9", "10");
      const next = await inDoubt();
      const again = await bench.resolve(next, { outcome: "printed", fiscalId: "0010" });
      expect(again.refusal).toBe("409 CONFLICT");
      const body = (fiscalId: string) => bench.saleBody(fiscalId, OTHER_SALE);
      expect((await bench.till.post(RECEIPTS, body("0010"))).refusal).toBe("409 CONFLICT");
      const ofTill = await bench.store(body("9"));
      expect((await bench.storno(ofTill)).status).toBe(202);
    });

    test("keeps the number that it has, where the person read it rightly", async () => {
      const id = await inBooks("0009", "9");
      const other = await bench.till.post(RECEIPTS, bench.saleBody("9", OTHER_SALE));
      expect(other.refusal).toBe("409 CONFLICT");
      expect((await bench.storno(id)).status).toBe(202);
    });
  });

  test("has the number that its printer proved, whatever was said of others since", async () => {
    const { orgId, deviceId, stores } = bench;
    const commandId = await lost();
    await said("9", commandId);
    await ended(commandId, "10");
    const command = stores.commands.get(orgId, commandId);
    const at = bench.clock.now() + 1;
    for (const id of Array.from({ length: 100 }, (_, last) => `cmd_${last}`)) {
      if (command) stores.commands.insert({ ...command, id });
      const printer = { fiscalMemorySerialNumber, serialNumber: null, address: null };
      stores.outcomeHolds.raise({ ...printer, commandId: id, orgId, deviceId, raisedAt: at });
      const word = { outcome: "not_printed", fiscalId: null } as const;
      stores.outcomeHolds.resolve(orgId, id, { ...word, resolvedBy: "user:1", resolvedAt: at });
    }
    const body = bench.saleBody("10", OTHER_SALE);
    expect((await bench.till.post(RECEIPTS, body)).refusal).toBe("409 CONFLICT");
  });

  test.each([{}, { detail: "x".repeat(5_000) }])(
    "is taken back where its printer proved it under the other of the paper's two numbers",
    async (more) => {
      const commandId = await lost();
      const id = await said("0027", commandId);
      const data = { receiptNumber: "27", fiscalMemorySerialNumber, ...more };
      await bench.finish(commandId, { success: true, data, fiscalId: "1234" }, OUTSIDE());
      expect((await bench.storno(id)).status).toBe(202);
    },
  );

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
      if (before !== undefined) await given(before);
      const ofPerson = await said(number);
      if (closed !== undefined) {
        const data = { type: "z_report", reportNumber: closed };
        await bench.finish(await bench.queued("z_report", {}), { success: true, data });
      }
      await bench.clock.advanceAsync(then[1]);
      await given(then[0]);
      expect((await reversal(ofPerson, "34")).status).toBe(status);
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
        await given("0012-0032");
        const ofPerson = await said("2", await inDoubt(read));
        await bench.clock.advanceAsync(60_000);
        const ofPrinter = await given("0013-0002");
        const refused = await reversal(ofPerson, "2");
        expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
        expect(refused.text).toContain(`gave that number to receipt ${ofPrinter}`);
      },
    );

    test("may have a number of the day before, as its printer told", async () => {
      await given("0012-0001");
      await said("1", await inDoubt(AFTER_Z));
    });

    test("may have a number of the day before, by a command of its maker's own", async () => {
      await given("0012-0001");
      const raw = await bench.queued("raw_command", { command: 56 });
      await bench.finish(raw, { success: true, data: {} });
      await bench.clock.advanceAsync(2 * DAY_MS);
      await said("1");
    });
  });

  test("is taken back by one of the round before, where the printer has gone on before the person spoke", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    for (const number of ["34", "9990", "33"]) {
      await given(number);
      await bench.clock.advanceAsync(30 * DAY_MS);
    }
    const commandId = await inDoubt();
    await bench.clock.advanceAsync(60_000);
    await bench.sale("35");
    await bench.clock.advanceAsync(60_000);
    expect((await bench.storno(await said("0034", commandId))).status).toBe(202);
  });

  test("is not meant by that number in any writing once the printer gave it to another", async () => {
    await said("0009");
    const ofPrinter = await given("9");
    const commandId = await bench.queued("void_receipt", { receiptId: "0009" });
    expect(bench.levers.sent.at(-1)).toMatchObject({
      command: { id: commandId, original: { id: ofPrinter } },
    });
  });

  const misreadToo = async () => {
    await bench.clock.advanceAsync(60_000);
    await said("0241");
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
    const ofPerson = await said(number);
    await meanwhile?.();
    for (const [fiscalId, days] of numbers) {
      await bench.clock.advanceAsync(days * DAY_MS);
      await given(fiscalId);
    }
    expect((await bench.storno(ofPerson)).status).toBe(status);
  });

  test("does not keep the right one from being said of the next sale, where it was misread as a higher one", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    // Of the round before.
    await given("142");
    await given("9990");
    await bench.clock.advanceAsync(30 * DAY_MS);
    await given("140");
    await said("0241");
    await bench.clock.advanceAsync(60_000);
    await said("0142");
  });
});
