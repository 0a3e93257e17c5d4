/** Others work at the device between our last look at it and the frame that we send by it. */

import { describe, expect, test } from "bun:test";
import type { Line } from "#core/driver.ts";
import { DocumentInDoubt } from "#core/errors.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { sampleSale } from "../testing/sample-documents.ts";
import { SimulatedDevice, type SimulatedReceipt } from "../testing/simulated-device.ts";
import { ACK, bareReply, frameReply, HostDecoder } from "./simulator/wire.ts";

const SALE = sampleSale({ vatGroups: ["VAT2", "VAT2"], hasDiscount: false });
const COMMAND = { id: "cmd_1", type: SALE.type, payload: SALE.payload, original: undefined };
const DEVICE = { driver: "custom.serial", timezone: "Europe/Rome" } as const;
const THEIRS = { kind: "other_hands", when: "before", amountMinor: 777 } as const;

/** Of those that register a line: `opened` is stored by then, and no payment. */
const LINE_FRAME = 9;
/** Frames of finding it out: behind connecting, and a few more than it takes. */
const [FINDING_OUT, FINDING_OUT_MAX] = [13, 22];

test("a sale that others finish right before it is cancelled is not told as not printed by a number", async () => {
  const told = new Set<string>();
  for (let at = FINDING_OUT; at <= FINDING_OUT_MAX; at += 1) {
    const device = await SimulatedDevice.start({ ...DEVICE, model: "gen2" });
    expect((await device.run(SALE)).outcome).toBe("printed");
    const progress = new RecordedProgress();
    const session = await device.connect();
    await device.fault({ kind: "drop_after", at: LINE_FRAME });
    const lost = await session.execute(COMMAND, progress).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(DocumentInDoubt);
    session.close();
    await device.clear();
    for (const deed of ["pay", "open"]) await device.fault({ ...THEIRS, deed, at });
    const { outcome } = await device.resume({ ...SALE, progress });
    const { receipts } = device.books(1);
    told.add(`${outcome}, ${receipts.length} on paper`);
    await device.stop();
  }
  expect([...told].sort()).toEqual(["not_printed, 0 on paper", "unknown, 1 on paper"]);
});

const PAYMENT = "3007";
const CLOSING = "3011";
const CANCEL = "33018";
/** How a device refuses that is busy with something else. */
const BUSY = "ERR75";

/** A device is busy as it is given a frame, because others work at it. */
interface Busy {
  readonly model: string;
  readonly frame: string;
  /** Which frame of the kind it is, over all lines. */
  readonly nth: number;
  readonly deeds: readonly string[];
}

/** With what they have done as it was. */
async function startBusy({ model, frame, nth, deeds }: Busy) {
  const hands: string[] = [];
  let given = 0;
  let isArmed = false;
  const over = (line: Line): Line => {
    const decoder = new HostDecoder();
    let hear: (bytes: Uint8Array) => void = () => {};
    let refusal: Uint8Array | undefined;
    return {
      write(bytes) {
        for (const event of decoder.push(bytes)) {
          const told = refusal;
          if (event.kind === "confirmed" && told) {
            refusal = undefined;
            return queueMicrotask(() => hear(told));
          }
          if (event.kind !== "command" || !event.command.startsWith(frame) || !isArmed) continue;
          given += 1;
          if (given !== nth) continue;
          for (const deed of deeds) {
            hands.push(deed);
            void device.fault({ ...THEIRS, deed });
          }
          refusal = model === "gen2" ? bareReply(BUSY) : frameReply(event.counter, BUSY);
          return queueMicrotask(() => hear(Uint8Array.of(ACK)));
        }
        line.write(bytes);
      },
      close: () => line.close(),
      listen(listener) {
        hear = (bytes) => listener.data(bytes);
        line.listen(listener);
      },
    };
  };
  const device = await SimulatedDevice.start({ ...DEVICE, model, over });
  expect((await device.run(SALE)).outcome).toBe("printed");
  isArmed = true;
  return { device, hands };
}

function isTheirs({ items }: SimulatedReceipt): boolean {
  return items.some(({ name }) => name.trim() === "Foreign");
}

/** At the first of these it is paid for the first time; with its answer lost, the rest is paid later. */
const PAYING_FRAMES = [14, 15, 16, 17, 18];

describe.each(["gen3", "gen2"])(
  "on a device of model %s that is busy because of others",
  (model) => {
    test.each([1, 2])("payment %i is not given again into theirs", async (nth) => {
      for (const at of [undefined, ...PAYING_FRAMES]) {
        const { device, hands } = await startBusy({
          ...{ model, frame: PAYMENT, nth },
          deeds: ["annul", "open"],
        });
        const begun = async () => {
          if (at !== undefined) await device.fault({ kind: "drop_after", at });
        };
        const { outcome } = await device.run({ ...SALE, begun });
        const { receipts } = device.books(1);
        await device.stop();
        const label = { at, hands: hands.length, outcome };
        const theirs = receipts.filter(isTheirs).length;
        expect({ ...label, theirs }).toEqual({ ...label, hands: 2, theirs: 0 });
      }
    });

    test("the closing is not given again into theirs, nor theirs told for ours", async () => {
      const { device, hands } = await startBusy({
        ...{ model, frame: CLOSING, nth: 1 },
        deeds: ["annul", "open", "pay"],
      });
      const { outcome } = await device.run(SALE);
      const isOurs = device.books(1).receipts.some((receipt) => !isTheirs(receipt));
      await device.stop();
      expect({ outcome, isOurs, hands: hands.length }).toEqual({
        ...{ outcome: "unknown", isOurs: false, hands: 3 },
      });
    });

    test("theirs is not voided in the place of the one that was open", async () => {
      const { device } = await startBusy({
        ...{ model, frame: CANCEL, nth: 1 },
        deeds: ["finish", "open"],
      });
      await device.fault({ ...THEIRS, deed: "open", amountMinor: 500 });
      const { outcome, error } = await device.run({ type: "void_open_receipt" });
      const { openDocument, receipts } = device.books(1);
      await device.stop();
      expect({ outcome, code: error?.code, finished: receipts.map(({ total }) => total) }).toEqual({
        ...{ outcome: "not_printed", code: "E305", finished: [500, 777] },
      });
      expect(openDocument).not.toBeNull();
    });

    test("ours is paid, closed and told", async () => {
      for (const frame of [PAYMENT, CLOSING]) {
        const { device } = await startBusy({ model, frame, nth: 1, deeds: [] });
        const { outcome, recovered } = await device.run(SALE);
        const { receipts } = device.books(1);
        await device.stop();
        expect({ frame, outcome, recovered, totals: receipts.map(({ total }) => total) }).toEqual({
          ...{ frame, outcome: "printed", recovered: false, totals: [SALE.totalMinor] },
        });
      }
    });
  },
);
