import { beforeEach, expect, test } from "bun:test";
import type { CommandResult } from "#core/command/command.ts";
import type { CommandReport } from "#core/controller/messages.ts";
import { createQueueBench, DEVICE, ORG, type QueueBench, reporter } from "./testing/queue-bench.ts";

const NOT_PRINTED: CommandResult = {
  ...{ success: false, errorCode: "E102", errorMessage: "cancelled" },
  data: { outcome: "not_printed" },
};

let bench: QueueBench;
beforeEach(() => {
  bench = createQueueBench();
  bench.controller.remote = true;
  bench.stores.devices.insert({
    ...{ id: DEVICE, orgId: ORG, name: "Till", locationId: "shop", managedBy: "remote" },
    ...{ driver: "vendorA.isl", transport: "tcp", connectionParams: { host: "h", port: 1 } },
    ...{ controllerId: "c1", controllerName: null, storedStatus: "offline", lastSeenAt: null },
    ...{ serialNumber: null, fiscalMemorySerialNumber: null, model: null, firmwareVersion: null },
    ...{ charsPerLine: null, reversalTenders: null, addressKeys: null, createdAt: 0, updatedAt: 0 },
  });
});

/** A sale whose controller has been away for a minute. @returns its id */
async function away(): Promise<string> {
  const id = await bench.submit();
  await bench.marked("c1", id, { mark: "baseline", baseline: { last: 26 } });
  await bench.marked("c1", id, { mark: "committing", baseline: { last: 26 } });
  bench.controller.connected = false;
  bench.queue.lineLost(DEVICE);
  await bench.tick(60_000);
  return id;
}

/** @returns the sale as it then is; undefined where the person is not heard */
function settle(id: string, outcome: "printed" | "not_printed", fiscalId?: string) {
  const word = { outcome, fiscalId, by: "user:u", address: null };
  return bench.writer.run((tx) => {
    const command = bench.stores.commands.get(ORG, id);
    return command && bench.queue.settle(tx, command, { ...word, now: bench.clock.now() });
  });
}

async function comesBack(): Promise<void> {
  bench.controller.connected = true;
  bench.queue.ready(DEVICE);
  await bench.atRest();
}

type Said = Omit<Mark, "commandId"> | Omit<Result, "commandId">;
type Mark = Extract<CommandReport, { type: "command.mark" }>;
type Result = Extract<CommandReport, { type: "command.result" }>;
const say = (commandId: string, said: Said) =>
  bench.queue.report(reporter("c1"), { ...said, commandId });

const asked = (): Readonly<Record<string, unknown>>[] =>
  bench.sent.flatMap((message) =>
    message.type === "command.resolve" ? [{ epoch: message.epoch, ...message.baseline }] : [],
  );

test.each([0, 1])(
  "a mark that is written after its line was lost is nothing that was heard since: %d losses before",
  async (losses) => {
    const id = await bench.submit();
    await bench.marked("c1", id, { mark: "baseline", baseline: { last: 26 } });
    if (losses > 0) bench.queue.lineLost(DEVICE);
    const opened = say(id, { type: "command.mark", mark: "opened", epoch: 1, baseline: {} });
    bench.controller.connected = false;
    bench.queue.lineLost(DEVICE);
    await bench.tick(60_000);
    expect(await opened).toBe("STORED");
    await bench.tick(60_000);
    expect(await settle(id, "not_printed")).toMatchObject({ status: "failed" });
  },
);

test.each(["not_printed", "printed"] as const)(
  "whoever asks to go on with what was called %s is refused, and asked anew what became of it",
  async (word) => {
    const id = await away();
    await settle(id, word);
    await comesBack();
    expect(asked()).toEqual([{ epoch: 2, last: 26 }]);
    for (const mark of ["committing", "baseline"] as const) {
      const report = { type: "command.mark", mark, baseline: { last: 26 }, epoch: 2 } as const;
      expect(await say(id, report)).toBe("FINAL");
    }
    await bench.tick(5_000);
    expect(asked().map(({ epoch }) => epoch)).toEqual([2, 3]);
    const result = { type: "command.result", result: NOT_PRINTED, epoch: 3 } as const;
    expect(await say(id, result)).toBe("STORED");
    expect(bench.stores.openQuestions.list()).toEqual([]);
    await bench.tick(60_000);
    expect(asked()).toHaveLength(2);
  },
);

