/** A sale by a number that a person misread is taken back in no way: the printer gave it to another. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { COMMANDS, commandIdOf, SALE, UNKNOWN } from "../commands/testing/commands-bench.ts";
import { NAMES, RECEIPTS } from "./testing/receipts-bench.ts";
import { createSaidBench, DAY_MS, OTHER_SALE, type SaidBench } from "./testing/said-bench.ts";

const { fiscalMemorySerialNumber } = NAMES;

let bench: SaidBench;
beforeEach(async () => {
  bench = await createSaidBench();
});
afterEach(() => bench.close());

const CONTROLLERS: readonly [string, () => string | null][] = [
  ["outside of the process", () => bench.orgId],
  // It is given its next command while the result of the one before is being written.
  ["inside the process", () => null],
];

type Taking = (receiptId: string, number: string) => ReturnType<SaidBench["storno"]>;
/** Each way in which a sale is taken back. */
const WAYS: readonly [string, Taking][] = [
  ["its storno", (receiptId) => bench.storno(receiptId)],
  ["a void of its id", (receiptId) => bench.submit("void_receipt", { receiptId })],
  ["a void of its number", (_, receiptId) => bench.submit("void_receipt", { receiptId })],
  ["a reversal that names it", (receiptId, number) => bench.reversal(receiptId, number)],
];

describe("a sale whose number a person said", () => {
  test.each(WAYS.filter(([way]) => way !== "a void of its number"))(
    "is not taken back by %s once the printer gave that number to another, which is",
    async (_, take) => {
      const ofPerson = await bench.said("0009");
      await bench.clock.advanceAsync(60_000);
      const ofPrinter = await bench.given("9");
      const refused = await take(ofPerson, "9");
      expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
      expect(refused.text).toContain(`gave that number to receipt ${ofPrinter}`);
      expect((await take(ofPrinter, "9")).status).toBe(202);
    },
  );

  describe.each(CONTROLLERS)("at a controller %s", (_where, of) => {
    test.each(WAYS)("is not taken back by %s that waits while that happens", async (_, take) => {
      const ofPerson = await bench.said("0009");
      await bench.clock.advanceAsync(60_000);
      const other = await bench.queued();
      const commandId = commandIdOf(await take(ofPerson, "0009"));
      const ofPrinter = await bench.ended(other, "9", of());
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
    const first = await bench.said("0034");
    await bench.clock.advanceAsync(3 * DAY_MS);
    const second = await bench.given("34");
    for (const id of [first, second]) expect((await bench.storno(id)).status).toBe(202);
  });

  test("keeps the receipt of another till with that number from no books, and is not taken back then", async () => {
    const ofPerson = await bench.said("0009");
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
    const ofPerson = await bench.said("0009");
    const other = await bench.lost();
    expect((await bench.resolve(other, { outcome: "printed" })).status).toBe(200);
    const proven = await bench.ended(other, "9");
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
        const commandId = await bench.inDoubt();
        await bench.ended(commandId, proven);
        return bench.said(number, commandId);
      },
    ],
    [
      "when its line was back",
      async (number, proven) => {
        const commandId = await bench.lost();
        const id = await bench.said(number, commandId);
        await bench.ended(commandId, proven);
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
      const next = await bench.inDoubt();
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
    const commandId = await bench.lost();
    await bench.said("9", commandId);
    await bench.ended(commandId, "10");
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
      const commandId = await bench.lost();
      const id = await bench.said("0027", commandId);
      const data = { receiptNumber: "27", fiscalMemorySerialNumber, ...more };
      await bench.finish(commandId, { success: true, data, fiscalId: "1234" }, bench.orgId);
      expect((await bench.storno(id)).status).toBe(202);
    },
  );

  test.each(["9", "0009"])(
    "nobody knows whether a void of %s means it, once the printer gave that to another",
    async (number) => {
      const ofPerson = await bench.said("0009");
      const ofPrinter = await bench.given("9");
      const refused = await bench.submit("void_receipt", { receiptId: number });
      expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
      expect(refused.text).toContain(`${ofPrinter}, ${ofPerson}`);
      const commandId = await bench.queued("void_receipt", { receiptId: ofPrinter });
      expect(bench.levers.sent.at(-1)).toMatchObject({
        command: { id: commandId, original: { id: ofPrinter } },
      });
    },
  );

  test.each(["was proven", "was never proven"])(
    "is not meant by that number with another unique sale number, where its own %s",
    async (when) => {
      const uniqueSaleNumber = "DT000600-0001-0000009";
      const commandId = await bench.queued("print_receipt", { ...SALE, uniqueSaleNumber });
      await bench.marked(commandId, "baseline");
      await bench.marked(commandId, "committing");
      await bench.finish(commandId, UNKNOWN);
      const id = await bench.said("0009", commandId);
      if (when === "was proven") await bench.ended(commandId, "10");
      const reversal = commandIdOf(await bench.reversal(id, "9", OTHER_SALE));
      expect(bench.stores.reversals.of(reversal)?.acceptedFor).toBeNull();
      // The printer knows one paper by that number.
      const own = await bench.reversal(id, "9", { uniqueSaleNumber: " dt000600-0001-0000009 " });
      expect(own.text).toContain(when === "was proven" ? "proved that" : `Command ${reversal}`);
      expect(own.status).toBe(422);
      if (when === "was proven") return;
      const failure = { success: false, errorCode: "E301", errorMessage: "Out of paper" } as const;
      await bench.finish(reversal, { ...failure, data: { outcome: "not_printed" } });
      const back = commandIdOf(await bench.reversal(id, "9", { uniqueSaleNumber }));
      expect(bench.stores.reversals.of(back)?.acceptedFor).toBe(id);
      const told = { uniqueSaleNumber: "dt000600-0001-0000009" };
      const again = await bench.till.post(RECEIPTS, bench.saleBody("9", told));
      expect(again.refusal).toBe("409 CONFLICT");
    },
  );

  test("is not taken back by its proven number for a sale whose number nobody could read", async () => {
    const unread = await bench.queued("print_receipt", { ...SALE, ...OTHER_SALE });
    await bench.marked(unread, "committing");
    await bench.finish(unread, UNKNOWN);
    await bench.resolve(unread, { outcome: "printed" });
    const id = bench.stores.receipts.ofCommand(unread)?.id ?? "";
    const commandId = await bench.lost();
    await bench.said("0009", commandId);
    await bench.ended(commandId, "10");
    const refused = await bench.reversal(id, "10", OTHER_SALE);
    expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(refused.text).toContain("the printer proved that it has number 10");
    expect((await bench.reversal(id, "11", OTHER_SALE)).status).toBe(202);
  });
});
