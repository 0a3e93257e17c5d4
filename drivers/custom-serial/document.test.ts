/** Documents on a device that is played by a table of answers, for what no simulator does. */

import { describe, expect, test } from "bun:test";
import { toSaleDocument } from "#core/command/types/print-receipt.ts";
import { DocumentInDoubt } from "#core/errors.ts";
import { FakeEnvironment, RecordedProgress } from "../testing/fake-environment.ts";
import { memoryLinePair } from "../transport/memory.ts";
import { moveCash } from "./cash.ts";
import type { Profile } from "./compile-profile.ts";
import { CustomDevice } from "./device.ts";
import { printDocument } from "./document.ts";
import { ACK, encodeFrame, FrameDecoder } from "./frame.ts";
import { planDocument } from "./plan.ts";
import { ProfileSet } from "./profile-set.ts";
import { putAwayOpenReceipt } from "./put-away.ts";
import { readLastDocument } from "./receipts.ts";
import { CustomSession } from "./session.ts";

/** What the device says now, by the first four digits of the question; more than one in turn. */
type Answers = Record<string, string | string[]>;

/** A device that stands idle. */
const IDLE = {
  "1016": "1016000",
  "1012": "10120",
  "1209": "1209000000",
  "1010": "101000000010000",
  "1017": "101715032412050006000000900100",
  "1104": "110400030001",
} as const satisfies Answers;

function profileOf(over: object = {}): Profile {
  const value = { id: "test", extends: "custom-rt-gen3", ...over };
  const profile = ProfileSet.of([{ source: "test", value }]).find("test")?.profile;
  if (!profile) throw new Error("the profile is faulty");
  return profile;
}

function setUp(answers: Answers, profile = profileOf()) {
  const [host, wire] = memoryLinePair();
  const environment = new FakeEnvironment();
  const asked: string[] = [];
  const decoder = new FrameDecoder();
  wire.listen({
    data(chunk) {
      for (const event of decoder.push(chunk)) {
        if (event.kind !== "frame") continue;
        asked.push(event.body);
        const echo = event.body.slice(0, 4);
        const told = answers[echo];
        const body = Array.isArray(told) ? (told.shift() ?? "ERR05") : (told ?? echo);
        if (body === "") continue;
        wire.write(Uint8Array.of(ACK, ...encodeFrame({ counter: event.counter, body })));
      }
    },
    closed() {},
  });
  const session = new CustomSession(host, profile, environment);
  const device = new CustomDevice(session, profile, environment);
  /** Lets time pass until the work is done. @returns what it threw, or undefined */
  const errorOf = async (work: Promise<unknown>): Promise<unknown> => {
    const error = work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    await environment.advance(60_000);
    return error;
  };
  return { device, environment, asked, answers, errorOf };
}

function salePlan(profile: Profile) {
  const items = [{ name: "Coffee", quantity: 1, price: 9, vatGroup: "VAT1" }] as const;
  const payments = [{ method: "cash", amount: 9 }] as const;
  return planDocument(toSaleDocument({ items: [...items], payments: [...payments] }), {
    profile,
    timezone: "Europe/Rome",
    serialNumber: null,
    exemptGroup: undefined,
  });
}

describe("a receipt that is refused its closing for want of paper", () => {
  test.each([
    ["is gone", "1016000"],
    ["cannot be asked for", "ERR05"],
  ])("and %s when there is paper again is in doubt", async (_, position) => {
    const { device, answers, errorOf } = setUp({
      ...IDLE,
      "1016": ["1016000", "1016100", position],
      "1012": ["10120", "10121", "10120"],
      "1003": `1003${"0".repeat(36)}+000000900+00000090000061`,
      "3007": "3007-000000000",
      "3011": "ERR16",
    });
    const progress = new RecordedProgress();
    const error = await errorOf(printDocument(device, salePlan(device.profile), progress));
    expect(error).toBeInstanceOf(DocumentInDoubt);
    expect(progress.marks).toEqual(["baseline", "opened", "committing", "committing"]);
    expect(progress.baseline).toMatchObject({ paid: true });
    expect(answers["1016"]).toEqual([]);
  });
});

describe("a receipt that stands open", () => {
  test("and cannot be cancelled because it was paid meanwhile is told as finished", async () => {
    const { device, environment } = setUp({
      ...IDLE,
      "1016": "1016100",
      "1012": "10122",
      "1003": `1003${"0".repeat(36)}+000000900+00000090000061`,
      "3301": "ERR05",
      "3007": "3007-000000000",
    });
    const found = {
      open: true,
      isPaying: false,
      isClosed: false,
      number: 6,
      isSale: true,
      items: 0,
    };
    const ending = putAwayOpenReceipt(device, { ...found, amountMinor: 900, paidMinor: 0 });
    await environment.advance(1_000);
    expect(await ending).toBe("finished");
  });
});

describe("a line of a receipt", () => {
  test("is not sent again after silence where no sums would show it twice", async () => {
    const profile = profileOf({ commands: { account: null } });
    const { device, asked, errorOf } = setUp({ ...IDLE, "3301": "" }, profile);
    const error = await errorOf(printDocument(device, salePlan(profile), new RecordedProgress()));
    expect(error).toBeInstanceOf(DocumentInDoubt);
    expect(asked.filter((body) => body.startsWith("3301"))).toHaveLength(1);
  });
});

describe("a device that can tell what stands open", () => {
  test("but refuses to has not said that nothing does", async () => {
    const { device, errorOf } = setUp({ ...IDLE, "1012": "ERR16" });
    expect(await errorOf(device.readPosition())).toMatchObject({ code: "E306" });
    expect(await device.readStatus()).toMatchObject({ paper: "ok", fiscalReceiptOpen: null });
  });

  test("by one of two questions need not know the other", async () => {
    const { device } = setUp({ ...IDLE, "1012": "ERR01" });
    expect(await device.readPosition()).toMatchObject({ fiscalOpen: false, step: undefined });
  });
});

describe("the last document", () => {
  test("of the same minute and amount as that of the day before is another one", async () => {
    const first = "101715032412050001000000900100";
    const sums = (number: string) => `1003${"0".repeat(36)}+000000000+000000000${number}0`;
    const { device } = setUp({ ...IDLE, "1017": first, "1003": [sums("0000"), sums("0001")] });
    const before = await readLastDocument(device);
    const after = await readLastDocument(device);
    expect(after?.trace).not.toBe(before?.trace);
  });
});

describe("a deposit that is refused for want of paper", () => {
  test("may have been made all the same, where nothing tells", async () => {
    const profile = profileOf({ commands: { cash: null } });
    const { device, errorOf } = setUp({ ...IDLE, "7106": "ERR16" }, profile);
    const payload = { amount: 1 };
    const command = { id: "cmd_1", type: "cash_in", payload, original: undefined } as const;
    const progress = new RecordedProgress();
    const error = await errorOf(moveCash({ device, command, progress }, "cash_in"));
    expect(error).toBeInstanceOf(DocumentInDoubt);
  });
});