test.each([
  { name: "without a number", number: undefined, isNews: false },
  { name: "under its number", number: "27", isNews: false },
  { name: "under another number", number: "999", isNews: true },
])(
  "a result that was told before the word was heard of is news against it alone: printed $name",
  async ({ number, isNews }) => {
    const id = await away();
    await settle(id, "printed", number);
    await comesBack();
    const result = { success: true, fiscalId: "27", data: { recovered: true } } as const;
    const report = { type: "command.result", result } as const;
    const news = isNews ? [expect.objectContaining({ commandId: id, fiscalId: "27" })] : [];
    expect(await say(id, { ...report, epoch: 1 })).toBe("STALE");
    expect(bench.queue.lateResults(DEVICE)).toEqual(news);
    expect(await say(id, { ...report, epoch: 2 })).toBe("STORED");
    expect(bench.queue.lateResults(DEVICE)).toEqual(news);
    await bench.restart();
    expect(bench.queue.lateResults(DEVICE)).toEqual(news);
    expect(bench.stores.receipts.ofCommand(id)?.fiscalId).toBe(number ?? "27");
  },
);

test.each([
  { name: "printed", word: "printed", number: undefined, may: { mayPrint: true } },
  { name: "printed under a number", word: "printed", number: "999", may: {} },
  { name: "not printed", word: "not_printed", number: undefined, may: { neverFinish: true } },
] as const)("a gateway that is started anew knows what it was called: $name", async (one) => {
  const { word, number, may } = one;
  const id = await away();
  await settle(id, word, number);
  await bench.restart();
  await comesBack();
  const order = bench.sent.findLast(({ type }) => type === "command.resolve");
  const { mayPrint, neverFinish } = { mayPrint: undefined, neverFinish: undefined, ...order };
  expect(order).toMatchObject({ settled: true, mark: "committing", command: { id } });
  expect({ mayPrint, neverFinish }).toEqual({
    mayPrint: undefined,
    neverFinish: undefined,
    ...may,
  });
});

test("what was learned of a settled document is kept for the next time its printer is asked", async () => {
  const id = await away();
  await settle(id, "not_printed");
  await comesBack();
  const mark = { type: "command.mark", mark: "committing", epoch: 2 } as const;
  expect(await say(id, { ...mark, learned: true, baseline: { seen: 27 } })).toBe("STORED");
  await comesBack();
  expect(asked().at(-1)).toEqual({ epoch: 3, seen: 27 });
  // An older controller says so of a payment, and of nothing else.
  const paid = { ...mark, epoch: 3, baseline: { seen: 27, paid: true } } as const;
  expect(await say(id, paid)).toBe("STORED");
  await comesBack();
  expect(asked().at(-1)).toEqual({ epoch: 4, seen: 27, paid: true });
});

test("what is learned of a document says nothing of how far it is", async () => {
  const id = await bench.submit();
  const mark = { type: "command.mark", mark: "committing", learned: true, epoch: 1 } as const;
  expect(await say(id, { ...mark, baseline: { seen: 27 } })).toBe("STORED");
  expect(bench.stores.commands.get(ORG, id)).toMatchObject({ mark: null, baseline: null });
  await say(id, { type: "command.mark", mark: "baseline", epoch: 1, baseline: { last: 26 } });
  await say(id, { ...mark, baseline: { last: 26, seen: 27 } });
  const baseline = { last: 26, seen: 27 };
  expect(bench.stores.commands.get(ORG, id)).toMatchObject({ mark: "baseline", baseline });
});

test("nobody is heard of what was allowed to go on a moment before, in the same transaction", async () => {
  const id = await away();
  bench.controller.connected = true;
  const [mark, settled] = await Promise.all([
    say(id, { type: "command.mark", mark: "committing", epoch: 1, baseline: {} }),
    settle(id, "not_printed"),
  ]);
  expect([mark, settled]).toEqual(["STORED", undefined]);
  expect(bench.status(id)).toBe("processing");
});
