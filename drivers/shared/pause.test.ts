import { describe, expect, test } from "bun:test";
import type { FiscalError } from "#core/errors.ts";
import { FakeEnvironment, RecordedProgress } from "../testing/fake-environment.ts";
import { stateFault } from "./device-fault.ts";
import { delay, PAUSE_POLL_MS, PauseKeeper } from "./pause.ts";

const PAPER = stateFault("E306");
const COVER = stateFault("E307");

function keeperOf(shown: (FiscalError | undefined)[], pauseLimitMs = 10_000) {
  const environment = new FakeEnvironment();
  const progress = new RecordedProgress(pauseLimitMs);
  const look = async () => shown.shift();
  return { environment, progress, keeper: new PauseKeeper({ environment, progress, look }) };
}

describe("a document that waits for a person", () => {
  test("goes on when the device shows nothing any more", async () => {
    const { environment, progress, keeper } = keeperOf([PAPER, COVER, undefined]);
    const waiting = keeper.wait(PAPER);
    await environment.advance(3 * PAUSE_POLL_MS);
    expect(await waiting).toBeUndefined();
    expect(progress.pauses).toEqual(["paper_out", undefined]);
  });

  test("tells the last reason when its time is over, of which all waits have one share", async () => {
    const { environment, progress, keeper } = keeperOf(
      [undefined, COVER, COVER, COVER],
      3 * PAUSE_POLL_MS,
    );
    const first = keeper.wait(PAPER);
    await environment.advance(PAUSE_POLL_MS);
    expect(await first).toBeUndefined();
    const second = keeper.wait(PAPER);
    await environment.advance(2 * PAUSE_POLL_MS);
    expect(await second).toBe(COVER);
    expect(environment.timers).toBe(0);
    expect(progress.pauses).toEqual(["paper_out", undefined, "paper_out", undefined]);
  });
});

test("a document that may not go on any more ends its pause with the reason, at the next look", async () => {
  const { environment, progress, keeper } = keeperOf([PAPER, PAPER, PAPER]);
  const waiting = keeper.wait(PAPER);
  await environment.advance(PAUSE_POLL_MS);
  progress.isSettled = true;
  await environment.advance(PAUSE_POLL_MS);
  expect(await waiting).toBe(PAPER);
  expect(environment.timers).toBe(0);
  expect(progress.pauses).toEqual(["paper_out", undefined]);
});

describe("a document that was called printed", () => {
  test("waits as long as the device shows what keeps it", async () => {
    const { environment, progress, keeper } = keeperOf(
      [...Array.from({ length: 100 }, () => PAPER), undefined],
      3 * PAUSE_POLL_MS,
    );
    progress.isCalledPrinted = true;
    const waiting = keeper.wait(PAPER);
    await environment.advance(101 * PAUSE_POLL_MS);
    expect(await waiting).toBeUndefined();
  });

  test("is given up by a device that refuses and shows nothing", async () => {
    const { environment, progress, keeper } = keeperOf([], 2 * PAUSE_POLL_MS);
    progress.isCalledPrinted = true;
    const ends: (FiscalError | undefined)[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      const waiting = keeper.wait(PAPER).then((end) => ends.push(end));
      await environment.advance(PAUSE_POLL_MS);
      await waiting;
    }
    expect(ends).toEqual([undefined, undefined, PAPER]);
  });
});

describe("the time of a pause", () => {
  /** Each look takes `ms` of the clock. */
  function slowKeeper(ms: number, pauseLimitMs: number) {
    const environment = new FakeEnvironment();
    const progress = new RecordedProgress(pauseLimitMs);
    let looks = 0;
    const look = async () => {
      looks += 1;
      await delay(environment, ms);
      return PAPER;
    };
    const keeper = new PauseKeeper({ environment, progress, look });
    return { environment, keeper, looks: () => looks };
  }

  test("counts what the device takes to answer", async () => {
    const { environment, keeper } = slowKeeper(1_500, 10_000);
    let end: FiscalError | undefined;
    const waiting = keeper.wait(PAPER).then((reason) => {
      end = reason;
    });
    await environment.advance(10_000);
    expect(end).toBe(PAPER);
    await waiting;
  });

  test("is not used up by one round in which the clock jumps", async () => {
    const { environment, keeper, looks } = slowKeeper(3_600_000, 120_000);
    const waiting = keeper.wait(PAPER);
    await environment.advance(2 * 3_601_000);
    expect(await waiting).toBe(PAPER);
    expect(looks()).toBe(2);
  });
});
