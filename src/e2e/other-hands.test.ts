/**
 * Somebody else at the printer, or another printer in its place: receipts begun and printed by
 * another host, also while one of ours is in doubt, and printers that were exchanged.
 */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { SALE, TOTAL_MINOR } from "./crash/documents.ts";
import { countFrames, quieten } from "./crash/run.ts";
import { ApiClient } from "./harness/gateway.ts";
import { startPrinter } from "./harness/simulator.ts";
import type { World } from "./harness/world.ts";
import {
  alertsOf,
  COFFEE_MINOR,
  COMPLETED,
  endOf,
  GENERATIONS,
  inWorld,
  inWorlds,
  MODELS,
  makeUnknown,
  type OutageModel,
  resolve,
  run,
  sell,
  sellByOtherHost,
  sellUpTo,
  sellWithAnotherHost,
  sharedShop,
  statusOf,
  submitSale,
  UNKNOWN,
  untilAlert,
} from "./outages/scene.ts";

const NOT_PRINTED = { ...UNKNOWN, outcome: "not_printed" };
/** The first payment, a look, the second one, the closing. */
const FRAMES_FROM_PAYMENT = 4;

const inShop = sharedShop();

async function totalsOf(world: World, after = 0): Promise<number[]> {
  return (await world.printer.books(after)).receipts.map(({ total }) => total);
}

describe("a receipt that somebody else left open", () => {
  for (const model of MODELS) {
    for (const extent of ["open", "sold", "paid"] as const) {
      test.concurrent(`on model ${model} is put away before ours, which stands alone: ${extent}`, () =>
        inShop({ model }, async (world) => {
          await sellByOtherHost(world, model, extent);
          const command = await sell(world);
          expect(endOf(command)).toEqual(COMPLETED);
          const { receipts, cancelled, openDocument } = await world.printer.books();
          expect(openDocument).toBeNull();
          // What is paid can only be finished; it is a receipt of its own then.
          const isPaid = extent === "paid";
          expect(receipts.map(({ total }) => total)).toEqual(
            isPaid ? [COFFEE_MINOR, TOTAL_MINOR] : [TOTAL_MINOR],
          );
          expect(cancelled).toHaveLength(isPaid ? 0 : 1);
          expect(command.result?.fiscalId).toBe(String(receipts.at(-1)?.number));
        }));
    }
  }
});

describe("a receipt in doubt, while somebody else prints", () => {
  test.concurrent("is never told as what it is not, whatever frame broke off", () =>
    inWorlds(GENERATIONS, async (world, { model }) => {
      const frames = await countFrames(world, SALE);
      for (let frame = 1; frame <= frames; frame += 1) {
        const { command, printed } = await sellWithAnotherHost(world, model, frame);
        const ours = printed.filter(({ total }) => total === TOTAL_MINOR);
        const { status, outcome } = endOf(command);
        if (status === "completed") {
          expect(ours).toHaveLength(1);
          // Where another one was printed too, a number that is not proven is left out.
          const { fiscalId = String(ours[0]?.number) } = command.result ?? {};
          expect(fiscalId).toBe(String(ours[0]?.number));
          continue;
        }
        expect(status).toBe("failed");
        if (outcome === "unknown") {
          await resolve(world, command.id, {
            outcome: ours.length > 0 ? "printed" : "not_printed",
          });
        } else {
          expect({ frame, outcome, ours }).toEqual({ frame, outcome: "not_printed", ours: [] });
        }
      }
    }));

  const WORDS = GENERATIONS.flatMap((printer) =>
    (["printed", "not_printed"] as const).map((outcome) => ({ ...printer, outcome })),
  );

  test.concurrent("holds fiscal documents until a person says what became of it", () =>
    inWorlds(WORDS, async (world, { model, outcome }) => {
      const { id } = await makeUnknown(world, model);
      await untilAlert(world, "outcome_unknown");
      const next = await submitSale(world);
      expect((await run(world, "get_status")).status).toBe("completed");
      expect(await statusOf(world, next.id)).toBe("pending");

      // A restart changes nothing: the hold is on disk.
      await world.killGateway();
      await world.restartGateway();
      expect((await run(world, "get_status")).status).toBe("completed");
      expect(await statusOf(world, next.id)).toBe("pending");
      expect(await alertsOf(world)).toContain("outcome_unknown");

      const before = await world.printer.books();
      const fiscalId = String(before.receipts.at(-2)?.number);
      await resolve(world, id, outcome === "printed" ? { outcome, fiscalId } : { outcome });
      expect(endOf(await world.till.wait(next.id))).toEqual(COMPLETED);
      expect(await totalsOf(world, before.documentNumber)).toEqual([TOTAL_MINOR]);
      expect(await alertsOf(world)).not.toContain("outcome_unknown");
    }));
});

