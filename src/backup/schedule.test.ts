import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import type { BackupOutcome } from "./kept-backups.ts";
import { type BackupNews, BackupSchedule, type BackupWish } from "./schedule.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const GRACE_MS = 5_000;

let clock: FakeClock;
let outcome: BackupOutcome;
let begun: BackupWish[];
let unready: string | undefined;
/** What the next looks come to, before that. */
let looks: Promise<string | undefined>[];
let news: BackupNews[];
let killed: string[];
/** What is begun does not end where it is killed. */
let isDeaf: boolean;
let end: (reason?: string) => void;
let schedule: BackupSchedule;

/** As of the clock's start, 2026-01-15 at 10:00 of the machine's clock. */
beforeEach(() => {
  clock = new FakeClock(new Date(2026, 0, 15, 10).getTime());
  outcome = lastMade(madeAt(15, 3));
  begun = [];
  unready = undefined;
  [news, killed, isDeaf, looks] = [[], [], false, []];
  schedule = scheduleAt("03:00");
});
afterEach(() => schedule.stop(GRACE_MS));

function madeAt(day: number, hour: number): NonNullable<BackupOutcome["last"]> {
  const createdAt = new Date(2026, 0, day, hour).toISOString();
  return { file: `/backups/${day}`, bytes: 7, createdAt };
}

function scheduleAt(at: string, canEncrypt = true, isHourChosen = false): BackupSchedule {
  return new BackupSchedule({
    ...{
      at: () => at,
      canEncrypt: () => canEncrypt,
      isHourChosen: () => isHourChosen,
      clock,
      log: createLog({ level: "silent", clock }),
    },
    unready: () => looks.shift() ?? Promise.resolve(unready),
    begin(wish) {
      begun.push(wish);
      const { promise: ended, resolve } = Promise.withResolvers<string | undefined>();
      end = resolve;
      const kill = (signal: string) => {
        killed.push(signal);
        if (!isDeaf) resolve("killed");
      };
      return { ended, kill };
    },
    outcome: () => outcome,
    noteFailure: (failed) => {
      outcome = { ...outcome, failed };
    },
    tell: (one) => news.push(one),
  });
}

const lastMade = (made: BackupOutcome["last"]): BackupOutcome => ({
  ...{ last: made, usual: made, failed: null },
});

async function finish(made: BackupOutcome["last"], reason?: string): Promise<void> {
  if (made !== null) outcome = { ...outcome, last: made, usual: made };
  end(reason);
  await clock.advanceAsync(0);
}

test("makes one each day at the time, and tells of it", async () => {
  schedule.start();
  await clock.advanceAsync(17 * HOUR_MS - MINUTE_MS);
  expect(begun).toEqual([]);
  await clock.advanceAsync(2 * MINUTE_MS);
  expect(begun).toEqual([{ isByHand: false }]);
  expect(schedule.makeNow()).toBe(false);
  await finish(madeAt(16, 3));
  expect(news).toEqual([{ kind: "completed", name: "16", bytes: 7 }]);
  await clock.advanceAsync(23 * HOUR_MS);
  expect(begun).toHaveLength(1);
  expect(new Date(schedule.nextAt() ?? 0)).toEqual(new Date(2026, 0, 17, 3));
});

test("says that a person has one made, and for which place", async () => {
  expect(schedule.makeNow()).toBe(true);
  await finish(madeAt(15, 10));
  expect(schedule.makeNow("usb:SHOP")).toBe(true);
  expect(begun).toEqual([{ isByHand: true }, { to: "usb:SHOP", isByHand: true }]);
});

test("makes up soon after a start for the one that a machine slept through", async () => {
  outcome = lastMade(madeAt(14, 12));
  schedule.start();
  await clock.advanceAsync(MINUTE_MS);
  expect(begun).toEqual([]);
  await clock.advanceAsync(MINUTE_MS);
  expect(begun).toHaveLength(1);
});

test("makes that of the day also where a person has taken one away on a stick", async () => {
  outcome = { ...lastMade(madeAt(14, 3)), last: madeAt(15, 10) };
  schedule.start();
  await clock.advanceAsync(2 * MINUTE_MS);
  expect(begun).toEqual([{ isByHand: false }]);
});

test("knows how old the one at its place is, whatever lies in a drawer", async () => {
  outcome = { ...lastMade(madeAt(12, 3)), last: madeAt(15, 9) };
  expect(schedule.problem()?.text).toContain(madeAt(12, 3).createdAt);
  schedule.start();
  await clock.advanceAsync(2 * MINUTE_MS);
  expect(news).toEqual([
    { kind: "failed", reason: `the last backup is of ${madeAt(12, 3).createdAt}` },
  ]);
});

