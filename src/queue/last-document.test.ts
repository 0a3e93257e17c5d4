/** What becomes of a printer that is asked for its last document, and of what waits for its word. */

import { describe, expect, test } from "bun:test";
import type { CommandResult } from "#core/command/command.ts";
import { rejection } from "../platform/testing/rejection.ts";
import {
  accept,
  numbered,
  refusal,
  sayPrinted,
  started,
  TOLD,
} from "./testing/last-document-bench.ts";
import { DEVICE, ORG } from "./testing/queue-bench.ts";

/** It is asked again after this at the latest. */
const ASKED_AGAIN_MAX_MS = 600_000;
/** What is told of a sale that its printer may have printed. */
const DOUBTED = { errorCode: "E903", data: { outcome: "unknown" } };

test("what waited for a printer of which nothing was known is not printed blindly", async () => {
  const { bench, answer, waiting } = await started({ knowsNone: true });
  // What shares the transaction of the answer is refused, and undoes it once.
  const refused = rejection(
    bench.writer.run(() => {
      throw new Error("refused");
    }),
  );
  await answer(TOLD);
  expect((await refused).message).toBe("refused");
  expect(bench.result(waiting)).toMatchObject({ success: false, data: { outcome: "unknown" } });
  expect(bench.stores.documentChecks.list()).toMatchObject([{ state: "unknown" }]);
});

const WEEK_MS = 7 * 86_400_000;

test("what a printer is still to tell outlives its record, for a week that has passed", async () => {
  const { bench, checks, isAsked } = await started();
  await bench.writer.run(() => bench.stores.devices.remove(ORG, DEVICE));
  bench.clock.jumpTo(bench.clock.now() + 2 * WEEK_MS);
  await checks.begin();
  expect(isAsked()).toBe(true);
  bench.clock.stall(WEEK_MS + 1);
  await checks.begin();
  expect(isAsked()).toBe(false);
});

test("what a printer has not told for a week outlives its record for as long again", async () => {
  const { bench, checks, isAsked } = await started();
  bench.clock.stall(WEEK_MS + 1);
  await bench.writer.run((tx) => {
    bench.queue.failOut(tx, DEVICE, bench.clock.now());
    bench.stores.devices.remove(ORG, DEVICE);
  });
  await checks.begin();
  expect(isAsked()).toBe(true);
  bench.clock.stall(WEEK_MS + 1);
  await checks.begin();
  expect(isAsked()).toBe(false);
});

test("a refusal of the question is no word of the printer: it is asked again", async () => {
  const { bench, answer, isHeld, question, waiting } = await started();
  await answer(refusal("E305"));
  expect([isHeld(), bench.status(waiting), question()]).toEqual([true, "pending", undefined]);
  await bench.tick(5_000);
  await answer(TOLD);
  expect([isHeld(), bench.out().at(-1)]).toEqual([false, `dispatch ${waiting}`]);
});

test("a state that was put back knows the fiscal memory that a printer tells with zeros in front", async () => {
  const { bench, answer, isHeld } = await started({ isRestored: true, left: "nothing" });
  const next = await bench.submit();
  const fiscalMemorySerialNumber = "0050123456";
  const lastReceipt = { ...Object(TOLD.data?.lastReceipt), fiscalMemorySerialNumber };
  await answer({ success: true, data: { lastReceipt } });
  expect([isHeld(), bench.out().at(-1)]).toEqual([false, `dispatch ${next}`]);
});

describe("behind a copy of the state, a number that begins anew each day", () => {
  const day = { zReportNumber: "5" };
  const told = { lastZReportNumber: 4 };
  const at = { receiptDateTime: "2026-01-01T00:00:00.000Z" };
  const untold = { receiptDateTime: null };

  test.each([
    { when: "the time says it", told: at, isHeld: false },
    {
      when: "the Z report of its day says it",
      known: day,
      last: told,
      told: untold,
      isHeld: false,
    },
    { when: "ours has no day, and no time is told", last: told, told: untold, isHeld: true },
    { when: "neither day nor time is told", known: day, told: untold, isHeld: true },
  ])("is that of the known receipt, or not: $when", async (scene) => {
    const { answer, isHeld } = await started({
      ...{ driver: "custom.serial", isRestored: true, left: "nothing" },
      ...scene.known,
    });
    const lastReceipt = { ...Object(TOLD.data?.lastReceipt), ...scene.told };
    await answer({ success: true, data: { lastReceipt, ...scene.last } });
    expect(isHeld()).toBe(scene.isHeld);
  });
});

