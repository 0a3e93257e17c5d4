/** What an owner has accepted of a printer that was ahead is known from then on, whatever starts follow. */

import { describe, expect, test } from "bun:test";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { accept, MODELS, receiptsOf } from "./outages/restored.ts";
import { alertsOf, COMPLETED, endOf, inWorld, run, sell, untilAlert } from "./outages/scene.ts";

/** The state directory, and the folder beside it that counts the starts too. */
const DISK = ["state", "state-starts"] as const;

async function copy(world: World, names: readonly string[], to: string): Promise<void> {
  for (const name of names) {
    await cp(join(world.folder, name), join(world.folder, `${to}-${name}`), { recursive: true });
  }
}

async function putBack(world: World, names: readonly string[], from: string): Promise<void> {
  for (const name of names) {
    await rm(join(world.folder, name), { recursive: true });
    await cp(join(world.folder, `${from}-${name}`), join(world.folder, name), { recursive: true });
  }
}

/** How often the printer has told of its last document, as far as the gateway knows. */
async function timesTold({ till }: World): Promise<number> {
  return (await till.list("&type=get_last_receipt_info&status=completed")).length;
}

/** Starts the gateway again, until the printer has told what it printed last. */
async function startAnew(world: World, settings: readonly string[]): Promise<void> {
  const before = await timesTold(world);
  await world.killGateway();
  await world.restartGateway(settings);
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
  await world.killGateway();
  await copy(world, DISK, "image");
  await world.restartGateway();
  expect(endOf(await sell(world))).toEqual(COMPLETED);
  await world.killGateway();
  await putBack(world, DISK, "image");
  await world.restartGateway();
  await untilAlert(world, "documents_unknown");
  await world.killGateway();
  await copy(world, ["state"], "copy");
  await world.restartGateway();
  for (let sale = 1; sale <= 3; sale += 1) expect(endOf(await sell(world))).toEqual(COMPLETED);
  await world.killGateway();
  await putBack(world, ["state"], "copy");
  await world.restartGateway(settings);
  await untilAlert(world, "state_restored");
}

/** An owner's word at the box, beside the gateway. */
async function acceptAtTheBox({ folder, deviceId }: World): Promise<void> {
  const words = ["device", "accept", deviceId, "--state-dir", join(folder, "state")];
  expect(await runToEnd([await executable(), ...words])).toMatchObject({ code: 0 });
}

async function acceptInThePortal(world: World): Promise<void> {
  expect((await accept(world)).status).toBe(200);
}

describe.each(MODELS)("an accepted $driver $model", (options) => {
  test.concurrent.each([
    ["alert", "in the portal", acceptInThePortal],
    ["hold", "at the box", acceptAtTheBox],
  ] as const)("asks for nothing again, with whenAhead = %s, accepted %s", (whenAhead, _, say) =>
    inWorld(options, async (world) => {
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
