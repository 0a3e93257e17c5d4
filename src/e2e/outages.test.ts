/**
 * Printers that are off, out of paper, open or full, and gateways that are stopped: what the till
 * is told is compared with the printer's own books each time.
 */

import { describe, expect, test } from "bun:test";
import { SALE, TOTAL_MINOR } from "./crash/documents.ts";
import { countFrames, quieten } from "./crash/run.ts";
import type { ShownCommand } from "./harness/gateway.ts";
import { startOwnProcess } from "./harness/own-process.ts";
import { executable } from "./harness/program.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import {
  alertsOf,
  atFrame,
  COMPLETED,
  endOf,
  GENERATIONS,
  inWorld,
  inWorlds,
  isFinal,
  MODELS,
  notPrinted,
  type OutageModel,
  run,
  sell,
  sharedShop,
  statusOf,
  submitSale,
  untilAlert,
  untilNoAlert,
} from "./outages/scene.ts";

const inShop = sharedShop();

/** What can stop a printer in the middle of a receipt until a person acts. */
const STOPPERS = [
  { fault: { kind: "paper_out", mode: "refused" }, alert: "paper_out", code: "E306" },
  { fault: { kind: "paper_out", mode: "registered" }, alert: "paper_out", code: "E306" },
  { fault: { kind: "cover_open" }, alert: "cover_open", code: "E307" },
] as const;
type Stopper = (typeof STOPPERS)[number];

/** Two payments and the closing; with short frames the number is asked for before and behind it. */
const FRAMES_FROM_PAYMENT = { x: 4, p: 7 } as const;

describe("a printer that is off", () => {
  test.concurrent("prints what was submitted meanwhile when it is switched on", () =>
    inShop({}, async (world) => {
      await world.printer.kill();
      const { id } = await submitSale(world);
      await untilAlert(world, "device_disconnected");
      expect(isFinal(await statusOf(world, id))).toBe(false);

      await world.restartPrinter();
      const command = await world.till.wait(id);
      expect(endOf(command)).toEqual(COMPLETED);
      const { receipts } = await world.printer.books();
      expect(receipts.map(({ number, total }) => ({ number: String(number), total }))).toEqual([
        { number: command.result?.fiscalId ?? "", total: TOTAL_MINOR },
      ]);
      expect(await alertsOf(world)).toEqual([]);
    }));

  test.concurrent("does not print later what has timed out meanwhile", () =>
    inWorld({ args: ["--commands-overall-seconds=10"] }, async (world) => {
      await world.printer.kill();
      const timedOut = await sell(world);
      expect(endOf(timedOut)).toEqual({
        status: "timeout",
        errorCode: "E500",
        outcome: "not_printed",
      });

      await world.restartPrinter();
      await until("the printer", async () => !(await alertsOf(world)).length);
      // Commands of one device run in order: when this one is done, nothing older can follow.
      await quieten(world);
      const { receipts, documentNumber } = await world.printer.books();
      expect({ receipts, documentNumber }).toEqual({ receipts: [], documentNumber: 0 });
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect((await world.printer.books()).receiptCount).toBe(1);
    }));
});

/**
 * The frames of a sale at which a stopped printer makes the receipt wait. Before them it fails
 * without a receipt; after them it is printed already. Long frames tell a refusal from a state of
 * the device, short ones do not.
 */
function waitingFrames(model: OutageModel, { fault }: Stopper, frames: number): [number, number] {
  if (model === "p") return [4, frames - 1];
  const isRegistered = fault.kind === "paper_out" && fault.mode === "registered";
  return isRegistered ? [2, frames - 1] : [3, frames];
}

/** Stops the printer at a frame of a sale, mends it when that shows, and compares with the books. */
async function stopAndMend(
  world: World,
  stopper: Stopper,
  stop: { readonly at: number; readonly waits: boolean },
): Promise<ShownCommand> {
  await quieten(world);
  const before = await world.printer.books();
  await world.printer.fault({ ...stopper.fault, at: stop.at });
  const { id } = await submitSale(world);
  if (stop.waits) {
    await untilAlert(world, stopper.alert);
    expect(await statusOf(world, id)).toBe("processing");
  } else {
    expect((await world.till.wait(id)).status).not.toBe("processing");
    await untilAlert(world, stopper.alert);
  }
  await world.printer.clear();

  const command = await world.till.wait(id);
  const { receipts, openDocument } = await world.printer.books(before.documentNumber);
  expect(openDocument).toBeNull();
  expect(receipts.map(({ number, total }) => ({ number, total }))).toEqual(
    command.status === "completed"
      ? [{ number: Number(command.result?.fiscalId), total: TOTAL_MINOR }]
      : [],
  );
  return command;
}

