/**
 * Z reports and cash movements on every model, with the device, the line and other people's hands
 * in the way: what is told of an entry is never other than what the books hold.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { IS_AWAITED } from "#core/command/marks.ts";
import type { ReportResult } from "#core/command/report-result.ts";
import { smallSale } from "./testing/contract-payloads.ts";
import { EVERY_MODEL, isMute, type ModelUnderTest } from "./testing/every-model.ts";
import { RecordedProgress } from "./testing/fake-environment.ts";
import { SimulatedDevice, type Told } from "./testing/simulated-device.ts";
import {
  cashByHand,
  ENTRY_KINDS,
  type EntryKind,
  type Hand,
  sameByHand,
  strikeEntry,
  zByHand,
} from "./testing/struck-entry.ts";
import type { SweptFault } from "./testing/sweep.ts";

type Outcome = Told["outcome"];

/** In the drawer at first, for all withdrawals. */
const FLOAT_MINOR = 1_000_000;

interface StruckCase {
  readonly title: string;
  faults(kind: EntryKind): readonly SweptFault[];
  /** How often the entry is made. */
  readonly made: 0 | 1;
  /** What may be told of it on a device that tells what it has booked. */
  readonly told: readonly Outcome[];
}

const MADE: readonly Outcome[] = ["printed", "unknown"];
const LOST = { kind: "drop_before" };
const ANSWER_LOST = { kind: "drop_after" };

/** As a wireless network or a busy machine delays an answer. */
const LATE_MS = [700, 4_000, 9_000];

/** At least the reads that tell what became of an entry whose answer is lost. */
const FINDING_OUT_FRAMES = 6;

function sized(kind: EntryKind, times: number, when: Hand["when"] = "before"): Hand {
  return cashByHand(when, times * (kind.stepMinor || 500));
}

/** The same by hand, right before ours; a day closed like that is opened again by a deposit. */
function sameBefore(kind: EntryKind): readonly Hand[] {
  const hand = sameByHand("before", kind);
  return hand.deed === "z_report" ? [hand, cashByHand("before", 500)] : [hand];
}

const CASES: readonly StruckCase[] = [
  { title: "is made", faults: () => [], made: 1, told: ["printed"] },
  ...LATE_MS.map(
    (ms): StruckCase => ({
      title: `is answered ${ms} ms late, without a word before`,
      faults: () => [{ kind: "delay", ms, busy: false }],
      made: 1,
      told: ["printed"],
    }),
  ),
  { title: "is lost on its way", faults: () => [LOST], made: 0, told: ["not_printed"] },
  {
    title: "is not taken",
    faults: () => [{ kind: "refuse" }],
    made: 0,
    told: ["not_printed"],
  },
  { title: "has its answer lost", faults: () => [ANSWER_LOST], made: 1, told: MADE },
  {
    title: "takes the device's power with it",
    faults: () => [{ kind: "power_loss", when: "after" }],
    made: 1,
    told: MADE,
  },
  {
    title: "is not heard of any more",
    faults: () => [{ kind: "silent_after", count: 4 }],
    made: 1,
    told: MADE,
  },
  {
    title: "ends the paper while it is printed",
    faults: () => [{ kind: "paper_out", mode: "registered" }],
    made: 1,
    told: MADE,
  },
  {
    title: "finds no paper",
    faults: () => [{ kind: "paper_out" }],
    made: 0,
    told: ["not_printed"],
  },
  {
    title: "finds the cover open",
    faults: () => [{ kind: "cover_open" }],
    made: 0,
    told: ["not_printed"],
  },
  {
    title: "finds the fiscal memory broken",
    faults: () => [{ kind: "hardware_error" }],
    made: 0,
    told: ["not_printed"],
  },
  {
    title: "finds the fiscal memory full",
    faults: () => [{ kind: "fiscal_memory_full" }],
    made: 0,
    told: ["not_printed"],
  },
  {
    title: "is made beside the same by hand",
    faults: (kind) => [...sameBefore(kind), sameByHand("after", kind)],
    made: 1,
    told: ["printed"],
  },
  {
    title: "is lost, and somebody makes the same",
    faults: (kind) => [LOST, sameByHand("after", kind)],
    made: 0,
    told: ["unknown"],
  },
  {
    title: "is not taken, and somebody makes the same",
    faults: (kind) => [{ kind: "refuse" }, sameByHand("before", kind)],
    made: 0,
    told: ["not_printed", "unknown"],
  },
  {
    title: "is lost, and somebody moves more cash",
    faults: (kind) => [LOST, sized(kind, 3)],
    made: 0,
    told: ["not_printed", "unknown"],
  },
  {
    title: "is lost, and somebody moves less cash",
    faults: (kind) => [LOST, sized(kind, 0.2)],
    made: 0,
    told: ["not_printed", "unknown"],
  },
  {
    title: "is lost, and somebody moves cash there and back",
    faults: (kind) => [LOST, sized(kind, 1), sized(kind, -1)],
    made: 0,
    told: ["not_printed", "unknown"],
  },
  {
    title: "has its answer lost, and somebody makes the same",
    faults: (kind) => [ANSWER_LOST, sameByHand("after", kind)],
    made: 1,
    told: MADE,
  },
  {
    title: "has its answer lost, and somebody makes a Z report",
    faults: () => [ANSWER_LOST, zByHand("after")],
    made: 1,
    told: MADE,
  },
  {
    title: "has its answer lost, and somebody makes a Z report and moves as much again",
    faults: (kind) => [ANSWER_LOST, zByHand("after"), sized(kind, 1, "after")],
    made: 1,
    told: MADE,
  },
  {
    title: "has its answer lost, and somebody takes it back",
    faults: (kind) => [ANSWER_LOST, sized(kind, -1, "after")],
    made: 1,
    told: MADE,
  },
  {
    title: "ends the paper, after somebody made the same",
    faults: (kind) => [{ kind: "paper_out", mode: "registered" }, ...sameBefore(kind)],
    made: 1,
    told: MADE,
  },
];

