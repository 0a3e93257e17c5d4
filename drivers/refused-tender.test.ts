/**
 * A sale that holds a part payment of ours when the line breaks, and whose next tender is refused:
 * for a state that ends, or for good. What the printer's books hold is what is told.
 */

import { afterEach, describe, expect, test } from "bun:test";
import type { Line } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import * as custom from "./custom-serial/frame.ts";
import * as isl from "./isl/frame.ts";
import { RecordedProgress } from "./testing/fake-environment.ts";
import { SimulatedDevice } from "./testing/simulated-device.ts";
import * as zfp from "./zfp/frame.ts";

/** A payment on its way to the device. */
interface PaymentFrame {
  readonly isCard: boolean;
  /** The same with a tender that the device does not know. */
  readonly spoilt: Uint8Array;
}

interface Kind {
  readonly driver: DriverId;
  readonly model: string;
  /** Reads what a host sends, frame by frame; undefined for a frame that is no payment. */
  reader(): (bytes: Uint8Array) => (PaymentFrame | undefined)[];
}

const KINDS: readonly Kind[] = [
  {
    ...{ driver: "vendorE.zfp", model: "v1" },
    reader: () => {
      const decoder = new zfp.RequestDecoder();
      return (bytes) =>
        decoder.push(bytes).flatMap((event) => {
          if (event.kind !== "request") return [];
          if (event.command !== 0x35) return [undefined];
          const text = Buffer.from(event.data).toString("latin1");
          const data = Buffer.from(text.replace(/^7;/, "77;"), "latin1");
          return [{ isCard: text.startsWith("7;"), spoilt: zfp.encodeRequest({ ...event, data }) }];
        });
    },
  },
  {
    ...{ driver: "vendorA.isl", model: "x" },
    reader: () => {
      const decoder = new isl.RequestDecoder("long");
      return (bytes) =>
        decoder.push(bytes).flatMap((event) => {
          if (event.kind !== "request") return [];
          if (event.command !== 53) return [undefined];
          const text = Buffer.from(event.data).toString("latin1");
          const data = Buffer.from(text.replace(/^1\t/, "9\t"), "latin1");
          const spoilt = isl.encodeRequest("long", { ...event, data });
          return [{ isCard: text.startsWith("1\t"), spoilt }];
        });
    },
  },
  {
    ...{ driver: "custom.serial", model: "gen3" },
    reader: () => {
      const decoder = new custom.FrameDecoder();
      return (bytes) =>
        decoder.push(bytes).flatMap((event) => {
          if (event.kind !== "frame") return [];
          if (!event.body.startsWith("3007")) return [undefined];
          const body = event.body.replace(/^30070300/, "30079900");
          const spoilt = custom.encodeFrame({ ...event, body });
          return [{ isCard: event.body.startsWith("30070300"), spoilt }];
        });
    },
  },
];

const SALE = {
  type: "print_receipt",
  payload: {
    uniqueSaleNumber: "ZK126720-0001-0000001",
    items: [{ name: "Coffee", quantity: 1, price: 10, vatGroup: "VAT2" }],
    payments: [
      { method: "cash", amount: 4 },
      { method: "card", amount: 6 },
    ],
  },
} as const;

let device: SimulatedDevice;
afterEach(() => device.stop());

/** Sees each frame on its way, and sends what `meet` makes of it. */
type Meet = (payment: PaymentFrame | undefined) => Uint8Array | undefined;

async function start({ driver, model, reader }: Kind, meet: Meet): Promise<void> {
  const over = (line: Line): Line => {
    const read = reader();
    return {
      write(bytes) {
        const others = read(bytes).map(meet);
        line.write(others.find((other) => other !== undefined) ?? bytes);
      },
      listen: (listener) => line.listen(listener),
      close: () => line.close(),
    };
  };
  device = await SimulatedDevice.start({ driver, model, timezone: "Europe/Sofia", over });
}

