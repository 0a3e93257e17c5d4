/**
 * Commands that break off, on simulated devices: whatever happens at whichever frame,
 * what the driver says in the end is what stands in the device's books.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Baseline } from "#core/command/marks.ts";
import type { CommandSuccess } from "#core/driver.ts";
import { DocumentInDoubt } from "#core/errors.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { describeOtherHands } from "../testing/other-hands.ts";
import { describePrintedOnce } from "../testing/printed-once.ts";
import { type SweptDocument, sampleSale } from "../testing/sample-documents.ts";
import { fiscalIdOf, type RunOptions, SimulatedDevice } from "../testing/simulated-device.ts";
import { strikeEntry } from "../testing/struck-entry.ts";
import { DENIAL, LINE_FAULTS, Sweep } from "../testing/sweep.ts";
import { customDriver } from "./index.ts";
import { ProfileSet } from "./profile-set.ts";

const SALE = sampleSale({
  uniqueSaleNumber: "ZK126720-0001-0000001",
  vatGroups: ["VAT2", "VAT1"],
  hasDiscount: true,
});

/** Of the first receipt, and so small that it can be made again and again. */
const STORNO = {
  kind: "storno",
  after: ({ fiscalId, data }: CommandSuccess): SweptDocument => ({
    type: "print_reversal_receipt",
    kind: "storno",
    totalMinor: 1,
    items: 1,
    payload: {
      uniqueSaleNumber: "ZK126720-0001-0000001",
      originalReceiptNumber: fiscalId,
      originalReceiptDateTime: data.issuedAt,
      fiscalMemorySerialNumber: data.fiscalMemorySerialNumber,
      reason: "refund",
      items: [{ name: "Water", quantity: 0.01, price: 1, vatGroup: "VAT1" }],
    },
  }),
} as const;

/**
 * Six reads, two sales, texts, adjustments, subtotal, three reads, payments, read, close, read, cut,
 * read; and one more read, because the document before is the first of its day.
 */
const SALE_FRAMES = 26;

/** Behind a lost line more than it takes to find out a document and to cut it off. */
const CUT_FRAMES_MAX = 24;

/** More than any storno takes. */
const STORNO_FRAMES_MAX = 24;

const DEVICE = { driver: "custom.serial", timezone: "Europe/Rome" } as const;

describePrintedOnce("on a device of the third generation", {
  ...DEVICE,
  model: "gen3",
  first: SALE,
  documents: [
    { document: SALE, faults: [...LINE_FAULTS, DENIAL], frames: SALE_FRAMES },
    { document: STORNO, faults: LINE_FAULTS },
  ],
  ledger: { faults: LINE_FAULTS },
  paper: { document: SALE, cancelledAt: [7, 8, 9] },
  struckTwice: {
    document: SALE,
    frames: [7, 9, 11, 13, 15, 17, 19, 21],
    later: [15, 18, 21, 24],
  },
  cover: { document: SALE, at: 8 },
  refusedMarks: SALE,
});

/** No command tells it of a receipt's number but one: where that is refused, none is told. */
const BLIND_FAULTS = LINE_FAULTS.filter(({ kind }) => kind !== "refuse");

describePrintedOnce("on a device of the second generation", {
  ...DEVICE,
  model: "gen2",
  first: SALE,
  documents: [
    { document: SALE, faults: BLIND_FAULTS },
    { document: STORNO, faults: BLIND_FAULTS },
  ],
  more: (sweep) => {
    test("says of a deposit that nothing tells what became of it", async () => {
      const deposit = { type: "cash_in", payload: { amount: 5 }, stepMinor: 500 } as const;
      const { told, made } = await strikeEntry(sweep().device, deposit, [{ kind: "drop_after" }]);
      expect({ outcome: told.outcome, made }).toEqual({ outcome: "unknown", made: 1 });
    });
  },
});