/** Makes a Z report. @returns how many frames it takes, the one that makes it included */
async function framesUntilMade(device: SimulatedDevice): Promise<number> {
  let begunAt = 0;
  let last = 0;
  const progress = new RecordedProgress();
  const mark = progress.mark.bind(progress);
  progress.mark = async (...[reached, baseline]) => {
    const isFirst = !progress.marks.includes(reached);
    await mark(reached, baseline);
    if (isFirst && reached === "committing") last = device.state().frames - begunAt + 1;
  };
  const begun = async () => {
    begunAt = device.state().frames;
  };
  await device.run({ type: "z_report", progress, begun });
  return last;
}

/** Devices of the second generation tell nothing of the cash in their drawer. */
function tells({ model }: ModelUnderTest, { type }: EntryKind): boolean {
  return model !== "gen2" || type === "z_report";
}

function mayTell(kind: ModelUnderTest, entry: EntryKind, { told, made }: StruckCase) {
  if (isMute(kind)) return ["unknown"];
  if (tells(kind, entry)) return told;
  return made === 1 ? MADE : ["not_printed", "unknown"];
}

for (const kind of EVERY_MODEL) {
  describe(`on a device of ${kind.driver}, ${kind.model}`, () => {
    let device: SimulatedDevice;
    beforeAll(async () => {
      device = await SimulatedDevice.start(kind);
      await device.fault(cashByHand("before", FLOAT_MINOR));
    });
    afterAll(() => device.stop());

    for (const entry of ENTRY_KINDS) {
      test(`a ${entry.type} whose answer is lost is told of as it is while others are at it`, async () => {
        const other = entry.type === "z_report" ? zByHand("after") : sized(entry, 0.6, "after");
        const { frames } = await strikeEntry(device, entry, [ANSWER_LOST]);
        for (let at = Math.max(2, frames - FINDING_OUT_FRAMES + 1); at <= frames; at += 1) {
          const { told, made } = await strikeEntry(device, entry, [ANSWER_LOST, { ...other, at }]);
          expect({ at, made, outcome: told.outcome }).toEqual({
            ...{ at, made: 1 },
            outcome: expect.stringMatching(/^(printed|unknown)$/),
          });
        }
      });
    }

    for (const entry of ENTRY_KINDS) {
      for (const struck of CASES) {
        test(`a ${entry.type} that ${struck.title} is told of as it is`, async () => {
          const { told, made } = await strikeEntry(device, entry, struck.faults(entry));
          const may = mayTell(kind, entry, struck);
          const outcome = may.includes(told.outcome) ? may : told.outcome;
          expect({ made, outcome, error: told.error?.message }).toEqual({
            made: struck.made,
            outcome: may,
            error: told.error?.message,
          });
        });
      }
    }

    test("a z_report tells neither number nor sums of one that others make right before", async () => {
      if (isMute(kind)) return;
      const sale = () => device.run({ type: "print_receipt", payload: smallSale({}) });
      expect((await sale()).error).toBeUndefined();
      const last = await framesUntilMade(device);
      for (let at = 1; at <= last; at += 1) {
        expect((await sale()).error).toBeUndefined();
        const begun = async () => {
          await device.fault({ ...cashByHand("before", 12_300), at: 1 });
          await device.fault({ ...zByHand("before"), at });
          await device.fault({ ...cashByHand("before", 500), at });
        };
        const { success, error } = await device.run({ type: "z_report", begun });
        await device.clear();
        if (!success) throw error;
        const { reportNumber, totals } = success.data as unknown as ReportResult;
        const { zNumber, cash } = device.state();
        const { gross, cashIn, cashOut, cashBalance } = totals;
        expect({
          ...{ at, number: reportNumber ?? zNumber, gross: gross ?? 0 },
          ...{ cashIn: cashIn ?? 5, cashOut: cashOut ?? 0, cashBalance: cashBalance ?? cash / 100 },
        }).toEqual({
          ...{ at, number: zNumber, gross: 0 },
          ...{ cashIn: 5, cashOut: 0, cashBalance: cash / 100 },
        });
      }
    });

    for (const entry of ENTRY_KINDS) {
      test(`a ${entry.type} that was confirmed is told as made when the gateway is killed behind that`, async () => {
        if (isMute(kind)) return;
        await device.fault(cashByHand("before", 500));
        // What nobody waits for may be lost, while what the result is to tell is read.
        const stored = new RecordedProgress();
        const progress = new RecordedProgress();
        const mark = progress.mark.bind(progress);
        progress.mark = async (...report) => {
          await mark(...report);
          if (IS_AWAITED[report[0]]) await stored.mark(...report);
        };
        const { type, payload } = entry;
        expect((await device.run({ type, payload, progress })).error).toBeUndefined();
        const told = await device.resume({ type, payload, progress: stored });
        expect(told.outcome).toBe("printed");

        // What it is to tell besides may be refused then: it is made all the same.
        const command = { id: "cmd_1", type, payload, original: undefined };
        const next = await device.connect();
        await device.fault({ kind: "refuse", at: 1 });
        const resolved = await next.resolve(command, stored.evidence(), async () => undefined);
        await device.clear();
        next.close();
        expect(resolved.outcome).toBe("printed");
      });
    }

    test.each([
      ["tells its number, and not a time", []],
      ["tells no number of another one's since", [zByHand("before")]],
    ])("a z_report that was confirmed before a crash %s", async (_, since) => {
      const dayBegins = () => device.fault(cashByHand("before", 500));
      const zReport = { type: "z_report", payload: {} } as const;
      const command = { ...zReport, id: "cmd_1", original: undefined } as const;
      const xNumber = async () => {
        const { success } = await device.run({ type: "x_report" });
        return success?.data.reportNumber;
      };
      await dayBegins();
      const progress = new RecordedProgress();
      const { success } = await device.run({ ...zReport, progress });
      await dayBegins();
      for (const hand of since) await device.fault(hand);
      // Some count X reports by themselves, the others give the number of the Z report to come.
      const [first, second] = [await xNumber(), await xNumber()];
      const step = Number(second) - Number(first);

      const session = await device.connect();
      const resolved = await session.resolve(command, progress.evidence(), async () => undefined);
      const own = since.length === 0 ? success?.data.reportNumber : null;
      if (isMute(kind)) {
        // Nothing that such a device says confirms anything.
        expect(resolved.outcome).toBe("unknown");
        session.close();
        return;
      }
      expect(resolved).toMatchObject({
        outcome: "printed",
        success: { data: { reportNumber: own, closedAt: null } },
      });
      // What the session knows of the device's day is what it knows on a new line.
      const { data } = await session.execute(
        { ...command, type: "x_report" },
        new RecordedProgress(),
      );
      expect(Number(data.reportNumber)).toBe(Number(second) + step);
      session.close();
    });
  });
}