describe("a printer that is exchanged", () => {
  /** Takes the printer away and puts another one, with books of its own, at its address. */
  const exchange = async (world: World, model: OutageModel, books: string): Promise<void> => {
    const place = world.printer;
    await world.printer.kill();
    world.printer = await startPrinter({ stateFile: join(world.folder, books), model, place });
  };

  /** Each frame of a sale but the first, for a printer of its own: to hear of one takes half a minute. */
  const framesOfSale = async () => {
    let frames = 0;
    await inShop({}, async (world) => {
      frames = await countFrames(world, SALE);
    });
    return Array.from({ length: frames - 1 }, (_, fromEnd) => ({ model: "x", fromEnd }) as const);
  };

  test.concurrent("in the middle of a receipt is left alone, and the old one tells of it", async () =>
    inWorlds(await framesOfSale(), async (world, { fromEnd }) => {
      const frames = await countFrames(world, SALE);
      const frame = frames - fromEnd;
      await quieten(world);
      const { receiptCount } = await world.printer.books();
      const id = await sellUpTo(world, frame);
      await exchange(world, "p", "other.state");
      await untilAlert(world, "other_printer");
      expect(await statusOf(world, id)).toBe("processing");
      const { documentNumber, openDocument } = await world.printer.books();
      expect({ documentNumber, openDocument }).toEqual({
        documentNumber: 0,
        openDocument: null,
      });

      await exchange(world, "x", "printer.state");
      const isPrinted = (await world.printer.books()).receiptCount > receiptCount;
      expect(isPrinted).toBe(frame === frames);
      // From the first of two payments on the receipt can only be finished.
      const isPaid = frame > frames - FRAMES_FROM_PAYMENT;
      const told = isPaid ? COMPLETED : NOT_PRINTED;
      expect({ frame, ...endOf(await world.till.wait(id)) }).toEqual({ frame, ...told });
      // What still stood open on the first printer is put away, and the next receipt stands.
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const after = await world.printer.books();
      expect(after.receiptCount).toBe(receiptCount + (isPaid ? 2 : 1));
    }));

  test.concurrent("while the gateway is down tells nothing of the receipt that broke off", () =>
    inWorld({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const id = await sellUpTo(world, "closing");
      await world.killGateway();
      await exchange(world, "p", "other.state");
      // As many documents as the old one had before ours: by its count nothing was printed.
      await sellByOtherHost(world, "p", "closed");
      await world.restartGateway();
      await untilAlert(world, "other_printer");
      expect(await statusOf(world, id)).toBe("processing");
      // It takes the place of the old one for good.
      const owner = new ApiClient(world.gateway.url, world.ownerToken);
      await owner.expect("POST", `/devices/${world.deviceId}/accept-printer`);
      expect(endOf(await world.till.wait(id))).toEqual(UNKNOWN);
      await untilAlert(world, "outcome_unknown");
      await resolve(world, id, { outcome: "printed" });
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await totalsOf(world)).toEqual([COFFEE_MINOR, TOTAL_MINOR]);
    }));

  test.concurrent("before anything of a receipt was on the old one does not print it", () =>
    inShop({}, async (world) => {
      const id = await sellUpTo(world, 1);
      await exchange(world, "p", "other.state");
      expect(endOf(await world.till.wait(id))).toEqual(NOT_PRINTED);
      await untilAlert(world, "other_printer");
      expect(await totalsOf(world)).toEqual([]);
    }));

  test.concurrent("for the same one with an older memory tells nothing either", () =>
    inShop({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const id = await sellUpTo(world, "closing");
      await exchange(world, "x", "empty.state");
      expect(endOf(await world.till.wait(id))).toEqual(UNKNOWN);
    }));
});
