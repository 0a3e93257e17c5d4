import { describe, expect, test } from "bun:test";
import { DocumentInDoubt, FiscalError } from "#core/errors.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import {
  type EntryKind,
  type LedgerCounts,
  makeEntry,
  resolveEntry,
  ruleOut,
  Z_REPORT,
} from "./ledger.ts";
import { isOfClosedDay, makeUnnumberedZReport } from "./z-report.ts";

type Counts = Partial<LedgerCounts>;

const DEPOSIT: EntryKind = { kind: "movement", amountMinor: 200 };
const BEFORE: LedgerCounts = {
  zNumber: 5,
  sumMinor: 1_000,
  movements: 40,
  drawerMinor: 700,
  lastDocument: "12 sale",
};
const NOTHING = {
  zNumber: null,
  sumMinor: null,
  movements: null,
  drawerMinor: null,
  lastDocument: null,
};
/** As devices tell it that count sums, the drawer alone, or numbers and sums. */
const SUMS = { movements: null, drawerMinor: null, lastDocument: null };
const DRAWER = { sumMinor: null, movements: null };
const NUMBERS = { drawerMinor: null, lastDocument: null };

describe("a Z report", () => {
  test.each([
    [5, 5, true],
    [0, 0, true],
    [5, 6, false],
    [5, 7, false],
    [5, 4, false],
    [5, null, false],
    [null, 5, false],
    [null, null, false],
  ])("with number %p before and %p now is ruled out: %p", (before, now, expected) => {
    const reason = ruleOut(Z_REPORT, { ...NOTHING, zNumber: before }, { ...NOTHING, zNumber: now });
    expect(reason !== undefined).toBe(expected);
  });
});

test("an entry is told as made while nobody stores what confirmed it", async () => {
  const progress = new RecordedProgress();
  const store = progress.mark.bind(progress);
  let isAway = false;
  const make = async () => {
    isAway = true;
    return "made";
  };
  const reads = { zNumber: async () => 5 };
  progress.mark = async (mark, baseline) => {
    if (isAway && mark === "committing") return new Promise(() => {});
    return store(mark, baseline);
  };
  expect(await makeEntry({ entry: DEPOSIT, reads, make }, progress)).toBe("made");
});

describe("a Z report that is only acknowledged", () => {
  test.each([
    { when: "the number is the next one", shown: 6, number: 6, last: 6, isOurs: true },
    { when: "the number has not moved yet", shown: 5, number: null, last: null, isOurs: true },
    { when: "another report came in between", shown: 7, number: null, last: 7, isOurs: false },
    { when: "the numbers begin anew", shown: 1, number: null, last: 1, isOurs: false },
    { when: "the device tells nothing", shown: null, number: null, last: null, isOurs: false },
  ])("tells of its day where $when", async ({ shown, number, last, isOurs }) => {
    const before = 5;
    let isMade = false;
    const make = async () => {
      isMade = true;
    };
    const readNumber = async () => (isMade ? shown : before);
    const day = await makeUnnumberedZReport({ readNumber, make }, new RecordedProgress());
    expect({ ...day, isOurs: isOfClosedDay(before, day) }).toMatchObject({ number, last, isOurs });
  });

  test("tells no totals of a day of which no number was told before", async () => {
    const readNumber = async () => null;
    const make = async () => undefined;
    const day = await makeUnnumberedZReport({ readNumber, make }, new RecordedProgress());
    expect(isOfClosedDay(null, day)).toBe(false);
  });
});