for (const model of ["gen3", "gen2"]) {
  // Between closing and cut it is asked in vain, and once more behind the cut.
  describePrintedOnce(`on a device of model ${model} that tells of a receipt once it is cut off`, {
    ...{ ...DEVICE, model, isSlow: true, first: SALE },
    documents: [
      { document: SALE, faults: BLIND_FAULTS },
      { document: STORNO, faults: BLIND_FAULTS },
    ],
    more: (sweep) => {
      test("gives each receipt of a day a number of its own", async () => {
        const device = await SimulatedDevice.start({ ...DEVICE, model, isSlow: true });
        const told: (string | undefined)[] = [];
        for (const type of ["sale", "sale", "sale", "z", "sale", "sale"]) {
          const { success } = await device.run(type === "z" ? { type: "z_report" } : SALE);
          if (type === "sale") told.push(success?.fiscalId);
        }
        expect(told).toEqual(device.books().receipts.map(fiscalIdOf));
        await device.stop();
      });

      test("calls none not printed that it cannot cut off", async () => {
        for (let at = SALE_FRAMES - 5; at <= SALE_FRAMES; at += 1) {
          for (let later = 1; later <= CUT_FRAMES_MAX; later += 1) {
            const { device } = sweep();
            // Puts away what the one before has left.
            expect((await device.run(SALE)).outcome).toBe("printed");
            const { lastReceiptNumber: before } = device.state();
            const begun = async () => {
              await device.fault({ kind: "drop_after", at });
              await device.fault({ kind: "refuse", at: at + later });
            };
            // A refused read leaves it in doubt: it is asked again later.
            const told = await device.run({ ...SALE, begun }).catch(() => undefined);
            await device.clear();
            const isPrinted = device.books(before).receipts.length > 0;
            const isWrong = isPrinted && told?.outcome === "not_printed";
            expect({ at, later, isWrong }).toEqual({ at, later, isWrong: false });
          }
        }
      });
    },
  });
}

test.each(["gen3", "gen2"])(
  "on a device of model %s gives no receipt the day before, where others close that meanwhile",
  async (model) => {
    const device = await SimulatedDevice.start({ ...DEVICE, model });
    const ids = new Set<string | undefined>();
    for (let at = 1; at <= SALE_FRAMES + 1; at += 1) {
      // One receipt before it, so that it is the second one in either day.
      for (const first of [{ type: "z_report" }, SALE] as const) {
        expect((await device.run(first)).outcome).toBe("printed");
      }
      const { lastReceiptNumber: before } = device.state();
      const by = { kind: "other_hands", when: "before", at } as const;
      const begun = async () => {
        await device.fault({ ...by, deed: "z_report" });
        await device.fault({ ...by, deed: "ring_up", amountMinor: 777 });
      };
      const { success } = await device.run({ ...SALE, begun });
      await device.clear();
      const ours = device.books(before).receipts.filter(({ total }) => total === SALE.totalMinor);
      ids.add(success?.fiscalId);
      const own = ours.map(fiscalIdOf);
      if (success?.fiscalId) expect({ at, own }).toEqual({ at, own: [success.fiscalId] });
    }
    expect(ids.size).toBeGreaterThan(2);
    await device.stop();
  },
);

/** Sells, with the answer to a frame lost, and lets somebody else work before it is found out. */
async function sellBeside(
  device: SimulatedDevice,
  at: number,
  others: readonly RunOptions[],
): Promise<{ readonly outcome: string; readonly isMade: boolean }> {
  const command = { id: "cmd_1", type: SALE.type, payload: SALE.payload, original: undefined };
  const { length: before } = device.books().receipts;
  const progress = new RecordedProgress();
  const session = await device.connect();
  await device.fault({ kind: "drop_after", at });
  const lost = await session.execute(command, progress).catch((error: unknown) => error);
  session.close();
  expect(lost).toBeInstanceOf(DocumentInDoubt);
  const isMade = device.books().receipts.length > before;
  for (const other of others) expect((await device.run(other)).outcome).toBe("printed");
  const next = await device.connect();
  const { outcome } = await next.resolve(command, progress.evidence());
  next.close();
  return { outcome, isMade };
}

describe.each(["gen3", "gen2"])("on a device of model %s that dates to the minute", (model) => {
  test("never takes a sale and a Z report by others for a standstill", async () => {
    const told: string[] = [];
    for (let at = SALE_FRAMES - 6; at <= SALE_FRAMES; at += 1) {
      const device = await SimulatedDevice.start({ ...DEVICE, model });
      expect((await device.run(SALE)).outcome).toBe("printed");
      const minute = Math.floor(device.time.now() / 60_000);
      // The first of them puts away what stands there.
      const { outcome, isMade } = await sellBeside(device, at, [SALE, { type: "z_report" }, SALE]);
      expect(Math.floor(device.time.now() / 60_000)).toBe(minute);
      await device.stop();
      if (isMade) told.push(outcome);
    }
    expect(told).toContain("unknown");
    expect(told).not.toContain("not_printed");
  });
});

/** In the hour that shops' clocks show again when summer time ends. */
const SECOND_PASS = Date.UTC(2026, 9, 25, 1, 30, 5);

