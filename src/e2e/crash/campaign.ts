/** Everything that is tried with one kind of document, at all printers of a test bed. */

import { type CrashCase, type Kills, killsOf, type Measured } from "./cases.ts";
import type { DocumentKind } from "./documents.ts";
import { Lane } from "./lane.ts";
import { MARKS_ON_DISK, type MarkOnDisk, runUnstoredCase } from "./marks.ts";
import { type CrashModel, type Family, nameOf } from "./models.ts";
import { type Plan, runPlans } from "./rounds.ts";
import type { Tally } from "./tally.ts";
import { TestBed } from "./test-bed.ts";

export interface Campaign {
  readonly kind: DocumentKind;
  /** Those that have no such document are left out. */
  readonly families: readonly Family[];
  /** The cases to try at a printer that nobody else uses, of a document that was measured. */
  readonly aloneOf: (measured: Measured) => readonly CrashCase[];
  /** The cases to try in which somebody else is at the printer too. */
  readonly sharedOf: (measured: Measured) => readonly CrashCase[];
}

/** What the cases came to: those of the gateway alone with its printer, and the shared ones. */
export interface Tallies {
  readonly alone: Tally;
  readonly shared: Tally;
}

/** The printers of one family. */
type Row = readonly Lane[];

/** Opens a test bed, tries everything, and tells what it came to. */
export async function runCampaign(campaign: Campaign, tallies: Tallies): Promise<void> {
  const { families, kind, aloneOf, sharedOf } = campaign;
  const bed = await TestBed.open();
  try {
    const rows = await Promise.all(
      families.map((family) => openRow({ bed, kind, tally: tallies.alone }, family)),
    );
    const { alone, shared } = tallies;
    const strike = async (): Promise<void> => {
      // What others print last would leave a doubt in the case after it, which they have no part in.
      for (const [casesOf, tally] of [
        [aloneOf, alone],
        [sharedOf, shared],
      ] as const) {
        const plans = rows.flatMap((row) => deal(row, casesOf));
        await runPlans(bed, plans, tally);
      }
    };
    // Only when both are over is what they use taken away.
    const ends = await Promise.allSettled([strike(), tryMarks(rows, alone)]);
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  } finally {
    await bed.close();
  }
}

/** @param tally told of the printers that cannot be made ready */
async function openRow(
  {
    bed,
    kind,
    tally,
  }: { readonly bed: TestBed; readonly kind: DocumentKind; readonly tally: Tally },
  family: Family,
): Promise<Row> {
  const models = [...new Map(family.map((model) => [nameOf(model), model])).values()];
  const rows = await Promise.all(
    models.map(async (model): Promise<Row> => {
      try {
        const count = family.filter((other) => nameOf(other) === nameOf(model)).length;
        return await openLanes(bed, { model, kind, count });
      } catch (error) {
        tally.fail(model, error);
        return [];
      }
    }),
  );
  const row = rows.flat();
  // Those beside remote controllers are there for the way to them, with drivers that differ.
  const alike = Map.groupBy(row, ({ stand: { model } }) => model.remote && model.driver);
  for (const lanes of alike.values()) Lane.agree(lanes);
  return row;
}

/** Printers of one model. Measured once, so that the cases that are dealt among them are the same. */
async function openLanes(
  bed: TestBed,
  {
    model,
    kind,
    count,
  }: { readonly model: CrashModel; readonly kind: DocumentKind; readonly count: number },
): Promise<Row> {
  const first = await Lane.open(await bed.addStand(model), kind);
  if (first === undefined) return [];
  const others = Array.from({ length: count - 1 }, async () =>
    Lane.open(await bed.addStand(model), kind, first.measured),
  );
  return [first, ...(await Promise.all(others)).filter((lane) => lane !== undefined)];
}

/**
 * Gives each case to one of the printers. Cases of the same kills are dealt by themselves, as those
 * go round by round; and whose turn it is moves on with each round of the printers, so that each of
 * them meets every kind of strike, whatever the rhythm in which they follow each other.
 */
function deal(row: Row, casesOf: (measured: Measured) => readonly CrashCase[]): Plan[] {
  return row.map((lane, place) => {
    const dealt = new Map<Kills, number>();
    const cases = casesOf(lane.measured).filter((strikes) => {
      const kills = killsOf(strikes);
      const index = dealt.get(kills) ?? 0;
      dealt.set(kills, index + 1);
      return (index + Math.floor(index / row.length)) % row.length === place;
    });
    return { lane, cases };
  });
}

/**
 * Beside a gateway of their own, and one after another, because a gateway that waits for the disk
 * serves no device.
 */
async function tryMarks(rows: readonly Row[], tally: Tally): Promise<void> {
  const bed = await TestBed.open();
  try {
    for (const row of rows) {
      const lanes = oneOfEachModel(row);
      for (const [place, like] of lanes.entries()) {
        const marks = MARKS_ON_DISK.filter((_, index) => index % lanes.length === place);
        await tryMarksOf(bed, { like, marks }, tally);
      }
    }
  } finally {
    await bed.close();
  }
}

function oneOfEachModel(row: Row): Row {
  return [...new Map(row.map((lane) => [nameOf(lane.stand.model), lane])).values()];
}

/** At another printer of the lane's model, which is there only for so long. */
async function tryMarksOf(
  bed: TestBed,
  { like, marks }: { readonly like: Lane; readonly marks: readonly MarkOnDisk[] },
  tally: Tally,
): Promise<void> {
  const { kind, measured } = like;
  const { model } = like.stand;
  const lane = await Lane.open(await bed.addStand(model), kind, measured);
  if (lane === undefined) throw new Error(`no ${kind} on another ${nameOf(model)}`);
  for (const mark of marks) {
    try {
      const verdict = await runUnstoredCase(bed, lane, mark);
      if (verdict) tally.count(model, verdict);
    } catch (error) {
      tally.fail(model, error);
      // It may be killed already, or wait for a lock that is gone.
      await bed.killGateway();
      await bed.startGateway();
      await lane.renew();
    }
  }
  await lane.stand.retire();
}
