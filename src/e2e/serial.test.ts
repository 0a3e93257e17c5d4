/**
 * The executable with a printer on a serial port: a pseudo-terminal with the simulated printer at
 * its other end, each a process of its own, either of which is killed, or the cable is pulled.
 */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openSerial } from "#drivers/transport/serial.ts";
import { systemClock } from "../platform/clock.ts";
import { SALE, TOTAL_MINOR } from "./crash/documents.ts";
import { quieten } from "./crash/run.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { inWorlds, sharedShop } from "./outages/scene.ts";

/** Frames of a sale: the opening, a line, a payment and the closing are among them. */
const FRAMES = [2, 4, 6, 8] as const;

const SERIAL = { serial: true } as const;
const inShop = sharedShop();

/** Its printer has printed one receipt. */
async function begin(world: World): Promise<void> {
  await sell(world);
  await quieten(world);
}

/** Carries out a play at a printer on a serial port of its own, in a shop that it leaves alone. */
function inSerialWorld(play: (world: World) => Promise<void>): Promise<void> {
  return inShop(SERIAL, async (world) => {
    await begin(world);
    await play(world);
  });
}

async function sell(world: World): Promise<void> {
  const { id } = await world.till.submit(world.deviceId, SALE.type, SALE.payload);
  expect(await world.till.wait(id)).toMatchObject({ status: "completed" });
}

/** Submits a sale that a fault strikes; what is told must stand in the printer's books, once. */
async function expectTruth(
  world: World,
  fault: Readonly<Record<string, unknown>>,
  struck: (frames: number) => Promise<void>,
): Promise<void> {
  const { documentNumber, frames } = await world.printer.books();
  await world.printer.fault(fault);
  const { id } = await world.till.submit(world.deviceId, SALE.type, SALE.payload);
  await struck(frames);
  const command = await world.till.wait(id);
  const { receipts, openDocument } = await world.printer.books(documentNumber);
  const label = JSON.stringify(command.result);
  expect({ label, openDocument, totals: receipts.map(({ total }) => total) }).toEqual({
    label,
    openDocument: null,
    totals: command.status === "completed" ? [TOTAL_MINOR] : [],
  });
  const [receipt] = receipts;
  if (receipt) expect(command.result?.fiscalId).toBe(String(receipt.number));
  else expect(command.result?.data?.outcome).toBe("not_printed");
}

/** Lets the printer carry out frames up to this one and fall silent, then takes something away. */
function expectTruthAfter(world: World, frame: number, take: () => Promise<void>): Promise<void> {
  const fault = { kind: "silent_after", at: frame, count: 100_000 };
  return expectTruth(world, fault, async (frames) => {
    await until(`frame ${frame}`, async () => (await world.printer.frames()) >= frames + frame);
    await take();
  });
}

describe("a printer on a serial port", () => {
  for (const frame of FRAMES) {
    test.concurrent(`whose cable is pulled at frame ${frame} and put back is told of truly`, () =>
      inSerialWorld(async (world) => {
        const fault = { kind: "unplug", when: "after", ms: 600, at: frame };
        await expectTruth(world, fault, () => Promise.resolve());
        await sell(world);
      }));

    test.concurrent(`is told of truly when its own process is killed at frame ${frame}`, () =>
      inSerialWorld((world) => expectTruthAfter(world, frame, () => world.restartPrinter())));
  }

  test.concurrent("is told of truly when the gateway is killed at any frame", () =>
    inWorlds(
      FRAMES.map((frame) => ({ ...SERIAL, frame })),
      async (world, { frame }) => {
        await begin(world);
        await expectTruthAfter(world, frame, async () => {
          await world.killGateway();
          await world.printer.clear();
          await world.restartGateway();
        });
      },
    ));

  test.concurrent("is not to be had for a second program while the gateway has it", () =>
    inSerialWorld(async (world) => {
      const setTimer = systemClock.setTimer.bind(systemClock);
      const opening = openSerial({ path: join(world.folder, "port") }, { setTimer });
      const refusal = await opening.catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "E100", message: expect.stringContaining("in use") });
      await sell(world);
    }));
});