test("calls no deposit not made in the hour that comes twice because others took as much out", async () => {
  const device = await SimulatedDevice.start({ ...DEVICE, model: "gen3" });
  await device.time.run(device.time.sleep(SECOND_PASS - device.time.now()));
  const deposit = { type: "cash_in", payload: { amount: 10 } } as const;
  expect((await device.run(deposit)).outcome).toBe("printed");
  const before = device.books().cash;
  const progress = new RecordedProgress();
  const mark = progress.mark.bind(progress);
  progress.mark = async (...[reached, baseline]) => {
    await mark(reached, baseline);
    if (reached !== "committing") return;
    await device.fault({ kind: "drop_after", at: 1 });
    const byHand = { kind: "other_hands", deed: "cash", amountMinor: -1000 } as const;
    await device.fault({ ...byHand, at: 2, when: "before" });
  };
  const { outcome } = await device.run({ ...deposit, progress });
  expect(device.books().cash).toBe(before);
  await device.stop();
  expect(outcome).toBe("unknown");
});

for (const [model, paying, isBlind] of [
  ["gen3", 2, false],
  // Its cancelled documents leave no trace, and no device of the family counts lines.
  ["gen2", 6, true],
] as const) {
  describeOtherHands(`on a device of model ${model}`, {
    ...{ ...DEVICE, model, document: SALE, firstLineMinor: 825, paying, isBlind },
  });
}

describe.each(["gen3", "gen2"])("on a device of model %s", (model) => {
  test("makes no sale of a storno that somebody cancels before its first line", async () => {
    const device = await SimulatedDevice.start({ ...DEVICE, model });
    const { success } = await device.run(SALE);
    if (!success) throw new Error("the first receipt was not printed");
    const storno = STORNO.after(success);
    for (const when of ["before", "after"]) {
      for (let at = 1; at <= STORNO_FRAMES_MAX; at += 1) {
        const before = device.state().lastReceiptNumber;
        const fault = { kind: "other_hands", deed: "cancel", when, at };
        const told = await device.run({ ...storno, begun: () => device.fault(fault) });
        await device.clear();
        const made = device.books(before).receipts;
        const kinds = told.outcome === "printed" ? (["storno"] as const) : [];
        expect({ when, at, made: made.map(({ kind }) => kind) }).toEqual({
          when,
          at,
          made: [...kinds],
        });
      }
    }
    await device.stop();
  });
});

test("tells a receipt that somebody ended while it waited, and leaves him the next one", async () => {
  const device = await SimulatedDevice.start({ ...DEVICE, model: "gen3" });
  expect((await device.run(SALE)).outcome).toBe("printed");
  const told: boolean[] = [];
  for (let at = SALE_FRAMES - 6; at <= SALE_FRAMES; at += 1) {
    const { lastReceiptNumber: before } = device.state();
    const progress = new RecordedProgress();
    progress.whenPaused = async () => {
      await device.clear();
      await device.fault({ kind: "other_hands", deed: "open", amountMinor: 777 });
    };
    const begun = () => device.fault({ kind: "paper_out", mode: "refused", at });
    const { outcome, success, recovered } = await device.run({ ...SALE, progress, begun });
    await device.clear();
    if (progress.pauses.length === 0 || recovered) continue;
    const [ours] = device.books(before).receipts.map(fiscalIdOf);
    expect({ at, outcome, id: success?.fiscalId }).toEqual({ at, outcome: "printed", id: ours });
    told.push(device.state().openDocument !== null);
    await device.fault({ kind: "other_hands", deed: "cancel" });
  }
  await device.stop();
  expect(new Set(told)).toEqual(new Set([true]));
});

/** What an integrator has changed since: a tender, and how much a line may come to. */
const CHANGED = {
  id: "changed",
  extends: "custom-rt-gen3",
  tenders: { card: null },
  limits: { amountMinor: 600 },
};