describe("a printer that stops in the middle of a receipt", () => {
  for (const model of MODELS) {
    for (const stopper of STOPPERS) {
      const name = Object.values(stopper.fault).join(" ");
      test.concurrent(`on model ${model} goes on when it is mended and prints it once: ${name} at any frame`, () =>
        inShop({ model }, async (world) => {
          // The first one after a start takes more of them on some printers.
          expect(endOf(await sell(world))).toEqual(COMPLETED);
          const frames = await countFrames(world, SALE);
          const [from, to] = waitingFrames(model, stopper, frames);
          for (let at = 1; at <= frames; at += 1) {
            const waits = from <= at && at <= to;
            const command = await stopAndMend(world, stopper, { at, waits });
            expect({ at, ...endOf(command) }).toEqual({
              at,
              ...(at < from ? notPrinted(stopper.code) : COMPLETED),
            });
            // Nothing was in doubt: the document was only waited for.
            expect(command.result?.data?.recovered).toBeUndefined();
          }
          await quieten(world);
          expect(await alertsOf(world)).toEqual([]);
        }));
    }
  }

  test.concurrent("gives up after the pause limit, and prints the next one", () =>
    inWorlds(
      STOPPERS.map((stopper) => ({ model: "x", ...stopper })),
      async (world, { fault, alert, code }) => {
        await world.printer.fault({ ...fault, at: 4 });
        expect(endOf(await sell(world))).toEqual(notPrinted(code));
        const { receipts, openDocument, cancelled } = await world.printer.books();
        expect({ receipts, openDocument }).toEqual({ receipts: [], openDocument: null });
        expect(cancelled).toHaveLength(1);
        await untilAlert(world, alert);

        await world.printer.clear();
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        expect((await world.printer.books()).receiptCount).toBe(1);
        await untilNoAlert(world, alert);
      },
      ["--commands-pause-seconds=2"],
    ));

  test.concurrent("is waited for beyond the pause limit once a part is paid, which cannot be cancelled", () =>
    inWorld({ args: ["--commands-pause-seconds=1"] }, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const before = await world.printer.books();
      await world.printer.fault({ kind: "paper_out", ...atFrame("closing") });
      const { id } = await submitSale(world);
      await untilAlert(world, "paper_out");
      // The limit is over when the line is opened anew to find out what became of the receipt.
      await until("the resolution", () => world.gateway.output().includes("outcome in doubt"));
      expect(await statusOf(world, id)).toBe("processing");

      await world.printer.clear();
      const command = await world.till.wait(id);
      expect(endOf(command)).toEqual(COMPLETED);
      const { receipts, openDocument } = await world.printer.books(before.documentNumber);
      expect(openDocument).toBeNull();
      expect(receipts.map(({ total }) => total)).toEqual([TOTAL_MINOR]);
      expect(command.result?.fiscalId).toBe(String(receipts[0]?.number));
    }));
});

describe("a printer that cannot print", () => {
  for (const [kind, code] of [
    ["paper_out", "E306"],
    ["cover_open", "E307"],
    ["fiscal_memory_full", "E300"],
    ["day_over", "E303"],
    ["clock_lost", "E305"],
  ] as const) {
    test.concurrent(`refuses a receipt with ${code} before anything of it is on the printer: ${kind}`, () =>
      inShop({}, async (world) => {
        await world.printer.fault({ kind });
        // Frames are counted and clocks go on; of all the rest nothing may change.
        const booked = async () => ({ ...(await world.printer.books()), frames: 0, clock: 0 });
        const before = await booked();
        expect(endOf(await sell(world))).toEqual(notPrinted(code));
        expect(await booked()).toEqual(before);

        await world.printer.clear();
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        expect((await world.printer.books()).receiptCount).toBe(1);
      }));
  }

  test.concurrent("prints again after the Z report that it asked for", () =>
    inShop({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await world.printer.fault({ kind: "day_over" });
      expect(endOf(await sell(world))).toEqual(notPrinted("E303"));
      await untilAlert(world, "z_report_overdue");
      expect((await run(world, "z_report")).status).toBe("completed");
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const { receipts, zNumber } = await world.printer.books();
      expect(receipts).toHaveLength(2);
      expect(zNumber).toBe(1);
      expect(await alertsOf(world)).toEqual([]);
    }));

  test.concurrent("prints again when its lost clock is set", () =>
    inShop({}, async (world) => {
      await world.printer.fault({ kind: "clock_lost" });
      expect(endOf(await sell(world))).toEqual(notPrinted("E305"));
      const datetime = new Date().toISOString();
      const set = await run(world, "set_datetime", { datetime });
      expect(set.result?.errorMessage).toBeUndefined();
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect((await world.printer.books()).receiptCount).toBe(1);
    }));
});

describe("a gateway", () => {
  test.concurrent("that is stopped at any frame of a receipt tells the truth afterwards", () =>
    inWorlds(GENERATIONS, async (world, { model }) => {
      const frames = await countFrames(world, SALE);
      for (let at = 1; at <= frames; at += 1) {
        await quieten(world);
        const before = await world.printer.books();
        await world.printer.fault({ kind: "silent_after", at, count: 100_000 });
        const { id } = await submitSale(world);
        const frame = before.frames + at;
        await until(`frame ${frame}`, async () => (await world.printer.frames()) >= frame);
        await world.premises.stopGateway();
        await world.printer.clear();
        await world.restartGateway();

        const command = await world.till.wait(id);
        const { receipts, openDocument } = await world.printer.books(before.documentNumber);
        expect(openDocument).toBeNull();
        if (receipts.length === 0) expect(endOf(command)).toEqual(notPrinted("E102"));
        else {
          expect(endOf(command)).toEqual(COMPLETED);
          expect(receipts.map(({ number }) => String(number))).toEqual([
            command.result?.fiscalId ?? "",
          ]);
        }
        // From the first payment on the receipt can only be finished.
        expect(receipts).toHaveLength(at > frames - FRAMES_FROM_PAYMENT[model] ? 1 : 0);
      }
    }));

  test.concurrent("does not start on the state of another one, and names its process", () =>
    inShop({}, async (world) => {
      const state = world.premises.stateDir;
      const args = ["serve", `--state-dir=${state}`, "--http-listen=127.0.0.1:0"];
      const second = startOwnProcess([await executable(), ...args]);
      expect(await second.exited).toBe(3);
      expect(second.output()).toContain(String(world.gateway.pid));
      expect(endOf(await sell(world))).toEqual(COMPLETED);
    }));
});
