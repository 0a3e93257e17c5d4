/** Devices that work for long, or hold their answer until somebody has seen to them. */

import { describe, expect, test } from "bun:test";
import { type DriverSession, IDENTIFIED, type Line, type LineListener } from "#core/driver.ts";
import { DocumentInDoubt, isLineFault } from "#core/errors.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { VENDOR_E } from "./dialects/index.ts";
import { PING, RequestDecoder } from "./frame.ts";
import { zfpDriver } from "./index.ts";

const IDENTITY = 0x60;
const SALE = 0x31;
const CLOSE = 0x38;
const Z_REPORT = 0x7c;
const RECEIPT = {
  type: "print_receipt",
  payload: {
    uniqueSaleNumber: "ZK126720-0001-0000001",
    items: [{ name: "Coffee", quantity: 1, price: 10, vatGroup: "VAT2" }],
    payments: [{ method: "cash", amount: 10 }],
  },
} as const;

const BUSY = 0x41;

/** A device that takes frames and answers pings alone, once `command` came; those that it may. */
function heldAt(
  command: number,
  state: number,
  mayAnswer: () => boolean = () => true,
): (line: Line) => Line {
  return (line) => {
    const decoder = new RequestDecoder();
    let listener: LineListener | undefined;
    let isHeld = false;
    return {
      write(bytes) {
        for (const event of decoder.push(bytes)) {
          isHeld ||= event.kind === "request" && event.command === command;
        }
        if (!isHeld) line.write(bytes);
        else if (bytes[0] === PING && mayAnswer()) {
          queueMicrotask(() => listener?.data(Uint8Array.of(state)));
        }
      },
      listen(heard) {
        listener = heard;
        line.listen(heard);
      },
      close: () => line.close(),
    };
  };
}

async function withDevice(
  over: ((line: Line) => Line) | undefined,
  use: (device: SimulatedDevice) => Promise<void>,
): Promise<void> {
  const device = await SimulatedDevice.start({
    ...{ driver: "vendorE.zfp", model: "v1", timezone: "Europe/Sofia", over },
  });
  try {
    await use(device);
  } finally {
    await device.stop();
  }
}

describe("a device that works on a command", () => {
  test.each([
    ["a line", SALE],
    ["the closing", CLOSE],
  ])("of %s for 50 seconds, and says so, is waited for", (_what, command) =>
    withDevice(undefined, async (device) => {
      await device.fault({ kind: "delay", command, ms: 50_000, busy: true });
      const told = await device.run(RECEIPT);
      expect(told).toMatchObject({ outcome: "printed", recovered: false });
      expect(device.books().receipts).toHaveLength(1);
    }),
  );

  // It is asked for the first time after two seconds of silence.
  test.each([
    { when: "a minute, where it says so", code: "E500", ms: 60_000 },
    { when: "ten seconds in which it is silent", code: "E501", ms: 10_000, answers: 1 },
  ])("is given up after $when", ({ code, ms, answers = Number.POSITIVE_INFINITY }) => {
    let left = answers;
    const mayAnswer = () => {
      left -= 1;
      return left >= 0;
    };
    return withDevice(heldAt(SALE, BUSY, mayAnswer), async (device) => {
      const session = await device.connect();
      const from = device.time.now();
      const command = { id: "cmd_1", original: undefined, ...RECEIPT };
      const error = await session.execute(command, new RecordedProgress()).catch(caught);
      expect(error).toMatchObject({ cause: { code } });
      const tookMs = device.time.now() - from;
      expect([tookMs >= ms, tookMs < ms + 3_000]).toEqual([true, true]);
      session.close();
    });
  });

  // Whoever waits for the report live is told before, or right then.
  test.each([
    ["dies after 40 seconds", 90_000, (ms: number) => ms < 40_000],
    ["says so only after 30 seconds", 120_000, (ms: number) => ms > 30_000],
    ["says so without end", 120_000, () => true],
  ])("of a Z report, and %s, is given up after %i ms", async (_what, ms, isBusyAt) => {
    let now = () => 0;
    const mayAnswer = () => isBusyAt(now());
    await withDevice(heldAt(Z_REPORT, BUSY, mayAnswer), async (device) => {
      const session = await device.connect();
      const from = device.time.now();
      now = () => device.time.now() - from;
      const command = { id: "cmd_1", type: "z_report", payload: {}, original: undefined } as const;
      const error = await session.execute(command, new RecordedProgress()).catch(caught);
      expect(error).toBeInstanceOf(DocumentInDoubt);
      expect(now()).toBe(ms);
      session.close();
    });
  });
});

describe("a device that holds its answer back", () => {
  const OUT_OF_PAPER_BUSY = 0x43;
  const OUT_OF_PAPER = 0x42;
  const TOO_HOT_BUSY = 0x45;

  test.each([
    ["for paper, busy", OUT_OF_PAPER_BUSY, "E306"],
    ["for paper", OUT_OF_PAPER, "E306"],
    ["too hot", TOO_HOT_BUSY, "E304"],
  ] as const)("%s, is told so", (_why, state, code) =>
    withDevice(heldAt(SALE, state), async (device) => {
      const session = await device.connect();
      const command = { id: "cmd_1", original: undefined, ...RECEIPT };
      const error = await session.execute(command, new RecordedProgress()).catch(caught);
      if (!(error instanceof DocumentInDoubt)) throw error;
      expect(error.cause.code).toBe(code);
      // Nobody knows what it did with the frame, and it answers nothing else.
      expect(isLineFault(error.cause)).toBe(true);
      session.close();
    }),
  );

  test.each([
    ["that was known before", true, "E306"],
    // Whatever answers so may be anything.
    ["that never made itself known", false, "E101"],
  ] as const)("of a device %s when it is connected: %p, %s", (_which, isKnown, code) =>
    withDevice(heldAt(IDENTITY, OUT_OF_PAPER_BUSY), async (device) => {
      const environment = device.environment();
      if (isKnown) environment.remembered.set(IDENTIFIED, "");
      const error = await device.time.run(connectTo(device)).catch(caught);
      expect(error).toMatchObject({ code });
    }),
  );
});

function caught(error: unknown): unknown {
  return error;
}

async function connectTo(device: SimulatedDevice): Promise<DriverSession> {
  const line = await device.openLine();
  return zfpDriver("vendorE.zfp", VENDOR_E).connect(line, device.environment());
}