test("tries a failed one again after an hour, and says meanwhile what is wrong", async () => {
  outcome = lastMade(null);
  schedule.start();
  await clock.advanceAsync(2 * MINUTE_MS);
  await finish(null, "no USB stick is plugged in");
  expect(news).toEqual([{ kind: "failed", reason: "no USB stick is plugged in" }]);
  expect(schedule.problem()?.text).toContain("no USB stick is plugged in");
  await clock.advanceAsync(HOUR_MS - MINUTE_MS);
  expect(begun).toHaveLength(1);
  await clock.advanceAsync(MINUTE_MS);
  expect(begun).toHaveLength(2);
  await finish(madeAt(15, 11));
  expect(schedule.problem()).toBeUndefined();
});

test("gives one up whose place answers no more, and says so meanwhile", async () => {
  outcome = lastMade(null);
  // As one that waits for a disk: no signal ends it.
  isDeaf = true;
  schedule.start();
  await clock.advanceAsync(2 * MINUTE_MS);
  expect(schedule.problem()).toBeUndefined();
  await clock.advanceAsync(6 * HOUR_MS);
  expect(schedule.problem()?.text).toContain("begun at 2026-01-15T");
  expect(schedule.makeNow()).toBe(false);
  await clock.advanceAsync(6 * HOUR_MS);
  // Asked first, so that it ends the shop's command too, which nobody else can.
  expect([killed, begun.length]).toEqual([["SIGTERM"], 1]);
  await clock.advanceAsync(GRACE_MS);
  expect(killed).toEqual(["SIGTERM", "SIGKILL"]);
  expect(news).toMatchObject([{ kind: "failed", reason: expect.stringContaining("answers") }]);
  expect(schedule.startedAt).toBeUndefined();
  const endOfFirst = end;
  // Its process is still there: a second one would wait for the same disk.
  await clock.advanceAsync(48 * HOUR_MS);
  expect(begun).toHaveLength(1);
  expect(schedule.problem()?.text).toContain("look whether its place still answers");
  // A person may have one made elsewhere, which the end of the first says nothing of.
  expect(schedule.makeNow("usb:SHOP")).toBe(true);
  const endOfSecond = end;
  endOfFirst("killed");
  await clock.advanceAsync(0);
  expect([schedule.startedAt === undefined, news.length]).toEqual([false, 1]);
  endOfSecond("no USB stick is plugged in");
  await clock.advanceAsync(HOUR_MS + MINUTE_MS);
  expect(begun).toHaveLength(3);
  await finish(madeAt(17, 23));
  expect(schedule.problem()).toBeUndefined();
  isDeaf = false;
});

test("a stop leaves one behind that waits for a disk", async () => {
  isDeaf = true;
  schedule.makeNow();
  let isStopped = false;
  const stopping = schedule.stop(GRACE_MS).then(() => {
    isStopped = true;
  });
  await clock.advanceAsync(GRACE_MS - 1);
  expect([killed, isStopped]).toEqual([["SIGTERM"], false]);
  await clock.advanceAsync(1);
  await stopping;
  expect(killed).toEqual(["SIGTERM", "SIGKILL"]);
  isDeaf = false;
});

test("says before the hour what would keep one from being made", async () => {
  unready = "there is no folder /media/shop: make or mount it first";
  schedule.start();
  await clock.advanceAsync(0);
  expect(schedule.problem()?.text).toBe(`no backup can be made: ${unready}`);
  unready = undefined;
  await clock.advanceAsync(3 * MINUTE_MS);
  expect([begun, schedule.problem()]).toEqual([[], undefined]);
});

test("knows that what it found was mended as soon as somebody asks", async () => {
  unready = "there is no folder /media/shop: make or mount it first";
  schedule.start();
  await clock.advanceAsync(0);
  unready = undefined;
  await schedule.look();
  expect(schedule.problem()).toBeUndefined();
  unready = "the passphrase cannot be read";
  await schedule.look();
  unready = undefined;
  expect(schedule.problem()?.text).toContain("the passphrase cannot be read");
  await clock.advanceAsync(0);
  expect(schedule.problem()).toBeUndefined();
});

test("looks anew when what it needs has changed, and not at what it had begun to look at", async () => {
  const slow = Promise.withResolvers<string | undefined>();
  looks = [slow.promise];
  schedule.start();
  schedule.lookAgain();
  expect([schedule.problem(), schedule.isLookedAt]).toEqual([undefined, false]);
  await clock.advanceAsync(0);
  slow.resolve("there is no passphrase");
  await clock.advanceAsync(0);
  expect([schedule.problem(), schedule.isLookedAt]).toEqual([undefined, true]);
});

test("tells once a day that the last one is older than two days", async () => {
  outcome = lastMade(madeAt(13, 3));
  schedule.start();
  await clock.advanceAsync(HOUR_MS);
  expect(news).toEqual([{ kind: "failed", reason: expect.stringContaining("the last backup is") }]);
  expect(schedule.problem()?.text).toContain("the last backup is of");
  await clock.advanceAsync(24 * HOUR_MS);
  const old = news.filter((one) => one.kind === "failed" && one.reason.startsWith("the last"));
  expect(old).toHaveLength(2);
});

test("makes none by itself without a passphrase, or when it is off", async () => {
  for (const other of [scheduleAt("03:00", false), scheduleAt("off")]) {
    outcome = lastMade(null);
    other.start();
    await clock.advanceAsync(72 * HOUR_MS);
    expect([begun, other.nextAt(), other.problem()]).toEqual([[], undefined, undefined]);
    await other.stop(GRACE_MS);
  }
});

