/** A receipt that a person called not printed, while one stands open on the printer, paid. */

import { describe, expect, test } from "bun:test";
import { TOTAL_MINOR } from "./crash/documents.ts";
import type { World } from "./harness/world.ts";
import {
  alertsOf,
  COFFEE_MINOR,
  COMPLETED,
  endOf,
  inWorld,
  MODELS,
  makeUnknown,
  notPrinted,
  resolve,
  run,
  sell,
  sellByOtherHost,
  statusOf,
} from "./outages/scene.ts";

describe.each([...MODELS])("on model %s", (model) => {
  test.concurrent("it is never finished: the person is asked again, and everything that prints waits", () =>
    inWorld({ model }, async (world) => {
      const { id } = await makeUnknown(world, model);
      await resolve(world, id, { outcome: "not_printed" });
      await sellByOtherHost(world, model, "paid");
      const { documentNumber, receiptCount, openDocument } = await world.printer.books();
      expect(openDocument).not.toBeNull();
      expect(endOf(await sell(world))).toEqual(notPrinted("E301"));
      expect(await world.printer.books()).toMatchObject({ receiptCount, openDocument });
      expect(await alertsOf(world)).toContain("outcome_unknown");
      const slip = await world.till.submit(world.deviceId, "non_fiscal_receipt", {
        lines: ["a"],
      });
      expect((await run(world, "get_status")).status).toBe("completed");
      expect(await statusOf(world, slip.id)).toBe("pending");
      expect(await world.printer.books()).toMatchObject({ receiptCount, openDocument });

      // The person looks again: it is to be a receipt after all.
      await resolve(world, id, { outcome: "printed" });
      expect((await world.till.wait(slip.id)).status).toBe("completed");
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const { receipts } = await world.printer.books(documentNumber - 1);
      const totals = receipts.map(({ total }) => total).slice(-2);
      expect(totals).toEqual([COFFEE_MINOR, TOTAL_MINOR]);
    }));

  test.concurrent("a report or cash movement that it refuses asks the person nothing", () =>
    inWorld({ model }, async (world) => {
      const { id } = await makeUnknown(world, model);
      await resolve(world, id, { outcome: "not_printed" });
      await sellByOtherHost(world, model, "paid");
      const books = await world.printer.books();
      expect(endOf(await run(world, "x_report"))).toMatchObject({ errorCode: "E301" });
      expect(endOf(await run(world, "cash_in", { amount: 5 }))).toEqual(notPrinted("E301"));
      expect(await alertsOf(world)).not.toContain("outcome_unknown");
      expect(await resolutionOf(world, id)).toMatchObject({ outcome: "not_printed" });
      expect(await world.printer.books()).toMatchObject({ openDocument: books.openDocument });
      // Nothing is held: what puts receipts away finds it, and the person is asked.
      expect(endOf(await sell(world))).toEqual(notPrinted("E301"));
      expect(await alertsOf(world)).toContain("outcome_unknown");
      expect(await resolutionOf(world, id)).toMatchObject({ outcome: null });
    }));
});

/** What a person has said of a command. */
async function resolutionOf({ till }: World, commandId: string): Promise<unknown> {
  const { command } = await till.expect<{ command: { resolution?: unknown } }>(
    "GET",
    `/commands/${commandId}`,
  );
  return command.resolution;
}
