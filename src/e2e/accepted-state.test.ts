/** What an owner has accepted of a printer that was ahead is known from then on, whatever starts follow. */

import { describe, expect, test } from "bun:test";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import {
  accept,
  copyState,
  image,
  MODELS,
  meanwhile,
  putBack,
  putStateBack,
  receiptsOf,
} from "./outages/restored.ts";
import { alertsOf, COMPLETED, endOf, inWorlds, run, sell, untilAlert } from "./outages/scene.ts";

/** How often the printer has told of its last document, as far as the gateway knows. */
async function timesTold({ till, deviceId }: World): Promise<number> {
  const told = `&deviceId=${deviceId}&type=get_last_receipt_info&status=completed`;
  return (await till.list(told)).length;
}

/** Starts the gateway again, until the printer has told what it printed last. */
async function startAnew(world: World, settings: readonly string[]): Promise<void> {
  const before = await timesTold(world);
  await meanwhile(world, async () => undefined, settings);
  await until("the printer's word", async () => (await timesTold(world)) > before);
  // What it told is stored behind that: a read of the same printer ends after it.
  expect((await run(world, "get_status")).status).toBe("completed");
}

/**
 * A shop on the copy of a state in which a person was asked already what somebody had rung up, with a
 * printer that has printed more since the copy was made.
 */
async function shopOnCopy(world: World, settings: readonly string[]): Promise<void> {
  expect(endOf(await sell(world))).toEqual(COMPLETED);
  await meanwhile(world, image(world));
  expect(endOf(await sell(world))).toEqual(COMPLETED);
  await meanwhile(world, putBack(world));
  await untilAlert(world, "documents_unknown");
  await meanwhile(world, copyState(world));
  for (let sale = 1; sale <= 3; sale += 1) expect(endOf(await sell(world))).toEqual(COMPLETED);
  await meanwhile(world, putStateBack(world), settings);
  await untilAlert(world, "state_restored");
}

/** An owner's word at the box, beside the gateway. */
async function acceptAtTheBox({ premises, deviceId }: World): Promise<void> {
  const words = ["device", "accept", deviceId, "--state-dir", premises.stateDir];
  expect(await runToEnd([await executable(), ...words])).toMatchObject({ code: 0 });
}

async function acceptInThePortal(world: World): Promise<void> {
  expect((await accept(world)).status).toBe(200);
}

describe("an accepted printer", () => {
  test.concurrent.each([
    ["alert", "in the portal", acceptInThePortal],
    ["hold", "at the box", acceptAtTheBox],
  ] as const)("asks for nothing again, with whenAhead = %s, accepted %s", (whenAhead, _, say) =>
    inWorlds(MODELS, async (world) => {
      const settings = [`--printers-when-ahead=${whenAhead}`];
      await shopOnCopy(world, settings);
      const printed = await receiptsOf(world);
      await say(world);
      await until("no alert", async () => (await alertsOf(world)).length === 0);
      for (let start = 1; start <= 2; start += 1) {
        await startAnew(world, settings);
        expect({ start, alerts: await alertsOf(world) }).toEqual({ start, alerts: [] });
      }
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await receiptsOf(world)).toBe(printed + 1);
      await startAnew(world, settings);
      expect(await alertsOf(world)).toEqual([]);
    }),
  );
});
