/** Connecting to devices that want each message number to differ from the one before it. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { DriverSession, Line, LineListener } from "#core/driver.ts";
import { findDriver } from "../registry.ts";
import { smallSale } from "../testing/contract-payloads.ts";
import { FakeEnvironment } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { memoryLinePair } from "../transport/memory.ts";
import { VENDOR_E } from "./dialects/index.ts";
import {
  encodeData,
  MESSAGE_NUMBERS,
  NACK,
  ReplyDecoder,
  RequestDecoder,
  type RequestFrame,
} from "./frame.ts";
import { zfpDriver } from "./index.ts";

const REGISTERS = 0x6e;
const GIVEN_UP_MS = 120_000;
/** More than a sale takes. */
const SALE_FRAMES_MAX = 24;

let device: SimulatedDevice;
/** The number of the frame that the device took last, from line to line. */
let last: number;
let refused: number;

beforeEach(async () => {
  device = await SimulatedDevice.start({
    driver: "vendorE.zfp",
    model: "v1",
    timezone: "Europe/Sofia",
  });
  last = 0;
  refused = 0;
});
afterEach(() => device.stop());

/** A line to the device that answers in its place where a number is that of the frame before. */
function strictLine(line: Line, answer: (frame: RequestFrame) => Uint8Array): Line {
  const decoder = new RequestDecoder();
  let listener: LineListener | undefined;
  return {
    write(bytes) {
      const frame = decoder.push(bytes).find((event) => event.kind === "request");
      if (frame?.nbl !== last) line.write(bytes);
      else {
        refused += 1;
        queueMicrotask(() => listener?.data(answer(frame)));
      }
      if (frame) last = frame.nbl;
    },
    listen(next) {
      listener = next;
      line.listen(next);
    },
    close: () => line.close(),
  };
}

async function connect(
  answer: (frame: RequestFrame) => Uint8Array = () => Uint8Array.of(NACK),
): Promise<DriverSession> {
  const line = await device.openLine();
  const driver = findDriver("vendorE.zfp");
  if (!driver) throw new RangeError("no driver");
  return device.time.run(driver.connect(strictLine(line, answer), device.environment()));
}

/** A line whose device answers a command with other fields. */
function rewritten(line: Line, command: number, rewrite: (fields: string[]) => string[]): Line {
  const decoder = new ReplyDecoder();
  return {
    write: (bytes) => line.write(bytes),
    close: () => line.close(),
    listen: (listener) =>
      line.listen({
        closed: (error) => listener.closed(error),
        data(chunk) {
          for (const event of decoder.push(chunk)) {
            const isMeant = event.kind === "data" && event.command === command;
            const { nbl } = event.kind === "data" ? event : { nbl: 0 };
            if (!isMeant) listener.data(chunk);
            else {
              const fields = rewrite(Buffer.from(event.data).toString("latin1").split(";"));
              const data = Buffer.from(fields.join(";"), "latin1");
              listener.data(encodeData({ nbl, command, data }));
            }
          }
        },
      }),
  };
}

