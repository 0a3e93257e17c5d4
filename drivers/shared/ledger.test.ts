import { describe, expect, test } from "bun:test";
import { DocumentInDoubt, FiscalError } from "#core/errors.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { drawerMovedBy, makeEntry, resolveEntry, sendProven } from "./ledger.ts";

const COUNTER = { ...drawerMovedBy(2), unchanged: "unchanged", untold: "untold" };

async function entryThat(make: () => Promise<string>) {
  const progress = new RecordedProgress();
  const result = await makeEntry({ counter: COUNTER, before: 5, make }, progress).catch(
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
      counter: COUNTER,
      evidence: { mark: "committing", baseline: { sumMinor: before } },
      now,
      describe: () => ({ now }),
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

describe("an entry that a device refuses which may have made it", () => {
  const PAPER = new FiscalError("E306", "no paper");
  const OTHER = new FiscalError("E305", "no");

  async function endOf(refusal: FiscalError | undefined, before: number | null, now: unknown) {
    const read = async () => {
      if (now instanceof Error) throw now;
      return typeof now === "number" ? now : null;
    };
    const send = async () => refusal;
    return sendProven({ counter: COUNTER, before, send, read }).then(
      () => "made",
      (error: unknown) => (error instanceof DocumentInDoubt ? "in doubt" : error),
    );
  }

  test("is made when the counter has moved by it, and is not looked at when it was taken", async () => {
    expect(await endOf(PAPER, 5, 7)).toBe("made");
    expect(await endOf(OTHER, 5, 7)).toBe("made");
    expect(await endOf(undefined, 5, new Error("was read"))).toBe("made");
  });

  test("was not made when the counter stands still", async () => {
    expect(await endOf(PAPER, 5, 5)).toBe(PAPER);
    expect(await endOf(OTHER, 5, 5)).toBe(OTHER);
  });

  test.each<[number | null, number | null]>([
    [5, null],
    [null, 5],
    [null, null],
    [5, 8],
  ])("for want of paper is in doubt when the counter went from %p to %p", async (before, now) => {
    expect(await endOf(PAPER, before, now)).toBe("in doubt");
    expect(await endOf(OTHER, before, now)).toBe(OTHER);
  });

  test("is in doubt when the counter cannot be read", async () => {
    expect(await endOf(PAPER, 5, OTHER)).toBe("in doubt");
    expect(await endOf(OTHER, 5, new FiscalError("E501", "silent"))).toBe("in doubt");
  });
});
