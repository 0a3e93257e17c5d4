/**
 * What a printer's last receipt says of one in doubt, with a printer of each family: it never speaks
 * against one that was printed, nor for one that was not.
 */

import { describe, expect, test } from "bun:test";
import { SALE, TOTAL_MINOR } from "./crash/documents.ts";
import { quieten } from "./crash/run.ts";
import type { ShownCommand } from "./harness/gateway.ts";
import type { World } from "./harness/world.ts";
import {
  accept,
  copyState,
  FAMILIES,
  meanwhile,
  putStateBack,
  receiptsOf,
} from "./outages/restored.ts";
import {
  COMPLETED,
  endOf,
  inWorld,
  resolve,
  run,
  sell,
  switchOff,
  UNKNOWN,
  untilAlert,
} from "./outages/scene.ts";

/** A frame, or the first one of a command. */
type Aim = { readonly at: number; readonly command?: number };

/** A frame of a sale that is not the first one, which ends with it or is paid: its answer is lost. */
const ENDED_BY: Readonly<Record<(typeof FAMILIES)[number]["driver"], Aim>> = {
  "vendorA.isl": { at: 9 },
  "vendorE.zfp": { at: 13 },
  "vendorF.shtrih": { at: 1, command: 0x85 },
  "custom.serial": { at: 20 },
};
/** By which a Shtrih-M printer tells the sum before the receipt is closed. */
const BEFORE_CLOSING: Aim = { at: 1, command: 0x89 };

interface Asked {
  readonly lastReceipt: { readonly receiptNumber: string | null };
  readonly commandId: string;
  readonly before: string | null;
  readonly indicates: string | null;
}

const ask = (world: World, { id }: Pick<ShownCommand, "id">): Promise<Asked> =>
  world.till.expect("GET", `/commands/${id}/last-receipt`);

/** Takes the line away at a frame of a sale, while somebody rings up by hand. */
async function sellInDoubt(world: World, aim: Aim): Promise<ShownCommand> {
  await quieten(world);
  const then = { when: "after", ...aim, repeats: "passed_over" };
  const byHand = { deed: "ring_up", amountMinor: TOTAL_MINOR };
  await world.printer.fault({ kind: "other_hands", ...byHand, ...then });
  await world.printer.fault({ kind: "unplug", ms: 100, ...then });
  const command = await sell(world);
  expect(endOf(command)).toEqual(UNKNOWN);
  return command;
}

async function namesOf(world: World): Promise<(string | undefined)[]> {
  return (await world.printer.books()).receipts.map(({ items }) => items[0]?.name);
}

describe.each(FAMILIES)("the last receipt of a $driver", (options) => {
  test.concurrent("never speaks for a No where ours was printed before somebody else's", () =>
    inWorld(options, async (world) => {
      // The first one of a day takes other frames.
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      // On some these have numbers too, on others they have none.
      for (const type of ["x_report", "x_report", "x_report"]) await run(world, type);
      const doubtful = await sellInDoubt(world, ENDED_BY[options.driver]);
      expect(await namesOf(world)).toEqual(["Bread", "Bread", "Bread", "Foreign"]);
      expect(await ask(world, doubtful)).toMatchObject({
        ...{ commandId: doubtful.id, before: "2", indicates: "another" },
      });
      await resolve(world, doubtful.id, { outcome: "printed" });
      // It is open no more.
      expect(await ask(world, doubtful)).toMatchObject({ before: null, indicates: null });
    }));
});

test.concurrent("the last receipt of a printer that tells no amount never speaks for a Yes by its number", () =>
  inWorld({ driver: "vendorF.shtrih" }, async (world) => {
    expect(endOf(await sell(world))).toEqual(COMPLETED);
    const doubtful = await sellInDoubt(world, BEFORE_CLOSING);
    expect(await namesOf(world)).toEqual(["Bread", "Foreign"]);
    expect(await ask(world, doubtful)).toMatchObject({ before: "1", indicates: "since" });
  }));

test.concurrent("the last receipt speaks for a No where only another paper came since", () =>
  inWorld({ model: "x" }, async (world) => {
    expect(endOf(await sell(world))).toEqual(COMPLETED);
    await switchOff(world);
    const waiting = await world.till.submit(world.deviceId, SALE.type, SALE.payload);
    await meanwhile(world, copyState(world));
    await world.till.expect("DELETE", `/commands/${waiting.id}`);
    await world.restartPrinter();
    expect((await run(world, "x_report")).status).toBe("completed");
    await meanwhile(world, putStateBack(world));
    await untilAlert(world, "state_restored");
    expect((await accept(world)).status).toBe(200);
    expect(endOf(await world.till.wait(waiting.id))).toMatchObject({ outcome: "unknown" });
    expect(await receiptsOf(world)).toBe(1);
    expect(await ask(world, waiting)).toMatchObject({ before: "1", indicates: "not_printed" });
  }));
