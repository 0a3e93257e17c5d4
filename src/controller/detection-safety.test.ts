/**
 * Detection changes nothing, whatever it is let loose on: every driver asks every simulated device,
 * in the middle of a receipt and at wrong speeds, and the devices' books are compared.
 */

import { describe, expect, test } from "bun:test";
import type { DetectionReport } from "#core/device/detection.ts";
import type { Line } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { FiscalError } from "#core/errors.ts";
import { DRIVERS } from "#drivers/registry.ts";
import { SIMULATORS } from "#drivers/simulator/registry.ts";
import { seededDice } from "#drivers/testing/dice.ts";
import { RecordedProgress } from "#drivers/testing/fake-environment.ts";
import { SimulatedDevice } from "#drivers/testing/simulated-device.ts";
import { SimulatedTime } from "#drivers/testing/simulated-time.ts";
import { createLog } from "../platform/log.ts";
import { detectDevices } from "./detector.ts";
import type { DetectorEnvironment } from "./detector-environment.ts";
import { heardAtAnotherSpeed } from "./testing/wrong-speed.ts";

/** Of what the drivers draw by lot. */
const SEED = 4;
const SPEEDS_BAUD = [4_800, 9_600, 19_200, 38_400, 57_600, 115_200];
const ITEM = { name: "Coffee", quantity: 2, price: 1.5, vatGroup: "VAT2" };
const SALE = {
  uniqueSaleNumber: "DT577430-0001-0000001",
  items: [ITEM, ITEM, ITEM, ITEM, ITEM],
  payments: [{ method: "cash", amount: 15 }],
};
/** Where a sale is broken off: in most protocols the receipt is open at the first of these. */
const FRAME_MIN = 7;
const FRAME_MAX = 16;

/** Takes text for commands, and never answers: it cannot be found, only left alone. */
const MUTE_MODEL = "xonxoff";
/**
 * Set to a lower level whose frames would be letters to other devices: what asks for it is sent
 * only to lines that somebody has registered for such a device.
 */
const NUMBERED_MODEL = "mobile";
const ALL_MODELS = [...SIMULATORS].flatMap(([driver, models]) =>
  [...models].map(([model, { timezone }]) => ({ driver, model, timezone })),
);
const MODELS = ALL_MODELS.filter(({ model }) => model !== MUTE_MODEL && model !== NUMBERED_MODEL);

/** Books without what asking may change: frames that were counted, and the time that passed. */
function fiscalBooks(device: SimulatedDevice): Record<string, unknown> {
  const { frames: _frames, repeats: _repeats, clock: _clock, ...rest } = device.books();
  return rest;
}

/** A line that is asked, and the time in which it lives. */
interface Asked {
  readonly time: SimulatedTime;
  openLine(): Promise<Line>;
}

const AT_A_PORT = { transport: "serial", address: "/dev/printer?baud=115200" } as const;
/** All drivers ask on one connection there. */
const AT_A_HOST = { transport: "tcp", host: "printer", port: 9100 } as const;

function detect(
  asked: Asked,
  drivers: readonly DriverId[],
  target: typeof AT_A_PORT | typeof AT_A_HOST = AT_A_PORT,
): Promise<DetectionReport> {
  const { clock } = asked.time;
  const environment: DetectorEnvironment = {
    clock,
    log: createLog({ level: "silent", clock }),
    random: seededDice(SEED),
    drivers: [...DRIVERS.values()],
    openLine: () => asked.openLine(),
    listPorts: () => [],
    addressKeys: () => Promise.resolve([]),
    portUser: () => undefined,
    registered: () => [],
  };
  const { signal } = new AbortController();
  return asked.time.run(detectDevices({ target, drivers, signal }, environment));
}

/** Leaves a receipt open, as a gateway does that loses its line half-way. */
async function breakOffSale(device: SimulatedDevice): Promise<void> {
  const command = { id: "cmd_1", type: "print_receipt", payload: SALE } as const;
  for (let frame = FRAME_MIN; device.books().openDocument === null; frame += 1) {
    if (frame > FRAME_MAX) throw new Error("no frame of the sale leaves a receipt open");
    const session = await device.connect();
    await device.fault({ kind: "drop_before", at: frame });
    const ending = session.execute({ ...command, original: undefined }, new RecordedProgress());
    expect(await ending.catch((error: unknown) => error)).toBeInstanceOf(Error);
    session.close();
    await device.clear();
  }
}

/** Switches a device on for a test. */
async function withDevice(
  placement: (typeof MODELS)[number],
  look: (device: SimulatedDevice) => Promise<void>,
): Promise<void> {
  const device = await SimulatedDevice.start(placement);
  try {
    await look(device);
  } finally {
    await device.stop();
  }
}

