/** The pure rules of the driver: of an exchange, refusals, and the judgement of a document. */

import { describe, expect, test } from "bun:test";
import { remainingTenders } from "../shared/tenders.ts";
import {
  firstSent,
  type LineInput,
  nextStep,
  SENDS_MAX,
  silenceMs,
  type Waiting,
} from "./exchange-rules.ts";
import { ReplyDecoder } from "./frame.ts";
import { refusalOf } from "./refusals.ts";
import type { DocumentEvidence, Reading } from "./resolve.ts";
import { judge } from "./resolve.ts";
import { vectorOf } from "./testdata/vectors.ts";

const SALE = firstSent({ nbl: 0x30, command: 0x31, reads: false });
const READ = firstSent({ nbl: 0x30, command: 0x72, reads: true });
const READY: LineInput = { kind: "ping", state: 0x40 };
const BUSY: LineInput = { kind: "ping", state: 0x41 };
const SILENCE: LineInput = { kind: "silence" };
const NACK: LineInput = { kind: "nack" };

/** Runs inputs until one gives something else than waiting. */
function runAll(waiting: Waiting, inputs: readonly LineInput[]) {
  let now = waiting;
  for (const input of inputs) {
    const step = nextStep(now, input);
    if (step.kind === "ignore") continue;
    if (step.kind !== "wait" && step.kind !== "extend" && step.kind !== "ping") return step;
    now = step.waiting;
  }
  return { kind: "waits" } as const;
}

describe("one command on the line", () => {
  test("is sent again after NACK once the device says that it is ready, three times in all", () => {
    let waiting: Waiting = SALE;
    for (let sends = 1; sends < SENDS_MAX; sends += 1) {
      const step = runAll(waiting, [NACK, READY, SILENCE, READY, SILENCE, READY]);
      if (step.kind !== "resend") throw new Error(step.kind);
      waiting = step.waiting;
    }
    expect(nextStep(waiting, NACK)).toMatchObject({ kind: "fail", code: "E203" });
  });

  test.each<[string, readonly LineInput[]]>([
    ["works", [NACK, BUSY, SILENCE, READY, SILENCE, READY, SILENCE, READY]],
    ["is busy", [NACK, { kind: "busy" }, SILENCE, READY, SILENCE, READY, SILENCE, READY]],
    ["may have refused a ping", [SILENCE, NACK, READY, SILENCE, READY, SILENCE, READY]],
  ])("is not sent again after NACK where the device %s", (_, inputs) => {
    expect(runAll(SALE, inputs)).toMatchObject({ kind: "fail", code: "E501" });
  });

  test("that changes the device is never sent again for any other reason", () => {
    const garbled: LineInput = { kind: "garbled", reason: "checksum" };
    expect(nextStep(SALE, garbled)).toMatchObject({ kind: "fail", code: "E202" });
    const lost = [SILENCE, READY, SILENCE, READY, SILENCE, READY];
    expect(runAll(SALE, lost)).toMatchObject({ kind: "fail", code: "E501" });
    expect(nextStep(SALE, { kind: "limit" })).toMatchObject({ kind: "fail", code: "E500" });
  });

  test("that only reads is asked anew when its answer is damaged or lost", () => {
    expect(nextStep(READ, { kind: "garbled", reason: "framing" }).kind).toBe("renew");
    expect(runAll(READ, [SILENCE, READY, SILENCE, READY, SILENCE, READY]).kind).toBe("renew");
  });

  test("waits for as long as the device says that it is busy", () => {
    const round = [SILENCE, BUSY];
    expect(runAll(SALE, Array.from({ length: 50 }, () => round).flat()).kind).toBe("waits");
    expect(runAll(SALE, [SILENCE, READY, SILENCE, READY, SILENCE, BUSY]).kind).toBe("waits");
    expect(nextStep(SALE, { kind: "busy" }).kind).toBe("extend");
  });

  test("fails when nobody answers the pings, where it only reads", () => {
    const silence = Array.from({ length: 6 }, () => SILENCE);
    expect(runAll(READ, silence)).toMatchObject({ kind: "fail", code: "E501" });
  });

  test("that changes the device waits up to its limit, with fewer and fewer pings", () => {
    const silence = Array.from({ length: 50 }, () => SILENCE);
    expect(runAll(SALE, silence).kind).toBe("waits");
    const waits = [0, 1, 5, 6, 7].map((silentPings) => silenceMs({ ...SALE, silentPings }));
    expect(waits).toEqual([2_000, 300, 300, 600, 1_200]);
    expect(nextStep({ ...SALE, silentPings: 6 }, { kind: "limit" })).toMatchObject({
      code: "E501",
    });
  });

  test("ignores the late answer to an earlier one, and a ping nobody asked for", () => {
    const late: LineInput = { kind: "ack", nbl: 0x2f, deviceError: 0x30, commandError: 0x30 };
    expect(nextStep(SALE, late).kind).toBe("ignore");
    expect(nextStep(SALE, READY).kind).toBe("ignore");
  });
});

