/** Connecting to devices that want each message number to differ from the one before it. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { DriverSession, Line, LineListener } from "#core/driver.ts";
import { findDriver } from "../registry.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { encodeData, MESSAGE_NUMBERS, NACK, RequestDecoder, type RequestFrame } from "./frame.ts";

const REGISTERS = 0x6e;

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