describe("behind a start, a number that begins anew each day", () => {
  const day = { zReportNumber: "5" };
  const told = { lastZReportNumber: 4 };
  const atOnce = { receiptDateTime: "2026-01-01T00:00:00.000Z" };
  const daysLater = { receiptDateTime: "2026-01-03T00:00:00.000Z" };
  const untold = { receiptDateTime: null };
  const other = { receiptNumber: "28" };

  test.each([
    { when: "is of the known day", known: day, last: told, told: untold, becomes: "printed" },
    { when: "is of the known time", known: day, told: atOnce, becomes: "printed" },
    {
      when: "is of the known time, on a day of none",
      last: told,
      told: atOnce,
      becomes: "printed",
    },
    { when: "is of another time", known: day, told: daysLater, becomes: "news" },
    { when: "is of another time, on a day of none", last: told, told: daysLater, becomes: "news" },
    { when: "is of no day or time", known: day, told: untold, becomes: "asked" },
    { when: "is none, on no day", known: day, told: { receiptNumber: null }, becomes: "asked" },
    { when: "has gone on, on no day", known: day, told: { ...other, ...untold }, becomes: "news" },
    { when: "is of a day before", known: { zReportNumber: "6" }, last: told, becomes: "asked" },
  ])("is that of the known receipt, or not: it $when", async (scene) => {
    const { bench, answer, waiting } = await started({ driver: "custom.serial", ...scene.known });
    const lastReceipt = { ...Object(TOLD.data?.lastReceipt), ...scene.told };
    await answer({ success: true, data: { lastReceipt, ...scene.last } });
    const isNews = bench.stores.documentChecks.list().some(({ state }) => state === "unknown");
    const isAsked = bench.stores.outcomeHolds.listOpen().length > 0;
    const became = isNews ? "news" : isAsked ? "asked" : bench.out().at(-1);
    expect(became).toBe(scene.becomes === "printed" ? `dispatch ${waiting}` : scene.becomes);
    // Whatever it was, nothing is printed blindly.
    expect(isAsked).toBe(scene.becomes !== "printed");
  });
});

/** What is told of one that it has not. */
const NOT_PRINTED = { errorCode: "E102", data: { outcome: "not_printed" } };

/** Behind its last receipt a printer that counts all papers in one row has made an X report and another. */
const PAPERS: CommandResult = {
  ...numbered("25"),
  data: { ...numbered("25").data, lastDocumentNumber: "27" },
};

/** How a printer answers that cannot tell what it has printed. */
const CANNOT_TELL: readonly (readonly [string, CommandResult])[] = [
  ["knows no such question", refusal("E201")],
  ["tells of no receipt", { success: true, data: {} }],
  ["tells a number that nobody can read", numbered("A-27")],
  ["tells no number where one is known", numbered(null)],
  ["tells a number behind the one that is known", numbered("3")],
  ["tells that its last receipt lies behind the one that is known", PAPERS],
];

describe.each(CANNOT_TELL)("a printer that %s is not asked again", (_says, result) => {
  test("and goes on at once where nothing was left", async () => {
    const { bench, answer, isAsked, isHeld } = await started({ left: "nothing" });
    const next = await bench.submit();
    await answer(result);
    expect([isAsked(), isHeld(), bench.out().at(-1)]).toEqual([false, false, `dispatch ${next}`]);
  });

  test.each(["waiting", "begun"] as const)(
    "and a person is asked of what was left %s, which another run may have printed",
    async (left) => {
      const { bench, answer, isAsked, isHeld, waiting } = await started({ left });
      const next = await bench.submit();
      await answer(result);
      expect([isAsked(), bench.result(waiting)]).toMatchObject([false, DOUBTED]);
      expect(bench.result(waiting)?.errorMessage).toContain("its printer does not tell");
      expect([isHeld(), bench.status(next)]).toEqual([true, "pending"]);
      await sayPrinted(bench, waiting);
      expect([isHeld(), bench.out().at(-1)]).toEqual([false, `dispatch ${next}`]);
      expect(bench.out()).not.toContain(`dispatch ${waiting}`);
    },
  );
});