test("finds out what became of a sale though its profile is another since", async () => {
  const profiles = ProfileSet.of([{ source: "changed.json", value: CHANGED }]);
  expect(profiles.find("changed")?.profile).toBeDefined();
  const device = await SimulatedDevice.start({ ...DEVICE, model: "gen3" });
  expect((await device.run(SALE)).outcome).toBe("printed");
  const payments = [
    { method: "cash", amount: 5 },
    { method: "card", amount: 4 },
  ];
  const payload = Object.assign({}, SALE.payload, { payments });
  const command = { id: "cmd_1", type: SALE.type, payload, original: undefined };
  const told = new Set<string>();
  for (let at = 1; at <= SALE_FRAMES; at += 1) {
    const { lastReceiptNumber: before } = device.state();
    const progress = new RecordedProgress();
    const session = await device.connect();
    await device.fault({ kind: "drop_before", at });
    const lost = await session.execute(command, progress).catch((error: unknown) => error);
    session.close();
    await device.clear();
    if (!(lost instanceof DocumentInDoubt)) continue;
    const environment = { ...device.environment(), profile: "changed" };
    const line = await device.openLine();
    const next = await device.time.run(customDriver(profiles).connect(line, environment));
    const keep = (learned: Baseline) => progress.keep(learned);
    const resolved = next.resolve(command, progress.evidence(), keep);
    const { outcome } = await device.time.run(resolved);
    next.close();
    const { receipts, openDocument } = device.books(before);
    const paid = receipts.flatMap(({ payments }) => payments.map(({ method }) => method));
    told.add(`${outcome}: ${paid.join() || "nothing"}, ${openDocument}`);
  }
  await device.stop();
  expect([...told].sort()).toEqual([
    "not_printed: nothing, null",
    "printed: cash,card, null",
    "printed: cash,cash, null",
  ]);
});

/** What the audit log says of a receipt that was put away. */
const PUT_AWAY = ["settlement", "items", "amountMinor", "paidMinor", "inCashMinor"];

describe.each(["gen3", "gen2"])("on a device of model %s", (model) => {
  test("leaves a receipt to whoever rings it up meanwhile, or notes that it was put away", async () => {
    const sweep = await Sweep.start({ ...DEVICE, model });
    const { device } = sweep;
    const { success } = await device.run(SALE);
    if (!success) throw new Error("the first receipt was not printed");
    for (const document of [SALE, STORNO.after(success)]) {
      const frames = await sweep.countFrames(document);
      for (let at = 1; at <= frames; at += 1) {
        device.noted.length = 0;
        const hands = { kind: "other_hands", deed: "open", amountMinor: 777, when: "before", at };
        const told = await device.run({ ...document, begun: () => device.fault(hands) });
        await device.clear();
        const isOpen = device.state().openDocument !== null;
        const isTold = isOpen || device.noted.length > 0;
        const label = { kind: document.kind, at, error: told.error?.message };
        // They get no receipt of their own any more behind the closing of ours.
        if (told.outcome !== "printed")
          expect({ ...label, isTold }).toEqual({ ...label, isTold: true });
        if (told.error?.code === "E301")
          expect({ ...label, isOpen }).toEqual({ ...label, isOpen: true });
        const names = device.noted.flatMap(({ details }) => Object.keys(details));
        expect(names.filter((name) => !PUT_AWAY.includes(name))).toEqual([]);
        await device.fault({ kind: "other_hands", deed: "cancel" });
      }
    }
    await sweep.stop();
  });
});

describe("on a device without answers", () => {
  let device: SimulatedDevice;
  beforeAll(async () => {
    device = await SimulatedDevice.start({
      ...DEVICE,
      model: "xonxoff",
      profile: "custom-xonxoff",
    });
  });
  afterAll(() => device.stop());

  test("claims of no receipt, cash movement or report that it was made", async () => {
    const payload = {
      items: [{ name: "Water", quantity: 2, price: 0.5, vatGroup: "VAT1" }],
      payments: [{ method: "cash", amount: 1 }],
    };
    for (const [type, sent] of [
      ["print_receipt", payload],
      ["cash_in", { amount: 1 }],
      ["z_report", {}],
    ] as const) {
      const told = await device.run({ type, payload: sent });
      expect({ type, outcome: told.outcome }).toEqual({ type, outcome: "unknown" });
    }
  });

  test("begins a receipt without the lines of one that broke off", async () => {
    const sale = (name: string): RunOptions => ({
      type: "print_receipt",
      payload: {
        items: [
          { name: "Coffee", quantity: 1, price: 2, vatGroup: "VAT1" },
          { name, quantity: 1, price: 1, vatGroup: "VAT1" },
        ],
        payments: [{ method: "cash", amount: 3 }],
      },
    });
    const { receipts: before } = device.books();
    const begun = () => device.fault({ kind: "drop_before", at: 3 });
    expect(await device.run({ ...sale("Water"), begun })).toMatchObject({ outcome: "unknown" });
    await device.run(sale("Bread"));
    const printed = device.books().receipts.slice(before.length);
    expect(printed.map(({ items }) => items.map(({ name }) => name))).toEqual([
      ["Coffee", "Bread"],
    ]);
  });
});