describe("when the clock is set", () => {
  /** Of a day in January. */
  const atHour = (year: number, day: number, hour: number): number =>
    new Date(year, 0, day, hour).getTime();

  test.each([
    ["to 1970, as after a start without a battery, none is made until it is right", 1970, 0],
    ["a year back, none is kept from being made by one of the year after", 2026, 1],
  ] as const)("%s", async (_, year, count) => {
    clock = new FakeClock(atHour(2027, 15, 10));
    outcome = lastMade({ ...madeAt(15, 3), createdAt: clockText() });
    schedule = scheduleAt("03:00");
    schedule.start();
    clock.jumpTo(atHour(year, 20, 10));
    await clock.advanceAsync(2 * HOUR_MS);
    expect(begun).toHaveLength(count);
    if (count === 0) {
      clock.jumpTo(atHour(2027, 16, 10));
      await clock.advanceAsync(2 * MINUTE_MS);
      expect(begun).toHaveLength(1);
      return;
    }
    // The one that is made under the right clock counts again.
    await finish({ ...madeAt(20, 12), createdAt: clockText() });
    await clock.advanceAsync(10 * HOUR_MS);
    expect(begun).toHaveLength(1);
  });

  test("two days forward, one is made, and one alone", async () => {
    schedule.start();
    clock.jumpTo(clock.now() + 48 * HOUR_MS);
    await clock.advanceAsync(3 * MINUTE_MS);
    expect(begun).toHaveLength(1);
    await finish({ ...madeAt(17, 10), createdAt: clockText() });
    await clock.advanceAsync(5 * HOUR_MS);
    expect(begun).toHaveLength(1);
  });

  test("an hour back, as by hand in autumn, none is made twice", async () => {
    schedule.start();
    clock.jumpTo(atHour(2026, 15, 3) - HOUR_MS + MINUTE_MS);
    await clock.advanceAsync(20 * HOUR_MS);
    expect(begun).toEqual([]);
  });

  test("a year back after one failed, it is tried again all the same", async () => {
    outcome = {
      last: null,
      usual: null,
      failed: { at: "2027-01-15T03:00:00.000Z", reason: "no stick" },
    };
    schedule.start();
    await clock.advanceAsync(3 * MINUTE_MS);
    expect(begun).toHaveLength(1);
  });

  function clockText(): string {
    return new Date(clock.now()).toISOString();
  }
});

test("tries again every hour where one was made and not brought elsewhere", async () => {
  outcome = lastMade(madeAt(14, 3));
  schedule.start();
  await clock.advanceAsync(3 * MINUTE_MS);
  await finish(madeAt(15, 10), "backup.command ended with 1: no network");
  expect([begun.length, schedule.problem()?.code]).toEqual([1, "backup_failed"]);
  // A person's own, on a stick, is not the one that is owed.
  schedule.makeNow("usb");
  await finish(madeAt(15, 10));
  expect([begun.length, schedule.problem()?.code]).toEqual([2, "backup_failed"]);
  await clock.advanceAsync(HOUR_MS + 2 * MINUTE_MS);
  expect(begun.slice(2)).toEqual([{ isByHand: false }]);
  await finish(madeAt(15, 11));
  expect(schedule.problem()).toBeUndefined();
  await clock.advanceAsync(10 * HOUR_MS);
  expect(begun).toHaveLength(3);
});

test("a failure on a person's own stick is told, and says nothing of those of the night", async () => {
  schedule.start();
  schedule.makeNow("usb:SHOP");
  await finish(null, "no USB stick SHOP is plugged in");
  expect(news).toEqual([{ kind: "failed", reason: "no USB stick SHOP is plugged in" }]);
  expect(schedule.failed?.reason).toBe("no USB stick SHOP is plugged in");
  expect(schedule.problem()).toBeUndefined();
  // None is made at midday for it, and that of the night comes at its hour.
  await clock.advanceAsync(16 * HOUR_MS);
  expect(begun).toHaveLength(1);
  schedule.makeNow("usb:SHOP");
  await finish(null, "no USB stick SHOP is plugged in");
  await clock.advanceAsync(HOUR_MS + MINUTE_MS);
  expect(begun.slice(2)).toEqual([{ isByHand: false }]);
  await finish(madeAt(16, 3));
  expect(schedule.failed).toBeNull();
});

test("tells that none is made where the hour was chosen and the passphrase is gone", async () => {
  outcome = lastMade(null);
  schedule = scheduleAt("03:00", false, true);
  schedule.start();
  expect(schedule.problem()?.code).toBe("backup_no_passphrase");
  await clock.advanceAsync(24 * HOUR_MS);
  expect([begun, schedule.nextAt()]).toEqual([[], undefined]);
  expect(scheduleAt("off", false, true).problem()).toBeUndefined();
  expect(scheduleAt("03:00", false).problem()).toBeUndefined();
});