for (const kind of MODELS) {
  describe(`a device of ${kind.driver}, ${kind.model}`, () => {
    const { driver } = kind;

    test.concurrent("is found in the middle of a receipt, which stays as it is", () =>
      withDevice(kind, async (device) => {
        await breakOffSale(device);
        const before = fiscalBooks(device);
        expect(before.openDocument).not.toBeNull();
        const report = await detect(device, [...DRIVERS.keys()]);
        expect(report.found.map((found) => found.driver)).toEqual([driver]);
        expect(report.tried).toMatchObject([{ outcome: "found" }]);
        expect(fiscalBooks(device)).toEqual(before);
      }));

    test.concurrent("is found on one connection on which all drivers ask, and stays as it is", () =>
      withDevice(kind, async (device) => {
        await breakOffSale(device);
        const before = fiscalBooks(device);
        let opened = 0;
        const asked: Asked = {
          time: device.time,
          openLine: () => {
            opened += 1;
            return device.openLine();
          },
        };
        const report = await detect(asked, [...DRIVERS.keys()], AT_A_HOST);
        expect(report.found.map((found) => found.driver)).toEqual([driver]);
        expect({ opened, books: fiscalBooks(device) }).toEqual({ opened: 1, books: before });
      }));

    test.concurrent("is none of any other driver's, and is not touched by their asking", () =>
      withDevice(kind, async (device) => {
        await breakOffSale(device);
        const before = fiscalBooks(device);
        const others = [...DRIVERS.keys()].filter((id) => id !== driver);
        const report = await detect(device, others);
        expect(report.found).toEqual([]);
        expect(fiscalBooks(device)).toEqual(before);
      }));

    test.concurrent("takes nothing of what it hears at a wrong speed for a command", () =>
      withDevice(kind, async (device) => {
        await breakOffSale(device);
        const before = fiscalBooks(device);
        const line = await device.openLine();
        for (const bytes of await firstBytes()) {
          for (const senderBaud of SPEEDS_BAUD) {
            for (const receiverBaud of SPEEDS_BAUD) {
              line.write(heardAtAnotherSpeed(bytes, senderBaud, receiverBaud));
            }
          }
        }
        line.close();
        // The device has taken all of it in when it answers on the next line.
        const report = await detect(device, [driver]);
        expect(report.found).toHaveLength(1);
        expect(fiscalBooks(device)).toEqual(before);
      }));
  });
}

test("a device that takes text and never answers is not found, and sells nothing", () =>
  withDevice({ driver: "custom.serial", model: MUTE_MODEL, timezone: "UTC" }, async (device) => {
    const line = await device.openLine();
    line.write(Buffer.from('"Coffee"2*150H1R'));
    // Heard before time passes.
    await device.time.run(device.time.sleep(0));
    expect(device.books().openDocument).not.toBeNull();
    line.close();
    const before = fiscalBooks(device);
    const report = await detect(device, [...DRIVERS.keys()]);
    expect(report.tried).toMatchObject([{ outcome: "silent" }]);
    expect(fiscalBooks(device)).toEqual(before);
  }));

test("a device with numbered frames is not found, and not touched", () =>
  withDevice(
    { driver: "vendorF.shtrih", model: NUMBERED_MODEL, timezone: "UTC" },
    async (device) => {
      await breakOffSale(device);
      const before = fiscalBooks(device);
      const report = await detect(device, [...DRIVERS.keys()]);
      expect(report.tried).toMatchObject([{ outcome: "silent" }]);
      expect(fiscalBooks(device)).toEqual(before);
    },
  ));

let recorded: Promise<readonly Uint8Array[]> | undefined;

/** What the drivers send to a line on which nothing answers: nothing else reaches a stranger. */
function firstBytes(): Promise<readonly Uint8Array[]> {
  recorded ??= recordFirstBytes();
  return recorded;
}

async function recordFirstBytes(): Promise<readonly Uint8Array[]> {
  const said: Uint8Array[] = [];
  const dumb: Line = { write: (bytes) => said.push(bytes.slice()), listen() {}, close() {} };
  const report = await detect({ time: new SimulatedTime(), openLine: async () => dumb }, [
    ...DRIVERS.keys(),
  ]);
  if (report.tried[0]?.outcome !== "silent") throw new FiscalError("E900", "somebody answered");
  return said;
}

describe("what is sent where nothing has answered yet", () => {
  test("holds no line end, no escape, and of letters only the Z of one ISL frame", async () => {
    const said = Buffer.concat([...(await firstBytes())]);
    expect(said.length).toBeGreaterThan(0);
    for (const end of ["\r", "\n", "\f", "\u001b"]) expect(said.includes(end)).toBe(false);
    expect(new Set(said.toString("latin1").match(/[A-Za-z]/g))).toEqual(new Set(["Z"]));
  });

  test("starts with single control bytes", async () => {
    const [first] = await firstBytes();
    expect(first).toHaveLength(1);
  });
});
