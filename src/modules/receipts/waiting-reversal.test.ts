/** What was accepted while nobody knew its sale is held to what is known of it at its turn. */

import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import type { CommandResult } from "#core/command/command.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { COMMANDS, commandIdOf, SALE, UNKNOWN } from "../commands/testing/commands-bench.ts";
import {
  createReceiptsBench,
  NAMES,
  pageOf,
  RECEIPTS,
  type ReceiptsBench,
} from "./testing/receipts-bench.ts";

const { fiscalMemorySerialNumber } = NAMES;
/** The sale that each scene takes back comes to 3.00. */
const HALF = {
  items: SALE.items.map((item) => ({ ...item, quantity: 1 })),
  payments: [{ method: "cash", amount: 1.5 }],
};
const HOUR_MS = 3_600_000;
const OWN = { uniqueSaleNumber: "DT000600-0001-0000042" };
const STATED = { items: SALE.items, payments: SALE.payments };

let bench: ReceiptsBench;
beforeEach(async () => {
  bench = await createReceiptsBench();
  bench.stores.devices.update(bench.orgId, bench.deviceId, { fiscalMemorySerialNumber });
});
afterEach(() => bench.close());

const byNumber = async (fiscalId: string): Promise<string> =>
  pageOf(await bench.till.get(`${RECEIPTS}?fiscalId=${fiscalId}`)).receipts[0]?.id ?? "";

/** A sale whose line is lost while it is paid. @returns its command */
async function lost(change: object = {}): Promise<string> {
  const commandId = await bench.queued("print_receipt", { ...SALE, ...change });
  await bench.marked(commandId, "baseline");
  await bench.marked(commandId, "committing");
  bench.queue.lineLost(bench.deviceId);
  await bench.clock.advanceAsync(60_000);
  return commandId;
}

/** A person says that a sale was printed. @returns the id of its receipt */
async function said(commandId: string, fiscalId: string): Promise<string> {
  const answer = await bench.resolve(commandId, { outcome: "printed", fiscalId });
  expect(answer.status).toBe(200);
  return byNumber(fiscalId);
}

/** The printer does not tell of it, and the person cannot read the paper. @returns its command */
async function unread(queued?: string): Promise<string> {
  const commandId = queued ?? (await bench.queued("print_receipt", { ...SALE, ...OWN }));
  await bench.marked(commandId, "committing");
  await bench.finish(commandId, UNKNOWN);
  expect((await bench.resolve(commandId, { outcome: "printed" })).status).toBe(200);
  return commandId;
}

/** The printer ends a command with a number. @returns the id of its receipt */
async function ended(commandId: string, fiscalId: string): Promise<string> {
  const data = { receiptNumber: fiscalId, fiscalMemorySerialNumber };
  await bench.finish(commandId, { success: true, data, fiscalId });
  return byNumber(fiscalId);
}

const reversal = (originalReceiptNumber: string, change: object = {}) => {
  const originalReceiptDateTime = new Date(bench.clock.now()).toISOString();
  const named = { ...SALE, ...NAMES, originalReceiptNumber, originalReceiptDateTime };
  return bench.submit("print_reversal_receipt", { ...named, reason: "refund", ...change });
};
const voided = (receiptId: string) => bench.submit("void_receipt", { receiptId });
const BY = { reversal: (number: string) => reversal(number), void: voided } as const;

/** What controllers were told to print. */
const printed = (): readonly string[] =>
  bench.levers.sent.flatMap((one) => ("command" in one ? [one.command.id] : []));

/** It was not sent. @returns what a till reads of it */
async function refused(commandId: string) {
  await bench.atRest();
  expect(printed()).not.toContain(commandId);
  return bench.till.get(`${COMMANDS}/${commandId}`);
}
const failedWith = (errorCode: string, words: string) => ({
  command: {
    status: "failed",
    result: {
      errorCode,
      errorMessage: expect.stringContaining(words),
      data: { outcome: "not_printed" },
    },
  },
});