/** Frames behind the refusal at which the paper is loaded; later than all of them, when it is told. */
const LOADED_AT = [1, 2, 3, 4, 5, 6, 100];

describe.each(KINDS)("a part-paid sale on a device of $driver $model", (kind) => {
  test.each(LOADED_AT)(
    "waits for paper with the same tender, loaded %i frames later",
    async (at) => {
      const progress = new RecordedProgress();
      let payments = 0;
      let behind = 0;
      await start(kind, (payment) => {
        if (payment) payments += 1;
        else if (payments > 1) behind += 1;
        if (payment && payments === 1) void device.fault({ kind: "drop_after" });
        if (payment && payments === 2) void device.fault({ kind: "paper_out", at: 1 });
        if (behind === at) void device.clear();
        return undefined;
      });
      const told = await device.run({ ...SALE, progress }).catch(async (error: unknown) => {
        expect(error).toMatchObject({ code: "E306" });
        await device.clear();
        return device.resume({ ...SALE, progress });
      });
      expect(told).toMatchObject({ outcome: "printed", recovered: true });
      expect(told.success?.data).not.toHaveProperty("payments");
      expect(device.books().receipts.map(paid)).toEqual([["cash 400", "card 600"]]);
    },
  );

  test("is told with cash for a tender that the device refuses for good", async () => {
    const progress = new RecordedProgress();
    let payments = 0;
    await start(kind, (payment) => {
      if (payment && !payment.isCard) {
        payments += 1;
        // The answer to the cash is lost: only what was stored before it can tell.
        if (payments === 2) void device.fault({ kind: "drop_after" });
      }
      return payment?.isCard ? payment.spoilt : undefined;
    });
    const told = await device.run({ ...SALE, progress });
    expect(device.books().receipts.map(paid)).toEqual([["cash 400", "cash 600"]]);
    expect(told).toMatchObject({ outcome: "printed", success: { data: { totalAmount: 10 } } });
    expect(told.success?.data.payments).toEqual([
      { method: "cash", amount: 4 },
      { method: "cash", amount: 6 },
    ]);
    expect(device.noted).toMatchObject([
      { action: "receipt.put_away", details: { settlement: "finished", inCashMinor: 600 } },
    ]);
  });
});

/** Others annul ours, open one of theirs and may take the money for it. */
const REPLACED = [
  ["annul", "open"],
  ["annul", "open", "pay"],
  ["pay", "open"],
] as const;
const GEN2 = KINDS.filter(({ driver }) => driver === "custom.serial").map((kind) => ({
  ...kind,
  model: "gen2",
}));

describe.each([...KINDS, ...GEN2])("a part-paid sale on a device of $driver $model", (kind) => {
  test.each(REPLACED.map((deeds) => [deeds] as const))(
    "that others replace (%p) while it is stored that its rest is paid in cash",
    async (deeds) => {
      const progress = new RecordedProgress();
      const keep = progress.keep.bind(progress);
      progress.keep = async (learned) => {
        await keep(learned);
        if (!("inCashMinor" in learned)) return;
        const theirs = { kind: "other_hands", when: "before", amountMinor: 2_000 } as const;
        for (const deed of deeds) await device.fault({ ...theirs, deed });
      };
      let payments = 0;
      await start(kind, (payment) => {
        if (payment && !payment.isCard) {
          payments += 1;
          if (payments === 1) void device.fault({ kind: "drop_after" });
        }
        return payment?.isCard ? payment.spoilt : undefined;
      });
      const told = await device.run({ ...SALE, progress });
      expect(JSON.stringify(device.state().openDocument)).not.toContain('"amount":600');
      const theirs = device.books().receipts.filter(({ total }) => total === 2_000);
      expect(told.outcome).not.toBe("printed");
      expect(theirs.flatMap(paid)).not.toContain("cash 600");
    },
  );
});

function paid({ payments }: { payments: readonly { method: string; amount: number }[] }) {
  return payments.map(({ method, amount }) => `${method} ${amount}`);
}