test.each(["waiting", "begun"] as const)(
  "what was left %s goes by the last paper of any kind, where an owner has accepted that",
  async (left) => {
    const { bench, answer, waiting } = await started({ left, acceptedPaper: 27 });
    await answer(PAPERS);
    if (left === "waiting") expect(bench.out().at(-1)).toBe(`dispatch ${waiting}`);
    else expect(bench.result(waiting)).toMatchObject(NOT_PRINTED);
    expect(bench.stores.outcomeHolds.listOpen()).toEqual([]);
  },
);

test("what had begun was not printed where the printer tells of nothing new", async () => {
  const { bench, answer, waiting } = await started({ left: "begun" });
  await answer(TOLD);
  expect(bench.result(waiting)).toMatchObject(NOT_PRINTED);
});

/** By the printer's clock, which is not ours. */
const ISSUED_AT = "2025-12-31T23:00:00.000Z";

test.each([
  ["asked where it stands", false],
  ["taken away before it was asked, and put back", true],
])("a printer that is %s is ahead since its last receipt that is known", async (_is, isTaken) => {
  const { bench, checks, answer } = await started({ issuedAt: ISSUED_AT });
  const device = bench.stores.devices.find(DEVICE);
  if (device === undefined) throw new Error("no such device");
  await answer(refusal("E305"));
  const as = { id: "dev_taken", now: bench.clock.now() };
  if (isTaken) await bench.writer.run((tx) => bench.queue.leavePrinter(tx, device, as));
  checks.changed(DEVICE);
  await bench.tick(5_000);
  await answer(numbered("29"));
  expect(bench.stores.documentChecks.list()).toMatchObject([
    { state: "unknown", documents: 2, since: Date.parse(ISSUED_AT) },
  ]);
});

test("a printer without paper, which refuses whatever it is asked, is asked until it has some", async () => {
  const { bench, answer, isAsked } = await started();
  for (let time = 0; time < 20; time += 1) {
    await answer(refusal("E306"));
    await bench.tick(ASKED_AGAIN_MAX_MS);
  }
  expect(isAsked()).toBe(true);
  await answer(TOLD);
  expect(isAsked()).toBe(false);
});

test("a printer that refuses for good goes on when a person has said what became of what waited", async () => {
  const { bench, refuseAll, isAsked, isHeld, waiting } = await started();
  const next = await bench.submit();
  expect(await refuseAll()).toBe(6);
  expect(isAsked()).toBe(false);
  expect(bench.result(waiting)).toMatchObject(DOUBTED);
  // What came behind the start is still in its time, and waits for the person.
  expect([isHeld(), bench.status(next)]).toEqual([true, "pending"]);
  await sayPrinted(bench, waiting);
  expect([isHeld(), bench.out().at(-1)]).toEqual([false, `dispatch ${next}`]);
  expect(bench.out()).not.toContain(`dispatch ${waiting}`);
});

test("a printer whose answers make no sense will not tell, as one that refuses", async () => {
  const { bench, refuseAll, isAsked, waiting } = await started();
  expect(await refuseAll("E902")).toBe(6);
  expect(isAsked()).toBe(false);
  // It was asked, six times: nobody is to go looking why it could not be.
  const errorMessage = expect.stringContaining(
    "its printer does not tell whether it has printed it",
  );
  expect(bench.result(waiting)).toMatchObject({ ...DOUBTED, errorMessage });
});

test("a printer that refuses for good is held for an owner, where one that is ahead is", async () => {
  const { bench, refuseAll, isAsked, waiting } = await started({ whenAhead: "hold" });
  expect(await refuseAll()).toBe(6);
  expect(isAsked()).toBe(false);
  expect(bench.status(waiting)).toBe("pending");
  expect(bench.stores.restoredPrinters.list()).toMatchObject([
    { deviceId: DEVICE, state: "ahead" },
  ]);
});