describe("what was accepted while its sale was in doubt", () => {
  test.each([
    ["reversal", "9", "E402"],
    ["reversal", "10", "E402"],
    ["void", "9", "E401"],
    ["void", "10", "E401"],
  ] as const)(
    "is no %s by %s once that was misread as 9 and proven to be 10",
    async (by, number, code) => {
      const sale = await lost();
      const commandId = commandIdOf(await BY[by](number));
      await said(sale, "0009");
      await ended(sale, "10");
      const words = "the printer proved that it has number 10";
      expect((await refused(commandId)).body).toMatchObject(failedWith(code, words));
    },
  );

  test("is a reversal of its sale once the printer proved its number, and counts against it", async () => {
    const sale = await lost();
    const commandId = commandIdOf(await reversal("10", HALF));
    const receipt = await said(sale, "0010");
    await ended(sale, "10");
    await bench.atRest();
    expect(printed()).toContain(commandId);
    expect((await bench.storno(receipt, HALF)).status).toBe(202);
    expect((await bench.storno(receipt, HALF)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    await ended(commandId, "11");
    expect((await bench.till.get(`${RECEIPTS}/${await byNumber("11")}`)).body).toMatchObject({
      receipt: { originalReceiptId: receipt },
    });
  });

  test("is a reversal of it though the clock was set back since that was sent", async () => {
    const sale = await lost();
    bench.clock.jumpTo(bench.clock.now() - 3_600_000);
    const commandId = commandIdOf(await reversal("10"));
    await said(sale, "10");
    await ended(sale, "10");
    await bench.atRest();
    expect(printed()).toContain(commandId);
  });

  test("is no reversal of more than others have left of it since", async () => {
    const sale = await lost();
    const commandId = commandIdOf(await reversal("10"));
    const receipt = await said(sale, "10");
    await bench.store(bench.backBody("refund", receipt, { ...HALF, items: HALF.items }));
    await ended(sale, "10");
    const words = 'Only 1.000 of "Bread" is left';
    expect((await refused(commandId)).body).toMatchObject(failedWith("E402", words));
  });
});

describe("what names a number that no receipt had when it was accepted", () => {
  test.each(["reversal", "void"] as const)("is no %s of a sale that gets it later", async (by) => {
    const out = await bench.queued();
    const next = await bench.queued();
    const commandId = commandIdOf(await BY[by]("28"));
    bench.clock.jumpTo(bench.clock.now() - 600_000);
    await ended(out, "27");
    const receipt = await ended(next, "28");
    const code = by === "void" ? "E401" : "E402";
    expect((await refused(commandId)).body).toMatchObject(failedWith(code, receipt));
  });

  test("is no void of the sale that gets it while a misread one waits for a person", async () => {
    const misread = await lost();
    const next = await bench.queued();
    const commandId = commandIdOf(await voided("9"));
    await said(misread, "0009");
    await bench.finish(misread, UNKNOWN);
    await ended(next, "9");
    expect((await refused(commandId)).body).toMatchObject(
      failedWith("E401", "void of the id of the one that is meant"),
    );
  });

  test("is no void of a storno that gets it", async () => {
    await ended(await bench.queued(), "10");
    const storno = commandIdOf(await reversal("10"));
    await bench.atRest();
    const commandId = commandIdOf(await voided("11"));
    await ended(storno, "11");
    expect((await refused(commandId)).body).toMatchObject(
      failedWith("E401", "only a sale is reversed"),
    );
  });

  test("is counted on a sale of POST /receipts that was stored meanwhile", async () => {
    const out = await bench.queued();
    const commandId = commandIdOf(await reversal("50"));
    const receipt = await bench.sale("50", STATED);
    await ended(out, "49");
    await bench.atRest();
    expect(printed()).toContain(commandId);
    expect((await bench.storno(receipt)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
  });
});

describe("what goes out while nobody knows its sale", () => {
  test("keeps it from being taken back by others once it is known, until that has not been printed", async () => {
    const commandId = commandIdOf(await reversal("50"));
    await bench.atRest();
    const receipt = await bench.sale("50", STATED);
    const takes = () => Promise.all([bench.storno(receipt), voided(receipt), reversal("0050")]);
    const words = `Command ${commandId} takes back receipt ${receipt} already`;
    const expected = ["422 UNPROCESSABLE_ENTITY", expect.stringContaining(words)];
    const refusals = async () => (await takes()).map(({ refusal, text }) => [refusal, text]);
    expect(await refusals()).toEqual([expected, expected, expected]);
    expect((await reversal("51")).status).toBe(202);
    await bench.marked(commandId, "committing");
    await bench.finish(commandId, UNKNOWN);
    expect(await refusals()).toEqual([expected, expected, expected]);
    await bench.resolve(commandId, { outcome: "not_printed" });
    expect((await bench.storno(receipt)).status).toBe(202);
  });
});

describe("a sale that a person called printed without a number", () => {
  test("is taken back once by its unique sale number, whatever the paper's number", async () => {
    await unread();
    const shortMemory = { fiscalMemorySerialNumber: "2000600" };
    const first = commandIdOf(await reversal("10", { ...OWN, ...HALF }));
    await bench.atRest();
    expect((await reversal("10", OWN)).text).toContain(`Command ${first} takes back receipt`);
    await ended(first, "11");
    const half = { uniqueSaleNumber: " dt000600-0001-0000042", ...HALF, ...shortMemory };
    await ended(commandIdOf(await reversal("10", half)), "12");
    expect((await reversal("10", { ...OWN, ...HALF })).text).toContain("Nothing is left of");
    expect((await reversal("10", HALF)).status).toBe(202);
  });

  test.each([
    ["", 0],
    [", though the clock was set back", 3_600_000],
  ])("has what took it back before its number was proven%s", async (_, setBackMs) => {
    const sale = await unread();
    bench.clock.jumpTo(bench.clock.now() - setBackMs);
    const back = commandIdOf(await reversal("10"));
    await ended(back, "11");
    const receipt = await ended(sale, "10");
    expect((await bench.storno(receipt)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect((await bench.till.get(`${RECEIPTS}/${await byNumber("11")}`)).body).toMatchObject({
      receipt: { originalReceiptId: receipt },
    });
  });

  /** Another sale with its unique sale number, and a number that its till tells late. */
  const told = () => bench.sale("31", { ...STATED, ...OWN });

  test.each(["waits", "is out"])(
    "has nothing of another one with its unique sale number, told while the reversal %s",
    async (state) => {
      await unread();
      const before = state === "waits" ? await bench.queued() : undefined;
      const back = commandIdOf(await reversal("31", OWN));
      await bench.atRest();
      const other = await told();
      expect((await bench.storno(other)).text).toContain(`Command ${back} takes back`);
      if (before) await ended(before, "30");
      await bench.atRest();
      expect(printed()).toContain(back);
      await ended(back, "32");
      expect((await bench.storno(other)).text).toContain("Nothing is left of");
      expect((await reversal("10", OWN)).status).toBe(202);
    },
  );

  test("leaves the other with its unique sale number to be taken back too", async () => {
    const sales = [await unread(), await unread()];
    const backs: string[] = [];
    for (const number of ["32", "33"]) {
      const back = commandIdOf(await reversal(number, OWN));
      await ended(back, `back of ${number}`);
      backs.push(bench.stores.receipts.ofCommand(back)?.originalReceiptId ?? "");
    }
    const receipts = sales.map((id) => bench.stores.receipts.ofCommand(id)?.id ?? "");
    expect(backs).toEqual(receipts.toReversed());
    expect((await reversal("34", OWN)).text).toContain("Nothing is left of");
  });

  test("has what names another number than the one that is proven until a sale is told that has it", async () => {
    const sale = await unread();
    const back = commandIdOf(await reversal("31", OWN));
    await bench.atRest();
    await ended(back, "32");
    const receipt = await ended(sale, "10");
    expect((await bench.storno(receipt)).text).toContain("Nothing is left of");
    const other = await bench.sale("31", { ...STATED, uniqueSaleNumber: undefined });
    expect((await bench.storno(other)).text).toContain("Nothing is left of");
    expect(bench.stores.receipts.ofCommand(back)?.originalReceiptId).toBe(other);
    expect((await bench.storno(receipt)).status).toBe(202);
  });

  test("is taken back once, however many with its unique sale number are sold behind it", async () => {
    const back = async () => commandIdOf(await reversal("31", OWN));
    const sale = bench.stores.receipts.ofCommand(await unread())?.id ?? "";
    const first = await back();
    await ended(first, "900");
    await bench.clock.advanceAsync(48 * HOUR_MS);
    const copied = (table: string, values: Readonly<Record<string, string>>) => {
      const { sqlite } = bench.database;
      const info = `SELECT name FROM pragma_table_info('${table}') WHERE name <> 'seq'`;
      const columns = sqlite.prepare<[], string>(info).pluck().all();
      const numbers =
        "WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 150)";
      const made = columns.map((name) => values[name] ?? name);
      sqlite.exec(
        `${numbers} INSERT INTO ${table} (${columns}) SELECT ${made} FROM counted, ${table} WHERE id = '${values.of}'`,
      );
    };
    const commandId = bench.stores.receipts.get(bench.orgId, sale)?.commandId ?? "";
    const now = String(bench.clock.now());
    copied("commands", { of: commandId, id: "'cmd_copy' || n" });
    const copy = { id: "'rct_copy' || n", command_id: "'cmd_copy' || n", created_at: now };
    copied("receipts", { of: sale, ...copy });
    const storno = bench.stores.receipts.ofCommand(first);
    expect((await bench.storno(sale)).text).toContain("Nothing is left of");
    const { text } = await reversal("31", OWN);
    expect(text).toContain("Nothing is left of");
    expect(text).toContain(`Storno ${storno?.id}, which names number 31, may have taken it back`);
    expect((await reversal("32", OWN)).status).toBe(202);
    expect(storno?.originalReceiptId).toBe(sale);
  });

  test("has nothing of what names two other papers, and the other with its unique sale number no more than it has left", async () => {
    const [, newest = ""] = [await unread(), await unread()];
    for (const number of ["31", "34"]) {
      await ended(commandIdOf(await reversal(number, OWN)), `back of ${number}`);
    }
    expect((await bench.storno(await ended(newest, "32"))).status).toBe(202);
    expect((await reversal("35", OWN)).text).toContain("Nothing is left of");
  });

  test("has what names its number, where another with its unique sale number had that until it was proven", async () => {
    const sales = [await unread(), await unread()];
    const backs: string[] = [];
    for (const number of ["31", "32"]) {
      const back = commandIdOf(await reversal(number, OWN));
      await ended(back, `back of ${number}`);
      backs.push(back);
    }
    const newest = await ended(sales[1] ?? "", "32");
    const { receipts } = bench.stores;
    const oldest = receipts.ofCommand(sales[0] ?? "")?.id ?? "";
    const originals = backs.map((id) => receipts.ofCommand(id)?.originalReceiptId);
    expect(originals).toEqual([oldest, newest]);
    expect((await bench.storno(newest)).text).toContain("Nothing is left of");
  });

  test("keeps what names the other kind of number than the one that is proven", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    const sale = await unread();
    const back = commandIdOf(await reversal("55", OWN));
    await bench.atRest();
    await ended(back, "56");
    await bench.finish(sale, { success: true, fiscalId: "10", data: { fiscalMemorySerialNumber } });
    expect((await bench.storno(await byNumber("10"))).text).toContain("Nothing is left of");
  });

  test("has nothing any more of what names another day than the one that is proven", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "custom.serial" });
    const sale = await unread();
    const back = commandIdOf(await reversal("0012-0034", OWN));
    await bench.atRest();
    await ended(back, "0015-0002");
    const data = { receiptNumber: "34", zReportNumber: "14", fiscalMemorySerialNumber };
    await bench.finish(sale, { success: true, fiscalId: "0014-0034", data });
    const numbers = { receiptNumber: "34", zReportNumber: "12" };
    const other = await bench.sale("0012-0034", { ...STATED, ...OWN, ...numbers });
    expect((await bench.storno(other)).text).toContain("Nothing is left of");
    expect((await bench.storno(await byNumber("0014-0034"))).status).toBe(202);
  });

  test("has nothing any more of what names a number once another sale is told that has it", async () => {
    const sale = await unread();
    const back = commandIdOf(await reversal("31", OWN));
    await bench.atRest();
    await ended(back, "32");
    const other = await told();
    expect((await bench.storno(other)).text).toContain("Nothing is left of");
    expect(bench.stores.receipts.ofCommand(back)?.originalReceiptId).toBe(other);
    expect((await bench.storno(await ended(sale, "10"))).status).toBe(202);
  });

  test("is not meant by its unique sale number for what it did not have", async () => {
    await unread();
    const items = SALE.items.map((item) => ({ ...item, name: "Rest" }));
    expect((await reversal("31", { ...OWN, items })).status).toBe(202);
    expect((await reversal("10", OWN)).status).toBe(202);
  });

  test("is not meant by what was asked for before it was sold", async () => {
    const out = await bench.queued();
    const sale = await bench.queued("print_receipt", { ...SALE, ...OWN });
    const back = commandIdOf(await reversal("31", OWN));
    await ended(out, "30");
    await unread(sale);
    await bench.atRest();
    expect(printed()).toContain(back);
  });

  test("has nothing of another one that was taken back before", async () => {
    const sale = await unread();
    await ended(commandIdOf(await reversal("9")), "11");
    expect((await bench.storno(await ended(sale, "10"))).status).toBe(202);
  });
});

describe("what is handed over once more, and has not begun", () => {
  test.each(["was sent", "was acknowledged"])(
    "is no reversal of more than its sale has by then, where it %s",
    async (how) => {
      const commandId = commandIdOf(await reversal("50"));
      const next = await bench.queued();
      if (how === "was acknowledged") await bench.reported({ type: "command.ack", commandId });
      const receipt = await bench.sale("50", STATED);
      await bench.store(bench.backBody("refund", receipt, HALF));
      bench.queue.ready(bench.deviceId);
      await bench.atRest();
      expect(printed()).toEqual([commandId, next]);
      expect((await bench.till.get(`${COMMANDS}/${commandId}`)).body).toMatchObject(
        failedWith("E402", 'Only 1.000 of "Bread" is left'),
      );
      expect((await bench.storno(receipt, HALF)).status).toBe(202);
    },
  );

  test("counts against a sale that is known by then", async () => {
    const commandId = commandIdOf(await reversal("50", HALF));
    await bench.atRest();
    const receipt = await bench.sale("50", STATED);
    bench.queue.ready(bench.deviceId);
    await bench.atRest();
    expect(printed()).toEqual([commandId, commandId]);
    expect((await bench.storno(receipt, HALF)).status).toBe(202);
    expect((await bench.storno(receipt, HALF)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
  });

  test("is not judged anew once it may have printed", async () => {
    const commandId = commandIdOf(await reversal("50"));
    await bench.atRest();
    await bench.marked(commandId, "baseline");
    const receipt = await bench.sale("50", STATED);
    await bench.store(bench.backBody("refund", receipt, HALF));
    bench.queue.ready(bench.deviceId);
    await bench.atRest();
    expect(bench.levers.sent.map(({ type }) => type)).toEqual([
      "command.dispatch",
      "command.resolve",
    ]);
  });
});

describe("what another printer takes back while nobody knows its sale", () => {
  const PRINTED: CommandResult = {
    ...{ success: true, fiscalId: "7" },
    data: { receiptNumber: "7", fiscalMemorySerialNumber: "02000777" },
  };
  /** A reversal of a sale of the shop's printer, over another one. @returns its command */
  async function elsewhere(number: string, change: object = {}): Promise<string> {
    deviceId = await bench.addDevice("Other");
    bench.stores.devices.update(bench.orgId, deviceId, { fiscalMemorySerialNumber: "02000777" });
    const originalReceiptDateTime = new Date(bench.clock.now()).toISOString();
    const named = { ...SALE, ...NAMES, originalReceiptNumber: number, originalReceiptDateTime };
    const payload = { ...named, reason: "refund", ...change };
    const asked = { deviceId, type: "print_reversal_receipt", payload };
    const commandId = commandIdOf(await bench.till.post(COMMANDS, asked));
    await bench.atRest();
    return commandId;
  }
  async function end(commandId: string, result: CommandResult): Promise<void> {
    const of = { deviceId, commandId } as const;
    await bench.reported({ type: "command.mark", ...of, mark: "committing", baseline: {} });
    await bench.reported({ type: "command.result", ...of, result });
    await bench.atRest();
  }
  let deviceId: string;

  test("keeps it from being taken back by the printer that sold it", async () => {
    const commandId = await elsewhere("50");
    const receipt = await bench.sale("50", STATED);
    const refused = await bench.storno(receipt);
    expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(refused.text).toContain(`Command ${commandId} takes back receipt ${receipt} already`);
    const data = { outcome: "not_printed" };
    await end(commandId, { success: false, errorCode: "E301", errorMessage: "Open", data });
    expect((await bench.storno(receipt)).status).toBe(202);
  });

  test.each([
    ["", 0],
    [", by a clock that was set back meanwhile", HOUR_MS],
    [", by a clock that was set back a little meanwhile", 90_000],
  ])("counts against it where its printer tells of it only behind that%s", async (_, backMs) => {
    const sale = await lost();
    const commandId = await elsewhere("10");
    bench.clock.jumpTo(bench.clock.now() - backMs);
    await end(commandId, PRINTED);
    bench.queue.ready(bench.deviceId);
    await bench.atRest();
    const receipt = await ended(sale, "10");
    expect((await bench.storno(receipt)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(bench.stores.receipts.ofCommand(commandId)).toMatchObject({
      originalReceiptId: receipt,
    });
  });

  test("counts against it where a person says only then that it was printed, without a number", async () => {
    const sale = await lost(OWN);
    const commandId = await elsewhere("10", OWN);
    await end(commandId, PRINTED);
    expect((await bench.resolve(sale, { outcome: "printed" })).status).toBe(200);
    expect((await reversal("10", OWN)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    const { receipts } = bench.stores;
    expect(receipts.ofCommand(commandId)?.originalReceiptId).toBe(
      receipts.ofCommand(sale)?.id ?? "",
    );
  });

  test("counts against it, and not against one with its unique sale number that was sold since", async () => {
    const sale = await unread();
    const commandId = await elsewhere("31", OWN);
    await unread();
    await end(commandId, PRINTED);
    const { receipts } = bench.stores;
    expect(receipts.ofCommand(commandId)?.originalReceiptId).toBe(
      receipts.ofCommand(sale)?.id ?? "",
    );
  });

  test.each(["before that ends", "once that has ended"])(
    "has nothing to do with it where its number was misread, and proven %s",
    async (when) => {
      const sale = await lost();
      const commandId = await elsewhere("10");
      const [first, second] =
        when === "before that ends" ? ([prove, ending] as const) : ([ending, prove] as const);
      await said(sale, "10");
      await first();
      await second();
      const other = await bench.sale("10", { ...STATED, ...OWN });
      expect((await bench.storno(other)).text).toContain("Nothing is left of");
      expect(bench.stores.receipts.ofCommand(commandId)?.originalReceiptId).toBe(other);

      async function prove(): Promise<void> {
        bench.queue.ready(bench.deviceId);
        await bench.atRest();
        await ended(sale, "12");
      }
      async function ending(): Promise<void> {
        await end(commandId, PRINTED);
      }
    },
  );

  test("keeps one from it that was asked for before, and waited", async () => {
    const busyWith = await bench.queued();
    const waiting = commandIdOf(await reversal("50"));
    const commandId = await elsewhere("50");
    await bench.sale("50", STATED);
    await ended(busyWith, "49");
    const words = `Command ${commandId} takes back receipt`;
    expect((await refused(waiting)).body).toMatchObject(failedWith("E402", words));
  });

  test("keeps a storno of it from going out that was asked for before anybody knew that it is meant", async () => {
    const sale = await unread();
    const commandId = await elsewhere("10");
    const busyWith = await bench.queued();
    const receiptId = bench.stores.receipts.ofCommand(sale)?.id ?? "";
    const storno = commandIdOf(await voided(receiptId));
    await ended(sale, "10");
    await ended(busyWith, "12");
    const words = `Command ${commandId} takes back receipt`;
    expect((await refused(storno)).body).toMatchObject(failedWith("E402", words));
    await end(commandId, PRINTED);
    expect(bench.stores.receipts.ofCommand(commandId)?.originalReceiptId).toBe(receiptId);
  });

  test("is no storno of a sale that got its number only then", async () => {
    const commandId = await elsewhere("50");
    await bench.clock.advanceAsync(1);
    const receipt = await ended(await bench.queued(), "50");
    await end(commandId, PRINTED);
    expect(bench.stores.receipts.ofCommand(commandId)).toMatchObject({ originalReceiptId: null });
    expect((await bench.storno(receipt)).status).toBe(202);
  });
  test("is back with a sale without a number once another's that a person misread so is proven", async () => {
    const first = await unread();
    const again = await bench.queued("print_receipt", { ...SALE, ...OWN });
    await bench.marked(again, "committing");
    await bench.finish(again, UNKNOWN);
    const commandId = await elsewhere("31", OWN);
    await end(commandId, PRINTED);
    await said(again, "31");
    await ended(again, "32");
    const { originalReceiptId } = bench.stores.receipts.ofCommand(commandId) ?? {};
    expect(originalReceiptId).toBe(bench.stores.receipts.ofCommand(first)?.id ?? "");
  });
});

test("what took back a sale that POST /receipts tells only then counts against it, whatever was counted between", async () => {
  const issuedAt = new Date(bench.clock.now()).toISOString();
  const { orgId, stores } = bench;
  const other = stores.receipts.get(orgId, await bench.sale("7000", STATED));
  const { seq: _, bookedAt: __, ...row } = other ?? {};
  const counted = { ...row, type: "storno", originalReceiptId: other?.id } as StoredReceipt;
  await bench.clock.advanceAsync(1);
  for (let number = 8000; number < 8201; number += 1) {
    stores.receipts.insert({ ...counted, id: `rct_${number}`, fiscalId: String(number) });
  }
  const back = commandIdOf(await reversal("50"));
  await bench.atRest();
  await ended(back, "32");
  await bench.clock.advanceAsync(1);
  const receipt = await bench.sale("50", { ...STATED, issuedAt });
  expect((await bench.storno(receipt)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
  expect(bench.stores.receipts.ofCommand(back)).toMatchObject({ originalReceiptId: receipt });
});

test("a sale that its controller told without a number is taken back once by its unique sale number", async () => {
  const sale = await bench.queued("print_receipt", { ...SALE, ...OWN });
  await bench.finish(sale, { success: true, data: { fiscalMemorySerialNumber } });
  const back = commandIdOf(await reversal("10", OWN));
  await bench.atRest();
  expect((await reversal("10", OWN)).text).toContain(`Command ${back} takes back receipt`);
  await ended(back, "11");
  expect((await reversal("10", OWN)).text).toContain("Nothing is left of");
});

describe("a sale of which its controller told the number of the receipt alone", () => {
  async function endedAlone(commandId: string, receiptNumber: string): Promise<void> {
    const data = { receiptNumber, fiscalMemorySerialNumber };
    await bench.finish(commandId, { success: true, data });
  }

  test("is not meant by what named that number before it had it", async () => {
    const busyWith = await bench.queued();
    const next = await bench.queued();
    const back = commandIdOf(await reversal("28"));
    await ended(busyWith, "27");
    await endedAlone(next, "28");
    const words = "The printer gave number 28 to receipt";
    expect((await refused(back)).body).toMatchObject(failedWith("E402", words));
  });

  test("has that number in the books, and nothing else has it", async () => {
    await endedAlone(await bench.queued(), "28");
    const unknown = await bench.queued();
    await bench.marked(unknown, "committing");
    await bench.finish(unknown, UNKNOWN);
    const word = await bench.resolve(unknown, { outcome: "printed", fiscalId: "0028" });
    expect(word.refusal).toBe("409 CONFLICT");
    const again = await bench.till.post(RECEIPTS, bench.saleBody("28", STATED));
    expect(again.refusal).toBe("409 CONFLICT");
    expect((await bench.storno(await byNumber("28"))).status).toBe(202);
  });

  test("is taken back part by part by that number", async () => {
    await endedAlone(await bench.queued(), "28");
    expect((await reversal("28", HALF)).status).toBe(202);
    expect((await reversal("0028", HALF)).status).toBe(202);
    expect((await reversal("28", HALF)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
  });
});

test("a sale is taken back once by its number, though a till calls it by more than that", async () => {
  const back = commandIdOf(await reversal("31", { originalZReportNumber: "12" }));
  await bench.atRest();
  await ended(back, "70");
  const numbers = { receiptNumber: "31", zReportNumber: "12", uniqueSaleNumber: undefined };
  const sale = await bench.sale("3-31", { ...STATED, ...numbers });
  expect((await bench.storno(sale)).text).toContain("Nothing is left of");
  expect((await reversal("31", { originalZReportNumber: "12" })).text).toContain("Nothing is left");
});

const REHEARSED = 2;
test("a sale is searched as often as that may tell something new", async () => {
  const search = spyOn(bench.stores.receipts, "listNamed");
  const searched = async (act: () => unknown): Promise<number> => {
    search.mockClear();
    await act();
    await bench.atRest();
    return search.mock.calls.length;
  };
  await bench.sale("50", STATED);
  const busyWith = await bench.queued();
  const counted = await searched(() => reversal("50"));
  const uncounted = await searched(() => reversal("60"));
  const [first = "", second = ""] = bench.stores.commands
    .listUnfinished()
    .filter(({ type }) => type === "print_reversal_receipt")
    .map(({ id }) => id);
  // Before it is accepted, and with that: what a test writes is rehearsed first.
  expect([counted, uncounted]).toEqual([1 + REHEARSED, 1 + REHEARSED]);
  expect(await searched(() => ended(busyWith, "61"))).toBe(0);
  await bench.sale("60", STATED);
  // The end of the one is the turn of the other, which is judged. What it is called in lists is looked for at its end.
  expect(await searched(() => ended(first, "62"))).toBe(2 * REHEARSED);
  expect(await searched(() => ended(second, "63"))).toBe(REHEARSED);
});

test.each(["before it is printed", "once it is printed"])(
  "what was reserved for a sale by a misread number counts on the sale that has it, proven %s",
  async (when) => {
    const unknown = await bench.queued();
    await bench.marked(unknown, "committing");
    await bench.finish(unknown, UNKNOWN);
    const misread = await said(unknown, "10");
    const back = commandIdOf(await reversal("10"));
    await bench.atRest();
    if (when === "once it is printed") await ended(back, "33");
    await ended(unknown, "12");
    const other = await bench.sale("10", { ...STATED, ...OWN });
    if (when === "before it is printed") {
      expect((await bench.storno(other)).text).toContain(`Command ${back} takes back receipt`);
      await ended(back, "33");
    }
    expect((await bench.storno(other)).text).toContain("Nothing is left of");
    expect(bench.stores.receipts.ofCommand(back)?.originalReceiptId).toBe(other);
    const words = "the printer proved that it has number 12";
    expect((await bench.storno(misread)).text).toContain(words);
  },
);

test("what a till told to have the number of another counts nothing of that once its printer proves the number", async () => {
  const { uniqueSaleNumber } = NAMES;
  const unknown = await bench.queued("print_receipt", { ...SALE, uniqueSaleNumber });
  await bench.marked(unknown, "committing");
  await bench.finish(unknown, UNKNOWN);
  const receipt = await said(unknown, "10");
  const back = commandIdOf(await reversal("10"));
  await bench.atRest();
  await ended(back, "33");
  await bench.sale("10", { ...STATED, ...OWN });
  await ended(unknown, "10");
  expect((await bench.storno(receipt)).text).toContain("Nothing is left of");
});

test.each([
  ["custom.serial", "34", { fiscalId: "0012-0034", receiptNumber: "34", zReportNumber: "12" }],
  ["vendorF.shtrih", "55", { fiscalId: "55", receiptNumber: "50", zReportNumber: undefined }],
] as const)(
  "what counts on a sale by a number that a person read stays when another paper's is told (%s)",
  async (driver, number, told) => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver });
    const unknown = await bench.queued();
    await bench.marked(unknown, "committing");
    await bench.finish(unknown, UNKNOWN);
    const sale = await said(unknown, number);
    const soldAt = bench.clock.now();
    const originalReceiptDateTime = new Date(soldAt - 600_000).toISOString();
    const untold = { uniqueSaleNumber: "", originalZReportNumber: "" };
    const back = commandIdOf(await reversal(number, { ...untold, originalReceiptDateTime }));
    await bench.atRest();
    await ended(back, "61");
    const hours = driver === "custom.serial" ? 20 : 0.25;
    const issuedAt = new Date(soldAt - hours * HOUR_MS).toISOString();
    const items = [{ name: "Milk", quantity: 1, price: 9, vatGroup: "VAT2" }];
    const goods = { items, payments: [{ method: "cash", amount: 9 }] };
    await bench.sale(told.fiscalId, { ...goods, ...told, uniqueSaleNumber: undefined, issuedAt });
    expect(bench.stores.receipts.ofCommand(back)?.originalReceiptId).toBe(sale);
    expect((await bench.storno(sale)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
  },
);

test("those that are refused at one turn let others write between them", async () => {
  const busyWith = await bench.queued();
  const waiting: string[] = [];
  for (let one = 0; one < 45; one += 1) waiting.push(commandIdOf(await reversal("50")));
  await bench.sale("50", STATED);
  await ended(busyWith, "49");
  const { bus, deviceId, stores, writer } = bench;
  const between = new Promise<number>((resolve) => {
    bus.subscribe(({ event }) => {
      const isRefused = event.type === "command.failed";
      if (isRefused) writer.run(() => stores.commands.countPending(deviceId)).then(resolve);
    });
  });
  await ended(waiting[0] ?? "", "51");
  await bench.atRest();
  expect(await between).toBeGreaterThan(0);
  const states = waiting.map((id) => stores.commands.get(bench.orgId, id)?.status);
  expect(states).toEqual(["completed", ...Array.from({ length: 44 }, () => "failed" as const)]);
});

test("of two that wait for a sale in doubt, no more is printed than the sale has", async () => {
  const sale = await lost();
  const [first, second] = [await reversal("10"), await reversal("0010", HALF)].map(commandIdOf);
  const receipt = await ended(sale, "10");
  await bench.atRest();
  expect(printed()).toContain(first ?? "");
  await ended(first ?? "", "11");
  const words = 'Nothing is left of "Bread"';
  expect((await refused(second ?? "")).body).toMatchObject(failedWith("E402", words));
  expect(bench.stores.receipts.listReversing(bench.orgId, receipt)).toHaveLength(1);
});