describe("which tenders a device has", () => {
  const VERSION = 0x21;
  const TENDERS = 0x64;
  const DELIVERED = ["cash", "card", "check", "coupons"];

  async function tendersOf(model: string, over: (line: Line) => Line): Promise<unknown> {
    const timezone = "Europe/Sofia";
    const other = await SimulatedDevice.start({ driver: "vendorE.zfp", model, timezone, over });
    try {
      const session = await other.connect();
      session.close();
      return session.info.reversalTenders;
    } finally {
      await other.stop();
    }
  }

  test("is told by what it says of them, whatever its name is", async () => {
    const named = (name: string) => (line: Line) =>
      rewritten(line, VERSION, (fields) => fields.with(3, name));
    expect(await tendersOf("v2", named("TREMOL FP21"))).toEqual(DELIVERED);
    const first = await tendersOf("v1", named("TREMOL M20 V2"));
    expect(first).toContain("packaging");
  });

  test("are those that are programmed", async () => {
    const programmed = (line: Line) =>
      rewritten(line, TENDERS, (fields) => fields.with(7, "1").with(8, "8").with(9, "7"));
    expect(await tendersOf("v2", programmed)).toEqual(["cash", "card", "check", "bank"]);
  });

  test.each([
    ["one is of a code that is not known", ["1", "11", "7"], ["cash", "card", "check"]],
    ["all are", ["11", "12", "13"], DELIVERED],
  ])("are those that are known where %s", async (_, codes, tenders) => {
    const [first = "", second = "", third = ""] = codes;
    const programmed = (line: Line) =>
      rewritten(line, TENDERS, (fields) => fields.with(7, first).with(8, second).with(9, third));
    expect(await tendersOf("v2", programmed)).toEqual(tenders);
  });

  test("say nothing of a sale in doubt: one that is programmed otherwise since is left in cash", async () => {
    let lines = 0;
    const reprogrammed = (line: Line) => {
      lines += 1;
      return lines === 1 ? line : rewritten(line, TENDERS, (fields) => fields.with(8, "11"));
    };
    const kind = { driver: "vendorE.zfp", model: "v2", timezone: "Europe/Sofia" } as const;
    const other = await SimulatedDevice.start({ ...kind, over: reprogrammed });
    const payments = [
      { method: "card", amount: 0.5 },
      { method: "check", amount: 0.7 },
    ];
    const payload = { ...smallSale({}), payments };
    const told = new Set<string>();
    for (let at = 1; at <= SALE_FRAMES_MAX; at += 1) {
      lines = 0;
      const since = other.state().lastReceiptNumber;
      const begun = () => other.fault({ kind: "drop_before", at });
      const { outcome, success } = await other.run({ type: "print_receipt", payload, begun });
      await other.clear();
      const { receipts, openDocument } = other.books(since);
      const paid = receipts.map((receipt) => receipt.payments.map(({ method }) => method));
      const isTold = JSON.stringify(success?.data.payments ?? null).includes('"cash"');
      told.add(`${outcome}, ${paid.join() || "nothing"}, ${isTold}, ${openDocument}`);
    }
    await other.stop();
    expect([...told].sort()).toEqual([
      "not_printed, nothing, false, null",
      "printed, card,cash, true, null",
      "printed, card,check, false, null",
    ]);
  });

  test("are those of its name and delivery where it does not tell", async () => {
    const silent = (line: Line) => rewritten(line, TENDERS, () => ["?"]);
    expect(await tendersOf("v2", silent)).toEqual(DELIVERED);
  });
});

describe("a state of the TCP connection", () => {
  const PASSWORD = 0x50;
  const stated = async (answers: readonly (readonly number[])[]): Promise<unknown> => {
    const [host, other] = memoryLinePair();
    const environment = new FakeEnvironment();
    const left = answers.values();
    other.listen({
      data: () => other.write(Uint8Array.from(left.next().value ?? [])),
      closed() {},
    });
    const connecting = zfpDriver("vendorE.zfp", VENDOR_E).connect(host, environment);
    const failed = connecting.catch((error: unknown) => error);
    await environment.advance(GIVEN_UP_MS);
    return failed;
  };

  test.each([
    ["is told where it is said to each ping", [[PASSWORD], [PASSWORD]], "E100"],
    ["is noise where it is said once", [[PASSWORD]], "E101"],
    ["is a letter where others come before it", [[0x61, PASSWORD], [PASSWORD]], "E101"],
    ["is a letter where others come behind it", [[PASSWORD], [PASSWORD, 0x61]], "E101"],
    ["is noise where another one follows", [[PASSWORD], [0x70]], "E101"],
  ] as const)("%s", async (_what, answers, code) => {
    expect(await stated(answers)).toMatchObject({ code });
  });
});

describe("a new line", () => {
  test.each([
    ["refuses it", () => Uint8Array.of(NACK)],
    [
      "repeats the answer to its last command",
      ({ nbl }: RequestFrame) =>
        encodeData({ nbl, command: REGISTERS, data: Buffer.from("5;0001;000000;") }),
    ],
  ] as const)("asks under another number where the device %s", async (_, answer) => {
    (await connect()).close();
    const from = device.time.now();
    device.forget();
    device.throwWith(() => last - MESSAGE_NUMBERS.min);
    const session = await connect(answer);
    expect(session.info.serialNumber).toBe("ZK126720");
    expect({ refused, tookMs: device.time.now() - from }).toEqual({ refused: 1, tookMs: 0 });
    session.close();
  });

  test("goes on behind the number of the last frame, whatever is drawn for it", async () => {
    (await connect()).close();
    device.throwWith(() => last - MESSAGE_NUMBERS.min);
    (await connect()).close();
    expect(refused).toBe(0);
  });
});
