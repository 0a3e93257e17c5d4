import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { QueryObserver } from "@tanstack/react-query";
import { queries } from "./queries.ts";

interface Reading {
  readonly signal: AbortSignal;
  readonly answer: (text: string) => void;
  readonly fail: (error: Error) => void;
}

/** Readings in their order: each ends when it is said. */
let readings: Reading[] = [];
/** What the page has shown. */
let shown: (string | undefined)[] = [];
let leave: () => void;

beforeEach(() => {
  [readings, shown] = [[], []];
  const observer = new QueryObserver<string>(queries, {
    queryKey: ["/api/v1/today", {}],
    queryFn: ({ signal }) =>
      new Promise((answer, fail) => void readings.push({ signal, answer, fail })),
  });
  leave = observer.subscribe(({ data }) => shown.at(-1) !== data && shown.push(data));
});
afterEach(() => {
  leave();
  queries.clear();
  setSystemTime();
});

const happens = () => queries.changed(({ queryKey: [path] }) => path === "/api/v1/today");
/** The reading has its answer, and what follows from that has begun. */
async function answers(reading: number, text: string): Promise<void> {
  readings[reading]?.answer(text);
  await queries.getQueryCache().find({ queryKey: ["/api/v1/today", {}] })?.promise;
  await new Promise((resolve) => setTimeout(resolve));
}

test("what changes again and again while it is read is shown, and read once more behind that", async () => {
  await answers(0, "at first");
  happens();
  for (const _ of ["a", "rush", "of", "events"]) happens();
  await answers(1, "in the rush");
  expect(shown).toEqual(["at first", "in the rush"]);
  await answers(2, "behind it");
  expect(shown).toEqual(["at first", "in the rush", "behind it"]);
  expect(readings).toHaveLength(3);
});

test("a change during the first reading is read behind it", async () => {
  happens();
  await answers(0, "before");
  await answers(1, "after");
  expect(shown).toEqual(["before", "after"]);
});

test("a reading that nobody answers is broken off at the next change", async () => {
  await answers(0, "at first");
  happens();
  setSystemTime(Date.now() + 20_000);
  happens();
  expect(readings.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
  await answers(2, "behind it");
  expect(shown).toEqual(["at first", "behind it"]);
});

test("a change during a reading that fails is read behind it", async () => {
  await answers(0, "at first");
  happens();
  happens();
  readings[1]?.fail(new Error("refused"));
  await queries
    .getQueryCache()
    .find({ queryKey: ["/api/v1/today", {}] })
    ?.promise?.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve));
  await answers(2, "behind it");
  expect(shown).toEqual(["at first", "behind it"]);
});
