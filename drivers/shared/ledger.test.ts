import { describe, expect, test } from "bun:test";
import { DocumentInDoubt, FiscalError } from "#core/errors.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { makeEntry, resolveEntry } from "./ledger.ts";

async function entryThat(make: () => Promise<string>) {
  const progress = new RecordedProgress();
  const result = await makeEntry({ baseline: { sumMinor: 5 }, make }, progress).catch(
    (error: unknown) => error,
  );
  return { result, marks: progress.marks, baseline: progress.baseline };
}

describe("an entry of the ledger", () => {
  test("is marked before and after its one frame", async () => {
    const { result, marks, baseline } = await entryThat(async () => "made");
    expect(result).toBe("made");
    expect(marks).toEqual(["baseline", "committing", "committed"]);
    expect(baseline).toEqual({ sumMinor: 5 });
  });

  test("that the device refuses was not made", async () => {
    const refusal = new FiscalError("E305", "no");
    const { result, marks } = await entryThat(() => Promise.reject(refusal));
    expect(result).toBe(refusal);
    expect(marks).toEqual(["baseline", "committing"]);
  });

  test("whose answer is lost is in doubt", async () => {
    const { result, marks } = await entryThat(() =>
      Promise.reject(new FiscalError("E501", "silent")),
    );
    expect(result).toBeInstanceOf(DocumentInDoubt);
    expect(marks).toEqual(["baseline", "committing"]);
  });
});

describe("an entry in doubt", () => {
  const outcomeOf = (before: unknown, now: number | null) =>
    resolveEntry({
      before,
      now,
      isMade: (from, to) => to === from + 2,
      describe: () => ({ now }),
      unchanged: "unchanged",
      untold: "untold",
    });

  test("is made when the counter has moved by it", async () => {
    expect(await outcomeOf(5, 7)).toEqual({
      outcome: "printed",
      success: { data: { now: 7 } },
    });
  });

  test("is not made when the counter stands still", async () => {
    expect(await outcomeOf(5, 5)).toEqual({ outcome: "not_printed", reason: "unchanged" });
  });

  test.each<[unknown, number | null]>([
    [5, 8],
    [5, 4],
    [5, null],
    [null, 5],
    [undefined, 5],
    ["5", 7],
  ])("is unknown when the counter went from %p to %p", async (before, now) => {
    expect(await outcomeOf(before, now)).toEqual({ outcome: "unknown", reason: "untold" });
  });
});