describe("an owner's word on a printer that refuses for good", () => {
  const HOURS_MS = 3 * 3_600_000;

  test("lets it go on", async () => {
    const start = await started({ whenAhead: "hold" });
    await start.refuseAll();
    await accept(start);
    expect(await start.refuseAll()).toBe(6);
    expect([start.isAsked(), start.bench.stores.restoredPrinters.list()]).toEqual([false, []]);
  });

  test("does not count for the next start, where the clock is set back before it", async () => {
    const start = await started({ whenAhead: "hold" });
    const { bench, checks, refuseAll } = start;
    await refuseAll();
    await accept(start);
    await refuseAll();
    bench.clock.jumpTo(bench.clock.now() - HOURS_MS);
    await checks.begin();
    checks.changed(DEVICE);
    await bench.atRest();
    expect(await refuseAll()).toBe(6);
    expect(bench.stores.restoredPrinters.list()).toMatchObject([{ state: "ahead" }]);
  });

  test.each([0, HOURS_MS])(
    "says nothing of a sale that was in doubt before, where the clock is set back by %d",
    async (ms) => {
      const start = await started();
      const { bench, refuseAll, answer, waiting } = start;
      await refuseAll();
      bench.clock.jumpTo(bench.clock.now() - ms);
      await accept(start);
      await answer(TOLD);
      expect(bench.stores.outcomeHolds.listOpen()).toMatchObject([{ commandId: waiting }]);
    },
  );
});

describe("a printer of a state that was put back", () => {
  test("goes on when it tells behind a refusal that it has stood still", async () => {
    const { bench, answer, isAsked } = await started({ isRestored: true });
    await answer(refusal("E305"));
    expect(isAsked()).toBe(true);
    await bench.tick(5_000);
    await answer(TOLD);
    expect(bench.stores.restoredPrinters.list()).toEqual([]);
  });

  test.each([
    ["goes on", "at the same time", "2026-10-25T00:30:20.000Z"],
    ["goes on", "in the other pass of the hour that comes twice", "2026-10-25T01:30:20.000Z"],
    ["waits for an owner", "an hour later on another day", "2026-10-26T01:30:20.000Z"],
  ])("%s when it dates its last receipt %s", async (becomes, _when, told) => {
    const day = told.slice(0, "2026-10-25".length);
    const { bench, answer } = await started({
      ...{ isRestored: true, issuedAt: `${day}T00:30:20.000Z` },
    });
    const lastReceipt = { ...(TOLD.data?.lastReceipt as object), receiptDateTime: told };
    await answer({ success: true, data: { lastReceipt } });
    expect(bench.stores.restoredPrinters.list()).toHaveLength(becomes === "goes on" ? 0 : 1);
  });

  test("waits for an owner when it refuses for good", async () => {
    const { bench, refuseAll } = await started({ isRestored: true });
    expect(await refuseAll()).toBe(6);
    expect(bench.stores.restoredPrinters.list()).toMatchObject([{ state: "ahead" }]);
  });

  test("is asked again when its answer could not be stored", async () => {
    const { bench, disk, answer } = await started({ isRestored: true });
    disk.isFullBehind = true;
    await answer(TOLD);
    disk.isFullBehind = false;
    disk.isFull = false;
    await bench.tick(5_000);
    await answer(TOLD);
    expect(bench.stores.restoredPrinters.list()).toEqual([]);
  });
});

describe("a printer is asked again", () => {
  test("when its answer could not be stored", async () => {
    const { bench, disk, answer, isHeld, waiting } = await started();
    disk.isFullBehind = true;
    await answer(TOLD);
    disk.isFullBehind = false;
    disk.isFull = false;
    expect(isHeld()).toBe(true);
    await bench.tick(5_000);
    await answer(TOLD);
    expect([isHeld(), bench.out().at(-1)]).toEqual([false, `dispatch ${waiting}`]);
  });

  test("when the question could not be stored", async () => {
    const { bench, answer, isHeld, question } = await started({ isFull: true });
    expect(question()).toBeUndefined();
    await bench.tick(5_000);
    await answer(TOLD);
    expect(isHeld()).toBe(false);
  });
});
