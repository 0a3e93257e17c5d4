/** Everything that is tried with one kind of document, at all printers of a test bed. */

import { type CrashCase, type Measured, singles } from "./cases.ts";
import type { DocumentKind } from "./documents.ts";
import { Lane } from "./lane.ts";
import { MARKS_ON_DISK, runUnstoredCase } from "./marks.ts";
import type { CrashModel } from "./models.ts";
import { type Plan, runPlans } from "./rounds.ts";
import type { Tally } from "./tally.ts";
import { TestBed } from "./test-bed.ts";

export interface Campaign {
  readonly kind: DocumentKind;
  /** Those that have no such document are left out. */
  readonly models: readonly CrashModel[];
  /** Printers of each model, among which its cases are dealt; 1 when absent. */
  readonly printers?: number;
  /** The pairs of strikes to try, of a document that was measured. */
  readonly pairsOf: (measured: Measured) => readonly CrashCase[];
  /** The cases to try in which somebody else is at the printer too. */
  readonly sharedOf: (measured: Measured) => readonly CrashCase[];
}

/** What the cases came to: those of the gateway alone with its printer, and the shared ones. */
export interface Tallies {
  readonly alone: Tally;
  readonly shared: Tally;
}

/** The printers of one model. */
type Row = readonly Lane[];

/** Opens a test bed, tries everything, and tells what it came to. */
export async function runCampaign(campaign: Campaign, tallies: Tallies): Promise<void> {
  const { models, pairsOf, sharedOf } = campaign;
  const bed = await TestBed.open();
  try {
    const rows = await Promise.all(
      models.map(async (model) => {
        try {
          return await openRow(bed, model, campaign);
        } catch (error) {
          tallies.alone.fail(model, error);
          return [];
        }
      }),
    );
    const { alone, shared } = tallies;
    for (const [casesOf, tally] of [
      [singles, alone],
      [pairsOf, alone],
      [sharedOf, shared],
    ] as const) {
      const plans = rows.flatMap((row) => deal(row, casesOf));
      await runPlans(bed, plans, tally);
    }
    for (const [lane] of rows) if (lane) await tryMarks(bed, lane, alone);
  } finally {
    await bed.close();
  }
}

async function openRow(
  bed: TestBed,
  model: CrashModel,
  { kind, printers = 1 }: Campaign,
): Promise<Row> {
  const first = await Lane.open(await bed.addStand(model), kind);
  if (first === undefined) return [];
  // Its measures hold for all, so that the cases that are dealt are the same ones.
  const others = Array.from({ length: printers - 1 }, async () =>
    Lane.open(await bed.addStand(model), kind, first.measured),
  );
  return [first, ...(await Promise.all(others)).filter((lane) => lane !== undefined)];
}

function deal(row: Row, casesOf: (measured: Measured) => readonly CrashCase[]): Plan[] {
  return row.map((lane, place) => ({
    lane,
    cases: casesOf(lane.measured).filter((_, index) => index % row.length === place),
  }));
}

/** One after another, because a gateway that waits for the disk serves no device. */
async function tryMarks(bed: TestBed, lane: Lane, tally: Tally): Promise<void> {
  for (const mark of MARKS_ON_DISK) {
    try {
      const verdict = await runUnstoredCase(bed, lane, mark);
      if (verdict) tally.count(lane.stand.model, verdict);
    } catch (error) {
      tally.fail(lane.stand.model, error);
      // It may be killed already, or wait for a lock that is gone.
      await bed.killGateway();
      await bed.startGateway();
      await lane.renew();
    }
  }
}
