/**
 * An entry of the ledger (Z report, deposit, withdrawal) whose one frame is struck, on a simulated
 * device at which other hands are at work as well: what is told of it, and what the books hold.
 */

import type { Mark } from "#core/command/marks.ts";
import { RecordedProgress } from "./fake-environment.ts";
import type { SimulatedBooks, SimulatedDevice, Told } from "./simulated-device.ts";
import { OVER_A_MINUTE_MS, type SweptFault } from "./sweep.ts";

/** What is moved, in minor units and as the payload has it. */
const AMOUNT_MINOR = 500;
const AMOUNT = { amount: AMOUNT_MINOR / 100 };

export interface EntryKind {
  readonly type: "z_report" | "cash_in" | "cash_out";
  readonly payload: unknown;
  /** What it adds to the cash in the drawer, in minor units. */
  readonly stepMinor: number;
}

export const ENTRY_KINDS: readonly EntryKind[] = [
  { type: "z_report", payload: {}, stepMinor: 0 },
  { type: "cash_in", payload: AMOUNT, stepMinor: AMOUNT_MINOR },
  { type: "cash_out", payload: AMOUNT, stepMinor: -AMOUNT_MINOR },
];

/** What somebody else does at the device. */
export interface Hand extends SweptFault {
  readonly kind: "other_hands";
  readonly when: "before" | "after";
  readonly deed: "z_report" | "cash";
  readonly amountMinor?: number;
  /** Which frame from the one that makes the entry on; that one when absent. */
  readonly at?: number;
}

/** A Z report made by hand. */
export function zByHand(when: Hand["when"]): Hand {
  return { kind: "other_hands", when, deed: "z_report" };
}

/** Cash moved by hand; negative out. */
export function cashByHand(when: Hand["when"], amountMinor: number): Hand {
  return { kind: "other_hands", when, deed: "cash", amountMinor };
}

/** The same by hand as the entry does. */
export function sameByHand(when: Hand["when"], { stepMinor }: EntryKind): Hand {
  return stepMinor === 0 ? zByHand(when) : cashByHand(when, stepMinor);
}

/** Strikes at the frame that makes the entry: the one after the mark that is stored before it. */
class StrikingProgress extends RecordedProgress {
  constructor(private readonly strike: () => Promise<void>) {
    super();
  }

  override async mark(...[mark, baseline]: Parameters<RecordedProgress["mark"]>): Promise<void> {
    const isFirst = !this.marks.includes(mark);
    await super.mark(mark, baseline);
    if (isFirst && mark === ("committing" satisfies Mark)) await this.strike();
  }
}

/**
 * Makes an entry that is struck at its frame.
 * @returns what is told of it, how often the books say that it was made, and how many frames came
 *   from its own on
 */
export async function strikeEntry(
  device: SimulatedDevice,
  kind: EntryKind,
  faults: readonly SweptFault[],
): Promise<{ readonly told: Told; readonly made: number; readonly frames: number }> {
  // A day without anything may have nothing to close.
  await device.fault(cashByHand("before", AMOUNT_MINOR));
  await device.time.run(device.time.sleep(OVER_A_MINUTE_MS));
  const before = device.state();
  let framesBefore = before.frames;
  const progress = new StrikingProgress(async () => {
    framesBefore = device.state().frames;
    for (const fault of faults) await device.fault({ at: 1, ...fault });
  });
  const told = await device.run({ type: kind.type, payload: kind.payload, progress });
  await device.clear();
  const after = device.state();
  const made = madeBetween(before, after, { kind, faults });
  return { told, made, frames: after.frames - framesBefore };
}

/** What the books have gained beyond what was done by hand. */
function madeBetween(
  before: SimulatedBooks,
  after: SimulatedBooks,
  { kind, faults }: { readonly kind: EntryKind; readonly faults: readonly SweptFault[] },
): number {
  const hands = faults.filter((fault): fault is Hand => fault.kind === "other_hands");
  if (kind.type === "z_report") {
    const byHand = hands.filter(({ deed }) => deed === "z_report").length;
    return after.zNumber - before.zNumber - byHand;
  }
  const byHand = hands.reduce((sum, { amountMinor = 0 }) => sum + amountMinor, 0);
  const ours = after.cash - before.cash - byHand;
  return ours === 0 ? 0 : ours / kind.stepMinor;
}
