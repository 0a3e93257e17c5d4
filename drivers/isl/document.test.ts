/**
 * The document flow against a device that can lose its memory of the last frame while the line
 * stays up, as over a serial line: the one thing that makes repeating a frame dangerous.
 */

import { beforeEach, describe, expect, test } from "bun:test";
import type { SaleDocument } from "#core/receipt.ts";
import { isVatGroup } from "#core/vat.ts";
import { FrameNumbers } from "../shared/frame-numbers.ts";
import { FakeEnvironment, RecordedProgress } from "../testing/fake-environment.ts";
import { type MemoryLine, memoryLinePair } from "../transport/memory.ts";
import { IslDevice } from "./device.ts";
import { x } from "./dialects/x.ts";
import { printDocument } from "./document.ts";
import { encodeReply, RequestDecoder, type RequestFrame, SEQUENCE } from "./frame.ts";
import { planDocument } from "./plan.ts";
import { IslSession } from "./session.ts";

type Mishap =
  /** Carries the frame out, does not answer, and forgets that it ever came. */
  | "forget"
  /** Carries the frame out and does not answer. */
  | "mute"
  /** Says that nothing was wrong, and no more. */
  | "bare"
  /** The same without carrying the frame out. */
  | "idle"
  /** Refuses the frame with this error number. */
  | number;

/** A device that holds one receipt and little else. */
class SmallDevice {
  readonly commands: number[] = [];
  number = 26;
  open = false;
  items = 0;
  amountMinor = 0;
  paidMinor = 0;
  status = "80808080869a8080";
  /** What others do behind a command. */
  after: (command: number) => void = () => {};
  /** What happens at the n-th frame that is carried out, from 1. */
  mishaps = new Map<number, Mishap>();
  readonly #line: MemoryLine;
  #lastSeq: number | undefined;
  #lastAnswer = "";
  #frames = 0;

  constructor(line: MemoryLine) {
    this.#line = line;
    const decoder = new RequestDecoder("long");
    line.listen({
      data: (chunk) => {
        for (const event of decoder.push(chunk)) if (event.kind === "request") this.#take(event);
      },
      closed() {},
    });
  }

  #take(frame: RequestFrame): void {
    if (frame.seq === this.#lastSeq) {
      this.#answer(frame, this.#lastAnswer);
      return;
    }
    this.#frames += 1;
    this.commands.push(frame.command);
    const mishap = this.mishaps.get(this.#frames);
    const answer = this.#answerTo(frame, mishap);
    this.#lastSeq = mishap === "forget" ? undefined : frame.seq;
    this.#lastAnswer = answer;
    this.after(frame.command);
    if (mishap !== "forget" && mishap !== "mute") this.#answer(frame, answer);
  }

  #answerTo(frame: RequestFrame, mishap: Mishap | undefined): string {
    if (typeof mishap === "number") return `${mishap}\t`;
    if (mishap === "idle") return "0\t";
    const answer = this.#execute(frame);
    return mishap === "bare" ? "0\t" : answer;
  }

  #execute({ command, data }: RequestFrame): string {
    const fields = Buffer.from(data).toString("latin1").split("\t");
    switch (command) {
      case 74:
        return "0\t";
      case 76:
        return this.#currentReceipt();
      case 48:
        if (this.open) return "-111047\t";
        Object.assign(this, { open: true, items: 0, amountMinor: 0, paidMinor: 0 });
        this.number += 1;
        return `0\t${this.number}\t`;
      case 49:
        this.items += 1;
        this.amountMinor += Math.round(Number(fields[2]) * 100 * Number(fields[3]));
        return `0\t${this.number}\t`;
      case 53:
        this.paidMinor += Math.round(Number(fields[1]) * 100);
        return this.#rest();
      case 56:
        if (!this.open) return "-111016\t";
        if (this.paidMinor < this.amountMinor) return "-111003\t";
        this.open = false;
        return `0\t${this.number}\t`;
      case 60:
        if (!this.open || this.paidMinor > 0) return "-111018\t";
        this.open = false;
        return "0\t";
      default:
        return "-112000\t";
    }
  }

  #rest(): string {
    const rest = (this.amountMinor - this.paidMinor) / 100;
    return rest < 0 ? `0\tR\t${(-rest).toFixed(2)}\t` : `0\tD\t${rest.toFixed(2)}\t`;
  }

  #currentReceipt(): string {
    const amounts = [this.amountMinor, this.paidMinor].map((minor) => (minor / 100).toFixed(2));
    return ["0", this.open ? 1 : 0, this.number, this.items, ...amounts, ""].join("\t");
  }

  #answer({ seq, command }: RequestFrame, text: string): void {
    const status = Uint8Array.from(Buffer.from(this.status, "hex"));
    this.#line.write(encodeReply("long", { seq, command, data: Buffer.from(text), status }));
  }
}

