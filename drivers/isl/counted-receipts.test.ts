/**
 * Devices of short frames, some of which count a receipt in 113 when it opens and others when it
 * closes: no source tells which. The simulated ones do the first; here the second as well.
 */

import { afterEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import { type Baseline, IS_AWAITED, type Mark } from "#core/command/marks.ts";
import type { DriverCommand, DriverSession, Evidence, Line } from "#core/driver.ts";
import { DocumentInDoubt } from "#core/errors.ts";
import { EVERY_MODEL } from "../testing/every-model.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import type { ReplyFrame } from "./frame.ts";
import { changedReplies } from "./testing/changed-replies.ts";
import {
  countedWhenClosed,
  countingNoneCancelled,
  countingWhenClosed,
} from "./testing/counts-when-closed.ts";

const SHORT_MODELS = ["p", "c", "dy", "ed", "in"] as const;
const SALE = {
  type: "print_receipt",
  payload: {
    uniqueSaleNumber: "DT577430-0001-0000001",
    items: [
      { name: "Tea", quantity: 1, price: 5, vatGroup: "VAT2" },
      { name: "Bread", quantity: 1, price: 2, vatGroup: "VAT2" },
      { name: "Bag", quantity: 1, price: 1, vatGroup: "VAT2" },
    ],
    payments: [{ method: "cash", amount: 8 }],
  },
} as const;

let device: SimulatedDevice;
afterEach(() => device.stop());

async function start(model: string, over?: (line: Line) => Line): Promise<void> {
  const kind = EVERY_MODEL.find((found) => found.model === model);
  if (!kind) throw new RangeError(model);
  device = await SimulatedDevice.start({ ...kind, over });
}

function commandOf(type: CommandType, payload: unknown = {}): DriverCommand {
  return { id: "cmd_1", type, payload, original: undefined };
}

describe("a printer that is put in the place of another one", () => {
  const INFORMATION = 90;
  /** The printer that is there now. */
  let isSecond: boolean;
  let countsWhenClosed: boolean;

  /** Starts a device that is another one, and counts otherwise, once `isSecond` is set. */
  const startExchanged = (first: { countsWhenClosed: boolean; serial: readonly string[] }) => {
    isSecond = false;
    const [ours = "", theirs = ""] = first.serial;
    const change = (reply: ReplyFrame) => {
      if (reply.command === INFORMATION && isSecond) {
        const text = Buffer.from(reply.data).toString("latin1");
        return { ...reply, data: Buffer.from(text.replace(ours, theirs), "latin1") };
      }
      return countsWhenClosed === isSecond ? reply : countedWhenClosed(reply);
    };
    countsWhenClosed = first.countsWhenClosed;
    return start("p", changedReplies({ generation: "short", change }));
  };
  const sell = async () => (await device.run(SALE)).error?.code ?? "printed";

  test.each([[true], [false]])(
    "is not taken to count as that one did, when it closes: %p",
    async (whenClosed) => {
      await startExchanged({ countsWhenClosed: whenClosed, serial: ["DT518315", "DT518316"] });
      expect(await sell()).toBe("printed");
      isSecond = true;
      expect([await sell(), await sell()]).toEqual(["printed", "printed"]);
      expect(device.books().receipts).toHaveLength(3);
    },
  );

  test("is found out to count otherwise where it has the other one's number", async () => {
    await startExchanged({ countsWhenClosed: true, serial: ["", ""] });
    expect(await sell()).toBe("printed");
    isSecond = true;
    expect([await sell(), await sell()]).toEqual(["E305", "printed"]);
  });
});

/** More than a sale takes here. */
const FRAMES_MAX = 16;

/** What a gateway finds again that was killed before it had stored more than was waited for. */
class KilledProgress extends RecordedProgress {
  stored: Evidence | undefined;

  override async mark(mark: Mark, baseline?: Baseline): Promise<void> {
    await super.mark(mark, baseline);
    if (IS_AWAITED[mark]) this.stored = { mark, mayBeFurther: true, baseline: this.baseline };
  }
}

/** A sale whose line breaks, and what a person does at the device meanwhile. */
class BrokenSale {
  readonly #command = commandOf(SALE.type, SALE.payload);
  readonly #progress = new KilledProgress();

  /**
   * @param at the frame at which the line is lost, from the first one of the sale on
   * @returns whether it is in doubt
   */
  async breakOff(at: number): Promise<boolean> {
    const session = await device.connect();
    await device.fault({ kind: "drop_before", at });
    const ended = await session.execute(this.#command, this.#progress).catch((error) => error);
    session.close();
    await device.clear();
    return ended instanceof DocumentInDoubt;
  }

  get mark(): string | undefined {
    return this.#progress.marks.at(-1);
  }

  /** What the gateway had stored before the device told more of itself. */
  forgetWhileOpen(): void {
    this.#progress.baseline = { ...this.#progress.baseline, whileOpen: null };
  }

  /** @returns the same of a gateway that was killed: what it waits for is stored, and no more */
  async findOutAfterKill(): Promise<string> {
    const { stored } = this.#progress;
    if (!stored) throw new RangeError("no mark is stored");
    return this.#findOut(stored);
  }

  /**
   * @param isKilled the gateway was killed before it had stored more than the baseline
   * @param lostBehind the frame behind which the line is lost, from the first one of this on
   * @returns what became of it; `lost` when the line is lost meanwhile
   */
  findOut({ isKilled = false, lostBehind = 0 } = {}): Promise<string> {
    const stored = this.#progress.evidence();
    const evidence = isKilled ? { ...stored, mark: "baseline", mayBeFurther: true } : stored;
    return this.#findOut(evidence as Evidence, lostBehind);
  }

  async #findOut(evidence: Evidence, lostBehind = 0): Promise<string> {
    const session = await device.connect();
    if (lostBehind > 0) await device.fault({ kind: "drop_after", at: lostBehind });
    const found = await session
      .resolve(this.#command, evidence, (learned) => this.#progress.keep(learned))
      .catch(() => ({ outcome: "lost" }));
    session.close();
    return found.outcome;
  }
}

async function raw(session: DriverSession, command: number, data = ""): Promise<void> {
  const payload = { command, data };
  await session.execute(commandOf("raw_command", payload), new RecordedProgress());
}

/** Finishes what is open by hand, and rings up the next one, of one line. */
async function serveNext(amountMinor: number): Promise<void> {
  const keys = await device.connect();
  await raw(keys, 53, "\t");
  await raw(keys, 56);
  await device.fault({ kind: "other_hands", deed: "open", amountMinor });
  await raw(keys, 74);
  keys.close();
}

/** What the gateway has of the first sale after a start once its line is lost. */
const STORED = [
  { what: "all", isSeen: true, isKilled: false },
  { what: "all but when the device counts", isSeen: false, isKilled: false },
  { what: "the baseline alone", isSeen: false, isKilled: true },
] as const;

describe.each(SHORT_MODELS)("a receipt that a person rings up on a device of %s", (model) => {
  test.each(STORED)(
    "is not taken for a sale that he has finished by hand, of which $what is stored",
    async ({ isSeen, isKilled }) => {
      await start(model, countingWhenClosed);
      const marks = new Set<string | undefined>();
      for (let at = 1; at <= FRAMES_MAX; at += 1) {
        device.forget();
        const { length: before } = device.books().receipts;
        const sale = new BrokenSale();
        if (!(await sale.breakOff(at))) continue;
        marks.add(sale.mark);
        // Where no number tells them apart, one that begins as ours does is put away like ours.
        await serveNext(isSeen ? 500 : 333);
        if (device.books().receipts.length === before || sale.mark === "committed") continue;
        if (!isSeen) sale.forgetWhileOpen();
        const { openDocument } = device.books();
        const outcome = await sale.findOut({ isKilled });
        expect({ at, outcome }).toEqual({ at, outcome: "unknown" });
        // With the baseline alone, whatever stands open is put away.
        if (!isKilled) expect(device.books().openDocument).toEqual(openDocument);
        await device.fault({ kind: "other_hands", deed: "cancel" });
      }
      expect([...marks]).toContain("committing");
    },
  );
});

/** How a device of short frames may count. */
const COUNTINGS = [
  { how: "as it opens them", over: () => undefined },
  { how: "as it closes them", over: () => countingWhenClosed },
  { how: "as it closes them, and none that is cancelled", over: countingNoneCancelled },
] as const;

/** Breaks the first sale after a start off at each frame, and does something behind each. */
async function atEachFrame(then: (sale: BrokenSale, at: number) => Promise<unknown>) {
  for (let at = 1; at <= FRAMES_MAX; at += 1) {
    device.forget();
    const sale = new BrokenSale();
    if ((await sale.breakOff(at)) && sale.mark !== "committed") await then(sale, at);
    await device.fault({ kind: "other_hands", deed: "cancel" });
  }
}

describe.each(SHORT_MODELS)("a sale on a device of %s", (model) => {
  test.each([
    {
      what: "what was waited for",
      isSeen: true,
      find: (sale: BrokenSale) => sale.findOutAfterKill(),
    },
    ...[false, true].map((isKilled) => ({
      what: isKilled ? "the baseline alone" : "all but when the device counts",
      isSeen: false,
      find: (sale: BrokenSale) => sale.findOut({ isKilled }),
    })),
  ])(
    "that a person has finished is not ruled out by his next one, which begins alike: stored is $what",
    async ({ isSeen, find }) => {
      await start(model, countingNoneCancelled());
      const outcomes = new Set<string>();
      await atEachFrame(async (sale) => {
        const { length: before } = device.books().receipts;
        await serveNext(500);
        const finished = device.books().receipts.slice(before);
        if (!isSeen) sale.forgetWhileOpen();
        const outcome = await find(sale);
        if (finished.some(({ total }) => total > 0)) outcomes.add(outcome);
      });
      expect([...outcomes]).toEqual(["unknown"]);
    },
  );

  test.each(COUNTINGS)(
    "that a kill breaks off before it is paid is not printed, where receipts are counted $how",
    async ({ over }) => {
      await start(model, over());
      const marks = new Set<string | undefined>();
      await atEachFrame(async (sale, at) => {
        const { openDocument, receipts } = device.books();
        // What was paid is another matter.
        if (receipts.length > 0 || (openDocument as { paid: number } | null)?.paid) return;
        marks.add(sale.mark);
        const outcome = await sale.findOutAfterKill();
        expect({ at, outcome }).toEqual({ at, outcome: "not_printed" });
        expect(device.books().receipts).toEqual([]);
      });
      expect([...marks]).toEqual(["baseline", "opened", "committing"]);
    },
  );
});

/** A sale of which the baseline is stored, that a person has finished by hand; the next one is open. */
async function finishedByHand(): Promise<BrokenSale> {
  const { length: before } = device.books().receipts;
  for (let at = 1; at <= FRAMES_MAX; at += 1) {
    device.forget();
    const sale = new BrokenSale();
    if (!(await sale.breakOff(at))) continue;
    await serveNext(333);
    if (device.books().receipts.length > before) return sale;
    await device.fault({ kind: "other_hands", deed: "cancel" });
  }
  throw new RangeError("no sale has come so far that it could be finished");
}

test.each(SHORT_MODELS)(
  "a line to a device of %s that is lost as the receipt behind ours is put away does not tell that ours was none",
  async (model) => {
    await start(model, countingNoneCancelled());
    const outcomes: string[] = [];
    for (let lostBehind = 1; !outcomes.includes("unknown"); lostBehind += 1) {
      const sale = await finishedByHand();
      sale.forgetWhileOpen();
      const outcome = await sale.findOut({ isKilled: true, lostBehind });
      await device.clear();
      if (outcome === "lost") expect(await sale.findOut({ isKilled: true })).toBe("unknown");
      outcomes.push(outcome);
    }
    expect(outcomes.slice(0, -1)).toContain("lost");
  },
);

describe.each(SHORT_MODELS)("a receipt that is cancelled on a device of %s", (model) => {
  test.each([
    ["none, where that is another's", countingWhenClosed, null],
    ["its own, where the device counts it as it opens", undefined, "2"],
  ] as const)("is told with a number: %s", async (_, over, receiptNumber) => {
    await start(model, over);
    const told: unknown[] = [];
    const voidForeign = async () => {
      await device.fault({ kind: "other_hands", deed: "open", amountMinor: 500 });
      await device.run({ type: "get_status" });
      told.push((await device.run({ type: "void_open_receipt" })).success?.data);
    };
    expect((await device.run(SALE)).success?.fiscalId).toBe("1");
    await voidForeign();
    await device.fault({ kind: "other_hands", deed: "open", amountMinor: 500 });
    expect((await device.run(SALE)).outcome).toBe("printed");
    const number = receiptNumber === null ? undefined : 3;
    expect(device.noted.map(({ details }) => details.number)).toEqual([number]);
    // Nothing is known of it after a start.
    device.forget();
    await voidForeign();
    expect(told).toEqual([{ receiptNumber }, { receiptNumber: null }]);
  });
});