describe("a deposit of 2.00", () => {
  test.each<{ when: string; told: Counts; moved: Counts; isRuledOut: boolean }>([
    { when: "the day's sum stands still", told: SUMS, moved: {}, isRuledOut: true },
    { when: "the sum has grown by less", told: SUMS, moved: { sumMinor: 1_199 }, isRuledOut: true },
    {
      when: "the sum has grown by as much",
      told: SUMS,
      moved: { sumMinor: 1_200 },
      isRuledOut: false,
    },
    {
      when: "the sum has grown by more",
      told: SUMS,
      moved: { sumMinor: 1_500 },
      isRuledOut: false,
    },
    { when: "the sum has shrunk", told: SUMS, moved: { sumMinor: 900 }, isRuledOut: false },
    {
      when: "the sum stands still over a Z report",
      told: SUMS,
      moved: { zNumber: 6 },
      isRuledOut: false,
    },
    {
      when: "the sum stands still and the day is not told",
      told: { ...SUMS, zNumber: null },
      moved: {},
      isRuledOut: false,
    },
    {
      when: "the sum is not told any more",
      told: SUMS,
      moved: { sumMinor: null },
      isRuledOut: false,
    },
    { when: "the number stands still", told: NUMBERS, moved: {}, isRuledOut: true },
    {
      when: "the number stands still over a Z report",
      told: NUMBERS,
      moved: { zNumber: 6, sumMinor: 0 },
      isRuledOut: true,
    },
    {
      when: "there was one of as much",
      told: NUMBERS,
      moved: { movements: 41, sumMinor: 1_200 },
      isRuledOut: false,
    },
    {
      when: "there was one of more",
      told: NUMBERS,
      moved: { movements: 41, sumMinor: 1_300 },
      isRuledOut: true,
    },
    {
      when: "there was one of more on another day",
      told: NUMBERS,
      moved: { zNumber: 6, movements: 41 },
      isRuledOut: false,
    },
    {
      when: "there were two",
      told: NUMBERS,
      moved: { movements: 42, sumMinor: 1_300 },
      isRuledOut: false,
    },
    {
      when: "the numbers began anew",
      told: NUMBERS,
      moved: { movements: 1, sumMinor: 1_200 },
      isRuledOut: false,
    },
    { when: "drawer and last document stand still", told: DRAWER, moved: {}, isRuledOut: true },
    {
      when: "the drawer alone stands still",
      told: DRAWER,
      moved: { lastDocument: "13 cash" },
      isRuledOut: false,
    },
    {
      when: "the document alone stands still",
      told: DRAWER,
      moved: { drawerMinor: 900 },
      isRuledOut: false,
    },
    {
      when: "the next document may look the same",
      told: { ...DRAWER, lastDocument: null },
      moved: {},
      isRuledOut: false,
    },
    { when: "nothing is told", told: NOTHING, moved: NOTHING, isRuledOut: false },
  ])("when $when", ({ told, moved, isRuledOut }) => {
    const before = { ...BEFORE, ...told };
    const reason = ruleOut(DEPOSIT, before, { ...before, ...moved });
    expect(reason !== undefined).toBe(isRuledOut);
  });
});

/** Makes a deposit on a device that counts as given, one reading after the other. */
async function entryThat(
  make: () => Promise<string>,
  counted: readonly (LedgerCounts | FiscalError)[] = [BEFORE, BEFORE],
) {
  const progress = new RecordedProgress();
  const readings = [...counted];
  let isFirst = true;
  const counts = () => {
    const now = readings[progress.marks.length === 0 ? 0 : 1] ?? NOTHING;
    if (now instanceof FiscalError) throw now;
    return now;
  };
  const reads = {
    zNumber: async () => {
      const [now] = isFirst ? readings : readings.slice(1);
      isFirst = false;
      if (now instanceof FiscalError) throw now;
      return now?.zNumber ?? null;
    },
    movements: async () => counts().movements,
    moved: async () => counts(),
  };
  const result = await makeEntry({ entry: DEPOSIT, reads, make }, progress).catch(
    (error: unknown) => error,
  );
  return { result, marks: progress.marks, baseline: progress.baseline };
}

const PAPER = new FiscalError("E306", "no paper");
const REFUSAL = new FiscalError("E305", "no");
const REFUSALS = [PAPER, REFUSAL];
const SILENCE = new FiscalError("E501", "silent");