function item(name: string, priceMinor: number) {
  const vatGroup = "VAT2";
  if (!isVatGroup(vatGroup)) throw new RangeError(vatGroup);
  return {
    name,
    quantityMilli: 1000,
    priceMinor,
    vatGroup,
    department: undefined,
    unit: undefined,
  };
}

const SALE: SaleDocument = {
  kind: "sale",
  items: [item("Coffee", 300), item("Water", 100), item("Bread", 200)],
  modifiers: [],
  payments: [
    { method: "card", amountMinor: 250 },
    { method: "cash", amountMinor: 350 },
  ],
  customerCif: undefined,
  uniqueSaleNumber: "DT577430-0001-0000001",
  operatorId: undefined,
  operatorPassword: undefined,
};
const PLAN = planDocument(SALE, {
  dialect: x,
  timezone: "Europe/Sofia",
  model: "FP-700X",
  lineWidth: 46,
  nameWidth: 72,
  vatRates: [],
});

/** Commands of the sale when nothing goes wrong. */
const ONCE = [76, 48, 49, 49, 49, 76, 53, 76, 53, 56];

describe("a document", () => {
  let environment: FakeEnvironment;
  let small: SmallDevice;
  let device: IslDevice;
  let progress: RecordedProgress;

  beforeEach(async () => {
    environment = new FakeEnvironment();
    const [host, end] = memoryLinePair();
    small = new SmallDevice(end);
    const numbers = new FrameNumbers(environment, SEQUENCE);
    const session = new IslSession(host, { generation: "long", numbers, environment });
    const info = {
      serialNumber: null,
      firmwareVersion: null,
      fiscalMemorySerialNumber: null,
      manufacturer: null,
      model: null,
    };
    device = new IslDevice(session, x, { environment, info });
    // As when it was connected: its Z number was read.
    await device.kept.refreshBehind(String(small.number), () => Promise.resolve());
    progress = new RecordedProgress(2_000);
  });

  /** Prints, letting as much time pass as it takes. */
  async function print(plan = PLAN) {
    const outcome: { number?: number; error?: { name?: string; code?: string } } = {};
    const done = printDocument(device, plan, progress).then(
      ({ number }) => Object.assign(outcome, { number }),
      (error) => Object.assign(outcome, { error }),
    );
    for (let step = 0; step < 200 && Object.keys(outcome).length === 0; step += 1) {
      await environment.advance(100);
    }
    await done;
    return outcome;
  }

  test("takes one read before it, one before each payment, and no frame more than it has parts", async () => {
    expect(await print()).toEqual({ number: 27 });
    expect(small.commands).toEqual(ONCE);
    expect(progress.marks).toEqual(["baseline", "opened", "committing", "committed"]);
    expect(progress.baseline).toEqual({
      number: 26,
      ownNumber: 27,
      whileOpen: null,
      zNumber: null,
    });
  });

  test("whose line was lost on the way back is printed once, and verified before it is paid", async () => {
    small.mishaps.set(4, "mute");
    expect(await print()).toEqual({ number: 27 });
    expect(small.commands).toEqual(ONCE);
    expect(small.items).toBe(3);
  });

  test("of which a forgetful device took a line twice is cancelled, not paid", async () => {
    small.mishaps.set(4, "forget");
    const { error } = await print();
    expect(error).toMatchObject({ name: "FiscalError", code: "E305" });
    expect({ open: small.open, items: small.items, paid: small.paidMinor }).toEqual({
      open: false,
      items: 4,
      paid: 0,
    });
    expect(progress.marks).toEqual(["baseline", "opened", "committing"]);
  });

  test("whose opening a forgetful device took twice is cancelled", async () => {
    small.mishaps.set(2, "forget");
    const { error } = await print();
    expect(error).toMatchObject({ name: "FiscalError", code: "E301" });
    expect(small.open).toBe(false);
  });

  for (const [what, at] of [
    ["part payment", 7],
    ["last payment", 9],
    ["closing", 10],
  ] as const) {
    test(`never sends a ${what} again after silence: the device is asked`, async () => {
      small.mishaps.set(at, "forget");
      expect(await print()).toEqual({ number: 27 });
      expect(small.commands).toEqual(ONCE.toSpliced(at, 0, 76));
      expect({ open: small.open, paid: small.paidMinor }).toEqual({ open: false, paid: 600 });
    });
  }

  test("is in doubt when another receipt stands in its place behind a payment", async () => {
    small.mishaps.set(7, "mute");
    small.after = (command) => {
      // Another host finishes ours, and opens one that begins alike.
      if (command === 53) Object.assign(small, { number: 28, paidMinor: 0 });
    };
    const { error } = await print();
    expect(error?.name).toBe("DocumentInDoubt");
    expect(small.commands.filter((command) => command === 53)).toHaveLength(1);
  });

  test("is in doubt when the last payment gives change: it is worth less than was sent", async () => {
    let looks = 0;
    small.after = (command) => {
      if (command === 76) looks += 1;
      // Somebody takes a discount off, between the last look and the payment behind it.
      if (command === 76 && looks === 3) small.amountMinor -= 100;
    };
    const { error } = await print();
    expect(error).toMatchObject({ name: "DocumentInDoubt", cause: { code: "E305" } });
    expect(progress.marks).toEqual(["baseline", "opened", "committing"]);
    expect(small.commands.slice(-1)).toEqual([53]);
  });

  for (const at of [3, 4, 5, 7]) {
    test(`that is refused at frame ${at} is cancelled and told with the device's reason`, async () => {
      small.mishaps.set(at, -111_005);
      const { error } = await print();
      expect(error).toMatchObject({ code: "E305", device: { code: "-111005" } });
      expect({ open: small.open, paid: small.paidMinor }).toEqual({ open: false, paid: 0 });
    });
  }

  test("of which a line cannot even be sent is in doubt, because it stands open", async () => {
    const [first, second, last] = PLAN.lines;
    if (!first || !second || !last) throw new RangeError("the sale has three lines");
    const tooLong = { ...second, values: { ...second.values, name: "x".repeat(1_000) } };
    const { error } = await print({ ...PLAN, lines: [first, tooLong, last] });
    expect(error?.name).toBe("DocumentInDoubt");
    expect(small.open).toBe(true);
  });

  test("that is refused after a part was paid is in doubt: it can only be finished", async () => {
    small.mishaps.set(9, -111_061);
    expect((await print()).error?.name).toBe("DocumentInDoubt");
    expect(small.open).toBe(true);
  });

  test("is in doubt when the pinpad does not know whether the card was charged", async () => {
    small.mishaps.set(7, -111_560);
    expect((await print()).error?.name).toBe("DocumentInDoubt");
  });

  for (const [mark, left] of [
    ["baseline", [76]],
    ["opened", [76, 48, 76, 60, 76]],
    ["committing", [76, 48, 49, 49, 49, 76, 60, 76]],
  ] as const) {
    test(`that may not go on at ${mark} leaves the device as it was`, async () => {
      progress.refuseAt = mark;
      const { error } = await print();
      expect(String(error)).toContain(`may not go on at ${mark}`);
      expect(small.commands).toEqual([...left]);
      expect(small.open).toBe(false);
    });
  }

  test("waits for paper, says so, and goes on where it stood", async () => {
    small.mishaps.set(4, -112_006);
    expect(await print()).toEqual({ number: 27 });
    expect(progress.pauses).toEqual(["paper_out", undefined]);
    expect(small.commands).toEqual(ONCE.toSpliced(4, 0, 74, 76, 49));
    expect(small.items).toBe(3);
  });

  test("gives up when the cover stays open, and is cancelled", async () => {
    small.mishaps.set(4, -112_007);
    progress.paused = (reason) => {
      progress.pauses.push(reason);
      small.status = reason === undefined ? small.status : "c0808080869a8080";
    };
    const { error } = await print();
    expect(error).toMatchObject({ code: "E307" });
    expect(progress.pauses).toEqual(["cover_open", undefined]);
    expect(small.open).toBe(false);
  });

  for (const [status, code] of [
    ["80808180869a8080", "E306"],
    ["c0808080869a8080", "E307"],
    ["80808080969a8080", "E300"],
    ["84808080869a8080", "E305"],
  ] as const) {
    test(`does not begin on a device of status ${status}: ${code}`, async () => {
      small.status = status;
      expect((await print()).error).toMatchObject({ code });
      expect(small.commands).toEqual([76]);
      expect(progress.marks).toEqual([]);
    });
  }

  test("cancels a receipt found open first, and says so in the audit log", async () => {
    Object.assign(small, { open: true, items: 2, amountMinor: 500 });
    expect(await print()).toEqual({ number: 27 });
    expect(small.commands.slice(0, 5)).toEqual([76, 76, 60, 76, 48]);
    expect(environment.noted).toEqual([
      {
        action: "receipt.put_away",
        details: expect.objectContaining({ settlement: "cancelled", items: 2 }),
      },
    ]);
  });

  test("finishes a receipt found open that holds a payment, because it cannot be cancelled", async () => {
    Object.assign(small, { open: true, items: 2, amountMinor: 500, paidMinor: 200 });
    expect(await print()).toEqual({ number: 27 });
    expect(small.commands.slice(0, 6)).toEqual([76, 76, 53, 56, 76, 48]);
  });

  test.each([
    ["bare", [76, 76, 56, 76, 76, 48]],
    ["idle", [76, 76, 56, 76, 76, 56, 76, 48]],
  ] as const)("finishes a receipt found open once, its closing %s", async (mishap, commands) => {
    Object.assign(small, { open: true, items: 2, amountMinor: 500, paidMinor: 500 });
    small.mishaps.set(3, mishap);
    expect(await print()).toEqual({ number: 27 });
    expect(small.commands.slice(0, commands.length)).toEqual([...commands]);
    expect(environment.noted).toMatchObject([{ details: { settlement: "finished", items: 2 } }]);
  });
});