describe("refusals", () => {
  for (const [name, code] of [
    ["vendor_e_10", "E306"],
    ["vendor_e_40", "E301"],
    ["vendor_e_60", "E301"],
    ["vendor_e_80", "E304"],
    ["vendor_e_3a0", "E304"],
    ["vendor_e_3c0", "E304"],
    ["vendor_e_3e0", "E300"],
    ["vendor_e_01", "E201"],
    ["vendor_e_03", "E303"],
    ["vendor_e_05", "E305"],
    ["vendor_e_07", "E305"],
    ["vendor_e_32", "E304"],
    ["cpp_c_err04", "E305"],
    ["js_close", undefined],
  ] as const) {
    test(`of ${name} are ${code ?? "none"}`, () => {
      const [frame] = new ReplyDecoder().push(vectorOf(name).reply ?? new Uint8Array());
      if (frame?.kind !== "ack") throw new Error("no acknowledgement");
      expect(refusalOf(frame, false)?.code).toBe(code);
    });
  }

  test("of a command that wants an open receipt say that none is", () => {
    const frame = { kind: "ack", nbl: 0x20, deviceError: 0x30, commandError: 0x32 } as const;
    expect(refusalOf(frame, true)?.code).toBe("E302");
    expect(refusalOf(frame, false)?.code).toBe("E305");
  });

  test("take the digits above nine as letters too, and know no others", () => {
    const frame = { kind: "ack", nbl: 0x20, commandError: 0x30 } as const;
    expect(refusalOf({ ...frame, deviceError: 0x42 }, false)?.code).toBe("E303");
    expect(refusalOf({ ...frame, deviceError: 0x62 }, false)?.code).toBe("E303");
    expect(refusalOf({ ...frame, deviceError: 0x7a }, false)?.code).toBe("E900");
  });
});

describe("a document in doubt", () => {
  const evidence: DocumentEvidence = {
    mark: "committing",
    number: 7,
    counter: 7,
    ownNumber: 8,
    paid: true,
  };
  const before = { number: 7, issuedAt: 1, amountMinor: 500 };
  const sent = { items: 2, amountMinor: 900, paidMinor: 900 };
  const ours = { number: 8, issuedAt: 2, amountMinor: 900 };
  const reading: Reading = {
    open: false,
    counter: 8,
    cancelled: false,
    last: ours,
    own: ours,
    paidMinor: 900,
  };

  test("is printed when the receipt of its number has its amount and is paid", () => {
    expect(judge(evidence, sent, reading)).toEqual({ kind: "printed", receipt: ours });
  });

  test("is found behind later receipts", () => {
    const last = { number: 11, issuedAt: 3, amountMinor: 1 };
    const behind = { ...reading, last, paidMinor: null };
    expect(judge(evidence, sent, behind)).toMatchObject({
      kind: "printed",
      receipt: { number: null },
    });
    expect(judge(evidence, sent, { ...behind, own: undefined }).kind).toBe("unknown");
  });

  test("may have been annulled, and its number be another's, until it was paid", () => {
    const unpaid = { ...evidence, paid: false };
    expect(judge(unpaid, sent, reading).kind).toBe("unknown");
    // Nor does it help that we had not paid it: another host may have, taking it for its own.
    expect(judge({ ...unpaid, mark: "opened" }, sent, reading).kind).toBe("unknown");
  });

  test("is not printed while the device has issued nothing since", () => {
    const nothing = { ...reading, counter: 7, last: before, own: undefined };
    expect(judge(evidence, sent, nothing).kind).toBe("not_printed");
    const counted = { ...nothing, counter: 8 };
    expect(judge(evidence, sent, counted).kind).toBe("unknown");
    expect(judge(evidence, sent, { ...counted, cancelled: true }).kind).toBe("not_printed");
  });

  test("had no lines before it was opened, whoever printed meanwhile", () => {
    const early: DocumentEvidence = {
      ...evidence,
      mark: "baseline",
      ownNumber: null,
      paid: false,
    };
    expect(judge(early, sent, reading).kind).toBe("not_printed");
    expect(judge({ ...early, mayBeFurther: true }, sent, reading).kind).toBe("unknown");
  });

  test("is unknown when its receipt has another amount, or an unknown one", () => {
    expect(judge(evidence, { ...sent, amountMinor: 901 }, reading).kind).toBe("unknown");
    const untold = { ...reading, own: { ...ours, amountMinor: null } };
    expect(judge(evidence, sent, untold).kind).toBe("unknown");
  });

  test("waits for an open receipt to be put away, unless its end was confirmed", () => {
    expect(judge(evidence, sent, { ...reading, open: true }).kind).toBe("stands_open");
    const committed: DocumentEvidence = { ...evidence, mark: "committed" };
    expect(judge(committed, sent, { ...reading, open: true }).kind).toBe("printed");
  });

  test("is finished with the tenders that are left, and cash for the rest", () => {
    const tenders = [
      { method: "card", amountMinor: 400 },
      { method: "bank", amountMinor: 500 },
    ] as const;
    const now = { amountMinor: 1_000, paidMinor: 450 };
    expect(remainingTenders(tenders, now)).toEqual([
      { method: "bank", amountMinor: 450 },
      { method: "cash", amountMinor: 100 },
    ]);
  });
});