describe("an entry of the ledger", () => {
  test("is marked before and after its one frame", async () => {
    const { result, marks, baseline } = await entryThat(async () => "made");
    expect(result).toBe("made");
    expect(marks).toEqual(["baseline", "committing", "committing", "committed"]);
    expect(baseline).toEqual({ ...BEFORE, confirmed: true });
  });

  test.each(REFUSALS)(
    "that the device refuses and did not count was not made: $code",
    async (refusal) => {
      const { result, marks } = await entryThat(() => Promise.reject(refusal));
      expect(result).toBe(refusal);
      expect(marks).toEqual(["baseline", "committing"]);
    },
  );

  test.each(REFUSALS)(
    "that the device refuses and may have counted is in doubt: $code",
    async (refusal) => {
      const moved = { ...BEFORE, movements: 41, sumMinor: 1_200, drawerMinor: 900 };
      const { result } = await entryThat(() => Promise.reject(refusal), [BEFORE, moved]);
      expect(result).toBeInstanceOf(DocumentInDoubt);
      expect(result).toMatchObject({ cause: refusal });
    },
  );

  test("that the device refuses and does not tell of is in doubt", async () => {
    const { result } = await entryThat(() => Promise.reject(REFUSAL), [NOTHING, NOTHING]);
    expect(result).toBeInstanceOf(DocumentInDoubt);
  });

  test("that the device refuses and whose drawer agrees was not made", async () => {
    const drawer = { ...NOTHING, zNumber: 5, drawerMinor: 700 };
    const { result } = await entryThat(() => Promise.reject(REFUSAL), [drawer, drawer]);
    expect(result).toBe(REFUSAL);
  });

  test("that the device refuses and cannot be asked about is in doubt for the refusal", async () => {
    const { result } = await entryThat(() => Promise.reject(PAPER), [BEFORE, SILENCE]);
    expect(result).toBeInstanceOf(DocumentInDoubt);
    expect(result).toMatchObject({ cause: PAPER });
  });

  test("whose answer is lost is in doubt", async () => {
    const { result, marks } = await entryThat(() => Promise.reject(SILENCE));
    expect(result).toBeInstanceOf(DocumentInDoubt);
    expect(marks).toEqual(["baseline", "committing"]);
  });
});

describe("an entry in doubt", () => {
  const outcomeOf = async (
    mark: "baseline" | "committing" | "committed",
    now: LedgerCounts,
    baseline: Readonly<Record<string, unknown>> = { ...BEFORE },
  ) => {
    const { outcome } = await resolveEntry({
      entry: DEPOSIT,
      evidence: { mark, baseline },
      reads: {
        zNumber: async () => now.zNumber,
        movements: async () => now.movements,
        moved: async () => now,
      },
      describe: async () => ({}),
    });
    return outcome;
  };
  const MOVED = { ...BEFORE, movements: 41, sumMinor: 1_200, drawerMinor: 900 };

  test("was not made while only the baseline is stored, whoever moved cash since", async () => {
    expect(await outcomeOf("baseline", MOVED)).toBe("not_printed");
  });

  test("was not made when the counts rule it out", async () => {
    expect(await outcomeOf("committing", BEFORE)).toBe("not_printed");
  });

  test("is unknown when the counts have moved by it: by whom, they do not tell", async () => {
    expect(await outcomeOf("committing", MOVED)).toBe("unknown");
  });

  test("was made when the device had said so, whatever it counts now", async () => {
    expect(await outcomeOf("committed", MOVED)).toBe("printed");
    expect(await outcomeOf("committed", BEFORE)).toBe("printed");
  });

  test.each([{}, { zNumber: "5", sumMinor: 1_000 }, { number: 40 }])(
    "is unknown with the baseline %j",
    async (baseline) => {
      expect(await outcomeOf("committing", { ...BEFORE, lastDocument: null }, baseline)).toBe(
        "unknown",
      );
    },
  );
});
