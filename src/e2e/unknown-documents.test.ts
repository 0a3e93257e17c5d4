/** A whole disk that was put back from an image: the count of starts goes back with it. */

import { describe, expect, test } from "bun:test";
import { ScriptedController } from "../modules/controllers/testing/scripted-controller.ts";
import { SALE } from "./crash/documents.ts";
import { quieten } from "./crash/run.ts";
import { isFinal, type ShownCommand } from "./harness/gateway.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import {
  accept,
  image,
  MODELS,
  meanwhile,
  putBack,
  receiptsOf,
  sellKeyed,
  told,
} from "./outages/restored.ts";
import {
  alertsOf,
  COMPLETED,
  endOf,
  inWorld,
  inWorlds,
  resolve,
  run,
  sell,
  sellByOtherHost,
  sellUpTo,
  statusOf,
  switchOff,
  untilAlert,
} from "./outages/scene.ts";

async function sold(world: World, key: string): Promise<void> {
  const { body } = await sellKeyed(world, key);
  expect(endOf(await world.till.wait(body.command.id))).toEqual(COMPLETED);
}

/** What else a shop prints: some printers count these too. */
const OTHER_PAPERS = [
  ["cash_in", { amount: 10 }],
  ["non_fiscal_receipt", { lines: ["Hello"] }],
  ["print_duplicate", {}],
  ["x_report", {}],
  ["z_report", {}],
] as const;

/** The printer was asked after the last start, and its answer is stored. */
async function asked(world: World): Promise<void> {
  // Documents wait until then.
  expect(endOf(await sell(world))).toEqual(COMPLETED);
}

describe("an image of the whole disk put back", () => {
  test.concurrent("raises an alert that names the documents, and the shop goes on", () =>
    inWorlds(MODELS, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, image(world));
      for (const key of ["a", "b", "c"]) await sold(world, key);
      await meanwhile(world, putBack(world));
      await untilAlert(world, "documents_unknown");
      expect(await told(world)).toMatchObject({ documents: 3, since: expect.any(String) });
      // Nobody knows whether it was done by hand.
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await alertsOf(world)).not.toContain("state_restored");
    }));

  test.concurrent("prints nothing again that waited in it", () =>
    inWorlds(MODELS, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await switchOff(world);
      const { id } = await world.till.submit(world.deviceId, SALE.type, SALE.payload);
      await meanwhile(world, image(world));
      await world.restartPrinter();
      expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
      const printed = await receiptsOf(world);
      await meanwhile(world, putBack(world));
      expect(endOf(await world.till.wait(id))).toMatchObject({ outcome: "unknown" });
      // What comes later waits for nothing but a person's word of that one.
      const { id: next } = await world.till.submit(world.deviceId, SALE.type, SALE.payload);
      await resolve(world, id, { outcome: "printed" });
      expect(endOf(await world.till.wait(next))).toEqual(COMPLETED);
      expect(await receiptsOf(world)).toBe(printed + 1);
    }));

  test.concurrent("is no news of what the gateway printed itself", () =>
    inWorlds(MODELS, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      for (const [type, payload] of OTHER_PAPERS) await run(world, type, payload);
      await meanwhile(world, async () => undefined);
      await asked(world);
      expect(await alertsOf(world)).toEqual([]);
    }));
});

describe("documents that the gateway does not know", () => {
  test.concurrent("hold the printer where the setting says so", () =>
    inWorld({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, image(world));
      await sold(world, "a");
      const printed = await receiptsOf(world);
      await meanwhile(world, putBack(world), ["--printers-when-ahead=hold"]);
      const { body } = await sellKeyed(world, "a");
      await untilAlert(world, "state_restored");
      expect(await told(world)).toMatchObject({ documents: 1 });
      expect((await run(world, "get_status")).status).toBe("completed");
      expect(await statusOf(world, body.command.id)).toBe("pending");
      expect((await accept(world)).status).toBe(200);
      expect(endOf(await world.till.wait(body.command.id))).toMatchObject({ outcome: "unknown" });
      expect(await receiptsOf(world)).toBe(printed);
      expect(await alertsOf(world)).not.toContain("documents_unknown");
    }));

  test.concurrent("are nobody's concern where the setting says so", () =>
    inWorld({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, image(world));
      await sold(world, "a");
      await meanwhile(world, putBack(world), ["--printers-when-ahead=ignore"]);
      await asked(world);
      expect(await told(world)).toBeUndefined();
    }));

  test.concurrent("are told until an owner accepts them, and are known from then on", () =>
    inWorld({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, () => sellByOtherHost(world, "x", "closed"));
      await untilAlert(world, "documents_unknown");
      expect((await told(world))?.message).toContain("one document");
      expect(
        (await world.till.call("POST", `/devices/${world.deviceId}/accept-state`)).status,
      ).toBe(403);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, () => sellByOtherHost(world, "x", "closed"));
      await asked(world);
      expect(await told(world)).toMatchObject({ documents: 1 });
      expect((await accept(world)).status).toBe(200);
      expect((await accept(world)).status).toBe(409);
      expect(await told(world)).toBeUndefined();
      await meanwhile(world, async () => undefined);
      await asked(world);
      expect(await told(world)).toBeUndefined();
    }));

  test.concurrent("are none that are in doubt when the gateway is killed", () =>
    inWorld({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await quieten(world);
      const id = await sellUpTo(world, "paid");
      await meanwhile(world, () => world.printer.clear());
      expect((await world.till.wait(id)).status).toBe("completed");
      await asked(world);
      expect(await told(world)).toBeUndefined();
    }));

  test.concurrent("do not keep back what was sent to a printer that is off", () =>
    inWorld({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const before = await receiptsOf(world);
      await switchOff(world);
      const { id } = await world.till.submit(world.deviceId, SALE.type, SALE.payload);
      await until("the sale to be with the controller", async () => {
        return (await statusOf(world, id)) === "sent";
      });
      await meanwhile(world, async () => undefined);
      expect(await statusOf(world, id)).toBe("pending");
      await world.restartPrinter();
      expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
      expect(await receiptsOf(world)).toBe(before + 1);
      expect(await told(world)).toBeUndefined();
    }));

  test.concurrent("are asked for once, however often the gateway starts before it has an answer", () =>
    inWorld({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const device = `/devices/${world.deviceId}`;
      await world.till.expect("PATCH", device, { managedBy: "remote" });
      const before = (await questions(world)).length;
      for (let start = 1; start <= 3; start += 1) {
        await meanwhile(world, async () => undefined);
        // It comes within reach, and is off again before it has told anything.
        const { url, credential = "" } = world.till;
        const phone = await ScriptedController.connect(url, { credential });
        phone.announce(world.deviceId);
        await until("a question", async () => (await questions(world)).length === before + start);
        phone.close();
        expect((await questions(world)).filter((one) => !isFinal(one))).toHaveLength(1);
      }
      await world.till.expect("PATCH", device, { managedBy: "builtin" });
      await asked(world);
    }));
});

/** What the gateway has asked the printer, of whichever start. */
const questions = async ({ till }: World): Promise<ShownCommand[]> =>
  (await till.list()).filter(({ type }) => type === "get_last_receipt_info");
