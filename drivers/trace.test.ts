/**
 * Every driver's line monitor over everything that its devices say and are told: all of it is
 * explained, and none of it tells an operator's password.
 */

import { describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { FrameReader, KeptFrame, TracedFrame } from "#core/device/trace.ts";
import type { DriverEnvironment, DriverSession, Line } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { FiscalError, isLineFault } from "#core/errors.ts";
import { DRIVERS } from "./registry.ts";
import { EVERY_MODEL } from "./testing/every-model.ts";
import { RecordedProgress } from "./testing/fake-environment.ts";
import { SimulatedDevice } from "./testing/simulated-device.ts";

/** Short enough for every driver, and nothing else in a frame looks like it. */
const SECRET = "739164";
/** As text, as hexadecimal of the text, and as the four-byte number of Shtrih-M. */
const SECRET_FORMS = [SECRET, Buffer.from(SECRET).toString("hex"), "5c470b00"];
const SECRET_NUMBER_HEX = "5c470b00";

const OPERATOR = { operatorId: 1, operatorPassword: SECRET };
const ITEM = { name: "Coffee", quantity: 2, price: 1.5, vatGroup: "VAT2" };
const CASH = { method: "cash", amount: 3 };
const SALE_NUMBER = { uniqueSaleNumber: "DT577430-0001-0000001" };
const ORIGINAL = {
  originalReceiptNumber: "1",
  originalReceiptDateTime: "2024-03-15T12:05:09Z",
  fiscalMemorySerialNumber: "02577430",
};

const PAYLOADS: Partial<Record<CommandType, unknown>> = {
  print_receipt: { ...SALE_NUMBER, ...OPERATOR, items: [ITEM], payments: [CASH] },
  print_reversal_receipt: {
    ...SALE_NUMBER,
    ...ORIGINAL,
    ...OPERATOR,
    reason: "refund",
    items: [ITEM],
    payments: [CASH],
  },
  set_operator: { operatorId: 2, name: "Maria", password: SECRET, oldPassword: SECRET },
  non_fiscal_receipt: { lines: ["Hello"] },
  cash_in: { amount: 5 },
  cash_out: { amount: 1 },
  void_receipt: { receiptId: "1" },
  set_header_footer: { header: ["Shop"], footer: ["Bye"] },
  set_datetime: { dateTime: "2024-03-15T12:05:09Z" },
  set_vat_rates: { VAT1: 0, VAT2: 20 },
};

/** Commands by hand, as they open a receipt or set a password in each protocol. */
const RAW_PAYLOADS: readonly (readonly [RegExp, readonly unknown[]])[] = [
  [
    /\.isl$/,
    [
      { command: 48, data: `1\t${SECRET}\t1\t\t` },
      { command: 48, data: `1,${SECRET},1` },
      { command: 101, data: `1,${SECRET},${SECRET}` },
      { command: 255, data: `OperPasw\t1\t${SECRET}\t` },
    ],
  ],
  [
    /\.zfp$/,
    [
      { command: 0x30, data: `1;${SECRET};1;1;0` },
      { command: 0x4a, data: `1;Maria               ;${SECRET}` },
      { command: 0x42, data: `${SECRET};20.00` },
      { command: 0x6a, data: "1" },
    ],
  ],
  [
    /\.shtrih$/,
    [
      { command: 0x10, dataHex: SECRET_NUMBER_HEX },
      { command: 0x1e, dataHex: `1e00000002030001${SECRET_NUMBER_HEX}` },
      { command: 0x1f, dataHex: "1e00000002030001" },
      { command: 0x0d, dataHex: SECRET_NUMBER_HEX },
    ],
  ],
];

/** What passed on a line: as it was, as it is kept, and as whoever looked at that moment saw it. */
class Tap {
  readonly kept: KeptFrame[] = [];
  readonly seen: TracedFrame[] = [];
  rawHex = "";

  over(line: Line, reader: FrameReader): Line {
    const note = (direction: "in" | "out", bytes: Uint8Array): void => {
      const hex = Buffer.from(bytes).toString("hex");
      this.rawHex += hex;
      for (const frame of reader.read(direction, bytes)) {
        this.kept.push(frame);
        this.seen.push(frame.describe());
      }
      // A secret that is taken out of what is kept still goes to the device.
      expect(Buffer.from(bytes).toString("hex")).toBe(hex);
    };
    return {
      write(bytes) {
        note("out", bytes);
        line.write(bytes);
      },
      listen: (listener) =>
        line.listen({
          data(chunk) {
            note("in", chunk);
            listener.data(chunk);
          },
          closed: (error) => listener.closed(error),
        }),
      close: () => line.close(),
    };
  }
}

/** A driver's surroundings, which keep what it says of the device. */
interface Surroundings extends DriverEnvironment {
  readonly logged: unknown[];
}

function surroundingsOf(device: SimulatedDevice): Surroundings {
  const logged: unknown[] = [];
  const keep = (...entry: unknown[]) => {
    logged.push(entry);
  };
  return { ...device.environment(), note: keep, log: keep, logged };
}

async function connect(
  driverId: DriverId,
  device: SimulatedDevice,
  { tap, environment }: { readonly tap: Tap; readonly environment: Surroundings },
): Promise<DriverSession> {
  const driver = DRIVERS.get(driverId);
  const reader = driver?.frameReader?.(environment);
  if (!driver || !reader) throw new Error(`${driverId} cannot be watched`);
  const line = tap.over(await device.openLine(), reader);
  return device.time.run(driver.connect(line, environment));
}

/** Everything the driver can be told, refused or not. */
function everyCommand(driverId: DriverId): { type: CommandType; payload: unknown }[] {
  const types = [...(DRIVERS.get(driverId)?.commands ?? [])];
  const raw = RAW_PAYLOADS.find(([pattern]) => pattern.test(driverId))?.[1] ?? [];
  return [
    ...types
      .filter((type) => type !== "raw_command")
      .map((type) => ({ type, payload: PAYLOADS[type] ?? {} })),
    ...raw.map((payload) => ({ type: "raw_command" as const, payload })),
  ];
}

/** Everything that can be reached from a value: texts, and buffers from end to end. */
function reachable(root: unknown): { readonly content: string; readonly functionCount: number } {
  const seen = new Set<unknown>([root]);
  const content: string[] = [];
  let functionCount = 0;
  for (const value of seen) {
    if (typeof value === "string" || typeof value === "number") content.push(String(value));
    if (typeof value === "function") functionCount += 1;
    if (typeof value !== "object" || value === null) continue;
    if (ArrayBuffer.isView(value)) {
      const bytes = Buffer.from(value.buffer);
      content.push(bytes.toString("latin1"), bytes.toString("hex"));
      continue;
    }
    if (value instanceof Map || value instanceof Set) for (const item of value) seen.add(item);
    for (const key of Reflect.ownKeys(value)) seen.add(Reflect.get(value, key));
  }
  return { content: content.join("\n"), functionCount };
}

describe.each(EVERY_MODEL)("the line of $driver, $model", (kind) => {
  test("is explained frame by frame, without any operator's password", async () => {
    const { driver } = kind;
    const device = await SimulatedDevice.start(kind);
    const tap = new Tap();
    const environment = surroundingsOf(device);
    const around = { tap, environment };
    let session = await connect(driver, device, around);
    try {
      for (const [index, { type, payload }] of everyCommand(driver).entries()) {
        const command = { id: `cmd_${index}`, type, payload, original: undefined };
        try {
          await device.time.run(session.execute(command, new RecordedProgress()));
        } catch (error) {
          if (error instanceof FiscalError && !isLineFault(error)) continue;
          // Whatever was left half-way is left to the next line.
          session.close();
          session = await connect(driver, device, around);
        }
      }
    } finally {
      session.close();
      await device.stop();
    }
    const kept = reachable(tap.kept);
    for (const form of SECRET_FORMS) expect(kept.content).not.toContain(form);
    // One function a frame could hold anything; a few for all frames hold nothing of any.
    expect(kept.functionCount).toBeLessThan(10);
    const frames = tap.kept.map((frame) => frame.describe());
    expect(frames).toEqual(tap.seen);
    expect(frames.length).toBeGreaterThan(5);
    expect(frames.filter(({ isDamaged }) => isDamaged)).toEqual([]);
    const knowsPasswords = RAW_PAYLOADS.some(([pattern]) => pattern.test(driver));
    expect(SECRET_FORMS.some((form) => tap.rawHex.includes(form))).toBe(knowsPasswords);
    const shown = JSON.stringify([frames, environment.logged]);
    for (const form of SECRET_FORMS) expect(shown).not.toContain(form);
  });
});
