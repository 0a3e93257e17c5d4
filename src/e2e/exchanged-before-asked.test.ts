/** Another printer is accepted in the place of one that is still to be asked, or that a copy tells of. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ApiClient, registerDevice, type ShownCommand } from "./harness/gateway.ts";
import { ownPlace } from "./harness/own-host.ts";
import { type SimulatedPrinter, startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import {
  copyState,
  FAMILIES,
  image,
  meanwhile,
  putBack,
  putStateBack,
  receiptsOf,
  sellKeyed,
} from "./outages/restored.ts";
import {
  COMPLETED,
  endOf,
  inWorlds,
  sell,
  statusOf,
  submitSale,
  switchOff,
  untilAlert,
} from "./outages/scene.ts";

type Model = (typeof FAMILIES)[number];

const ownerOf = ({ gateway, ownerToken }: World) => new ApiClient(gateway.url, ownerToken);

/** Puts a printer at the address of the record, which stands for another one, and accepts it. */
async function accept(world: World, of: Model & { stateFile: string; number: string }) {
  const { host, port } = world.printer;
  const { number, ...options } = of;
  await world.printer.kill();
  world.printer = await startPrinter({ ...options, place: { host, port, number } });
  await untilAlert(world, "other_printer");
  await ownerOf(world).expect("POST", `/devices/${world.deviceId}/accept-printer`);
}

/** Sells once more than the image of the disk knows, which is put back; another one is accepted then. */
async function exchangedBeforeAsked(world: World, model: Model): Promise<SimulatedPrinter> {
  expect(endOf(await sell(world))).toEqual(COMPLETED);
  await meanwhile(world, image(world));
  const { id } = (await sellKeyed(world, "sale-2")).body.command;
  expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
  const own = world.printer;
  await meanwhile(world, async () => {
    await own.kill();
    await putBack(world)();
  });
  await accept(world, { ...model, stateFile: join(world.folder, "other.state"), number: "0778" });
  expect(endOf(await sell(world))).toEqual(COMPLETED);
  return own;
}

/** The till repeats what it got no answer for. */
async function isHeldAsAhead(world: World): Promise<void> {
  const printed = await receiptsOf(world);
  const { id } = (await sellKeyed(world, "sale-2")).body.command;
  await untilAlert(world, "state_restored");
  expect(await statusOf(world, id)).toBe("pending");
  expect(await receiptsOf(world)).toBe(printed);
}

/** Where a printer that is ahead waits for its owner, in a test at one of each family. */
const onHold = (use: (world: World, model: Model) => Promise<void>) =>
  inWorlds(FAMILIES, use, ["--printers-when-ahead=hold"]);

describe("a printer that was not asked yet", () => {
  test.concurrent("is asked under its next record, when another one was accepted in its place", () =>
    onHold(async (world, model) => {
      const { stateFile, number } = await exchangedBeforeAsked(world, model);
      const other = world.printer;
      try {
        const place = { ...ownPlace(), number };
        world.printer = await startPrinter({ ...model, stateFile, place });
        const { host, port } = world.printer;
        const target = { driver: model.driver, host, port };
        world.deviceId = await registerDevice(world.till, target, "Again");
        await isHeldAsAhead(world);
      } finally {
        await other.kill();
      }
    }));

  test.concurrent("is asked when it is accepted back", () =>
    onHold(async (world, model) => {
      const { stateFile, number } = await exchangedBeforeAsked(world, model);
      await accept(world, { ...model, stateFile, number });
      await isHeldAsAhead(world);
    }));
});

describe("a sale that waits for a printer ahead of an image", () => {
  test.concurrent("is not printed on another one that is accepted", () =>
    onHold(async (world, model) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, image(world));
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, putBack(world));
      await untilAlert(world, "state_restored");
      const { id } = await submitSale(world);
      await accept(world, {
        ...model,
        stateFile: join(world.folder, "new.state"),
        number: "0777",
      });
      expect(endOf(await world.till.wait(id)).outcome).toBe("unknown");
      expect(await receiptsOf(world)).toBe(0);
      // The one before is asked about; the new one sells.
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await receiptsOf(world)).toBe(1);
    }));
});

describe("a sale that waited in a copy", () => {
  test.concurrent("is not called not printed by another printer that is accepted", () =>
    inWorlds(FAMILIES, async (world, model) => {
      await switchOff(world);
      const { id } = await submitSale(world);
      await meanwhile(world, copyState(world));
      // Something that the copy does not know.
      await world.till.expect("DELETE", `/commands/${(await submitSale(world)).id}`);
      await meanwhile(world, putStateBack(world));
      await accept(world, { ...model, stateFile: join(world.folder, "new.state"), number: "0779" });
      const asked = `&deviceId=${world.deviceId}&type=get_last_receipt_info&status=completed`;
      await until("its word", async () => (await world.till.list(asked)).length > 0);
      const { command } = await world.till.expect<{ command: ShownCommand }>(
        "GET",
        `/commands/${id}`,
      );
      expect(endOf(command).outcome).toBe("unknown");
      expect(command.resolution?.outcome).toBeNull();
      expect(endOf(await sell(world))).toEqual(COMPLETED);
    }));
});
