/** A state directory that was put back from a copy, while the printer has gone on. */

import { describe, expect, test } from "bun:test";
import { SALE, TOTAL_MINOR } from "./crash/documents.ts";
import { countFrames, quieten } from "./crash/run.ts";
import { ApiClient, registerDevice } from "./harness/gateway.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import {
  accept,
  copyState,
  MODELS,
  meanwhile,
  putStateBack,
  receiptsOf,
  sellKeyed,
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
  sellUpTo,
  statusOf,
  untilAlert,
} from "./outages/scene.ts";

/** A till sells under a key. @returns the id of the command */
const sellUnder = async (world: World, key: string): Promise<string> =>
  (await sellKeyed(world, key)).body.command.id;

/** Nobody knows whether one that is registered anew is the one of before. */
const TELLS_NO_MEMORY: readonly string[] = ["vendorF.shtrih"];

/** What is told of a sale that may repeat one that was printed since the copy was made. */
const DOUBTED = { status: "failed", errorCode: "E903", outcome: "unknown" };

describe("on a printer of each kind", () => {
  test.concurrent("prints nothing again before an owner accepts that the printer has gone on", () =>
    inWorlds(MODELS, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, copyState(world));
      expect(endOf(await world.till.wait(await sellUnder(world, "sale-2")))).toEqual(COMPLETED);
      const printed = await receiptsOf(world);
      await meanwhile(world, putStateBack(world));

      // The till repeats what it got no answer for; the copy does not know the key.
      const again = await sellUnder(world, "sale-2");
      await untilAlert(world, "state_restored");
      expect((await run(world, "get_status")).status).toBe("completed");
      expect(await statusOf(world, again)).toBe("pending");
      // Nor does another start change that.
      await meanwhile(world, async () => undefined);
      expect((await run(world, "get_status")).status).toBe("completed");
      expect(await statusOf(world, again)).toBe("pending");
      expect(await receiptsOf(world)).toBe(printed);

      expect(
        (await world.till.call("POST", `/devices/${world.deviceId}/accept-state`)).status,
      ).toBe(403);
      // Nor is it called not printed by being taken back, nor printed by accepting the state.
      await world.till.expect("DELETE", `/commands/${again}`);
      expect(endOf(await world.till.wait(again))).toMatchObject(DOUBTED);
      const waiting = await sellUnder(world, "sale-2-again");
      expect((await accept(world)).status).toBe(200);
      expect((await accept(world)).status).toBe(409);
      expect(endOf(await world.till.wait(waiting))).toMatchObject(DOUBTED);
      expect(await receiptsOf(world)).toBe(printed);
      for (const id of [again, waiting]) await resolve(world, id, { outcome: "printed" });
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await receiptsOf(world)).toBe(printed + 1);
      expect(await alertsOf(world)).not.toContain("state_restored");
    }));

  test.concurrent("never calls a repeat not printed that waited for too long", () =>
    inWorlds(MODELS, async (world) => {
      await meanwhile(world, copyState(world));
      expect(endOf(await world.till.wait(await sellUnder(world, "sale-1")))).toEqual(COMPLETED);
      const printed = await receiptsOf(world);
      await meanwhile(world, putStateBack(world), ["--commands-overall-seconds=1"]);
      const told = endOf(await world.till.wait(await sellUnder(world, "sale-1")));
      expect(told).toMatchObject({ status: "timeout", errorCode: "E500", outcome: "unknown" });
      expect((await accept(world)).status).toBe(200);
      expect(await alertsOf(world)).toContain("outcome_unknown");
      expect(await receiptsOf(world)).toBe(printed);
    }));

  test.concurrent("holds a printer that was registered since, when that is done anew", () =>
    inWorlds(MODELS, async (world, { driver }) => {
      const { host, port } = world.printer;
      const register = async () => {
        world.deviceId = await registerDevice(world.till, { driver, host, port });
      };
      await world.till.call("DELETE", `/devices/${world.deviceId}`);
      await meanwhile(world, copyState(world));
      await register();
      expect(endOf(await world.till.wait(await sellUnder(world, "sale-1")))).toEqual(COMPLETED);
      const printed = await receiptsOf(world);
      await meanwhile(world, putStateBack(world));
      await register();
      const again = await sellUnder(world, "sale-1");
      await untilAlert(world, "state_restored");
      expect(await statusOf(world, again)).toBe("pending");
      expect((await accept(world)).status).toBe(200);
      expect(endOf(await world.till.wait(again))).toEqual(DOUBTED);
      await resolve(world, again, { outcome: "printed" });
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await receiptsOf(world)).toBe(printed + 1);
    }));

  test.concurrent("goes on by itself when it is registered anew behind what is known here", () =>
    inWorlds(MODELS, async (world, { driver }) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, copyState(world));
      expect((await run(world, "get_status")).status).toBe("completed");
      await meanwhile(world, putStateBack(world));
      // It has proven that it stood still, and sells on.
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await world.till.expect("DELETE", `/devices/${world.deviceId}`);
      const { host, port } = world.printer;
      world.deviceId = await registerDevice(world.till, { driver, host, port });
      const id = await sellUnder(world, "sale-3");
      if (TELLS_NO_MEMORY.includes(driver)) {
        await untilAlert(world, "state_restored");
        return;
      }
      expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
      expect(await alertsOf(world)).not.toContain("state_restored");
      expect(await receiptsOf(world)).toBe(3);
    }));

  test.concurrent("goes on by itself when the printer has printed nothing since", () =>
    inWorlds(MODELS, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, copyState(world));
      expect((await run(world, "get_status")).status).toBe("completed");
      await meanwhile(world, putStateBack(world));
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await alertsOf(world)).not.toContain("state_restored");
      expect(await receiptsOf(world)).toBe(2);
    }));
});

/** Takes the record of a printer away that is switched off, and registers it anew. @returns the id */
async function registerAnew(world: World, driver: string): Promise<string> {
  await world.till.expect("DELETE", `/devices/${world.deviceId}`);
  await world.restartPrinter();
  const { host, port } = world.printer;
  return registerDevice(world.till, { driver, host, port }, "Again");
}

describe("a printer that was off and is registered anew", () => {
  const offAtTheStart = (world: World) => async () => {
    await putStateBack(world)();
    await world.printer.kill();
  };

  test.concurrent("is asked under its new record, and goes on where nothing was printed since", () =>
    inWorlds(MODELS, async (world, { driver }) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, copyState(world));
      expect((await run(world, "get_status")).status).toBe("completed");
      await meanwhile(world, offAtTheStart(world));
      const deviceId = await registerAnew(world, driver);
      const { id } = await world.till.submit(deviceId, SALE.type, SALE.payload);
      expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
      expect(await receiptsOf(world)).toBe(2);
    }));

  test.concurrent("is held until an owner accepts it where it has gone on, and an alert says so", () =>
    inWorlds(MODELS, async (world, { driver }) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, copyState(world));
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, offAtTheStart(world));
      const deviceId = await registerAnew(world, driver);
      const { id } = await world.till.submit(deviceId, SALE.type, SALE.payload);
      const owner = new ApiClient(world.gateway.url, world.ownerToken);
      await until("the alert", async () => {
        const { body } = await owner.call<Alerts>("GET", `/devices/${deviceId}/alerts`);
        return body.alerts.some(({ type }) => type === "state_restored");
      });
      expect(await statusOf(world, id)).toBe("pending");
      expect((await owner.call("POST", `/devices/${deviceId}/accept-state`)).status).toBe(200);
      expect(endOf(await world.till.wait(id))).toMatchObject(DOUBTED);
      expect(await receiptsOf(world)).toBe(2);
    }));
});

interface Alerts {
  readonly alerts: readonly { readonly type: string }[];
}

/** What a shop prints at the end of a day besides receipts. */
const PAPERS = [
  ["x_report", {}],
  ["cash_in", { amount: 10 }],
  ["non_fiscal_receipt", { lines: ["Hello"] }],
  ["print_duplicate", {}],
  ["z_report", {}],
] as const;

const OF_EACH_DRIVER = [
  ...MODELS,
  ...(["vendorB.isl", "vendorC.isl", "vendorD.isl"] as const).map((driver) => ({ driver })),
];

describe("a copy made behind other papers than receipts", () => {
  test.concurrent("is gone on from where nothing was printed since", () =>
    inWorlds(OF_EACH_DRIVER, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      for (const [type, payload] of PAPERS) {
        expect({ type, ...endOf(await run(world, type, payload)) }).toEqual({ type, ...COMPLETED });
        await meanwhile(world, copyState(world));
        expect((await run(world, "get_status")).status).toBe("completed");
        await meanwhile(world, putStateBack(world));
      }
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await alertsOf(world)).not.toContain("state_restored");
    }));

  test.concurrent("holds the printer that has printed a receipt since", () =>
    inWorlds(OF_EACH_DRIVER, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      for (const [type, payload] of PAPERS) await run(world, type, payload);
      await meanwhile(world, copyState(world));
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, putStateBack(world));
      await untilAlert(world, "state_restored");
    }));
});

describe("a cash movement that waited in the copy", () => {
  test.concurrent("is never called not made by a printer whose last receipt is the same", () =>
    inWorlds(MODELS, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await quieten(world);
      // The printer keeps an answer back, and so the movement waits behind a read.
      await world.printer.fault({ kind: "hold", at: 1, count: 1 });
      await world.till.submit(world.deviceId, "get_date_time");
      await until("the answer to be held", () => world.printer.isHolding());
      const { id } = await world.till.submit(world.deviceId, "cash_in", { amount: 10 });
      const asked = await lastDocumentsAsked(world);
      await meanwhile(world, copyState(world));
      await world.printer.clear();
      expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
      const { cash } = await world.printer.books();
      await meanwhile(world, putStateBack(world));
      await until("the printer's word", async () => (await lastDocumentsAsked(world)) > asked);
      const { command } = await world.till.expect<{ command: { resolution: unknown } }>(
        "GET",
        `/commands/${id}`,
      );
      expect(command.resolution).toMatchObject({ outcome: null });
      expect((await world.printer.books()).cash).toBe(cash);
    }));
});

describe("a receipt that was under way in the copy", () => {
  test.concurrent("is told as not printed only where the printer shows that it was cancelled", () =>
    inWorld({}, async (world) => {
      const frames = await countFrames(world, SALE);
      for (let frame = 2; frame <= frames; frame += 1) {
        await quieten(world);
        const { documentNumber } = await world.printer.books();
        const id = await sellUpTo(world, frame);
        // The copy knows what was on disk then; the gateway has gone on.
        await meanwhile(world, copyState(world));
        await world.printer.clear();
        const first = await world.till.wait(id);
        const later = await sell(world);
        expect(endOf(later)).toEqual(COMPLETED);
        await meanwhile(world, putStateBack(world));
        const told = endOf(await world.till.wait(id));
        const { receipts } = await world.printer.books(documentNumber);
        expect({ frame, printed: receipts.length }).toEqual({
          frame,
          printed: first.status === "completed" ? 2 : 1,
        });
        if (told.status !== "completed") {
          const { outcome } = endOf(first);
          expect({ frame, first: outcome, told: told.outcome }).toBeOneOf([
            { frame, first: outcome, told: "unknown" },
            { frame, first: "not_printed", told: "not_printed" },
          ]);
        }
        expect(receipts.at(-1)?.total).toBe(TOTAL_MINOR);
        if (told.outcome === "unknown") {
          // What the copy knows of it is no word about the printer.
          expect(await progressOf(world, id)).toContain(
            "as far as is stored here; the printer may",
          );
          await resolve(world, id, { outcome: "printed" });
          expect(await progressOf(world, id)).toContain(
            "as far as is stored here; the printer may",
          );
        }
        await until("the owner", async () => [200, 409].includes((await accept(world)).status));
        await untilHeldNoMore(world);
      }
    }));
});

/** How often the printer has told of its last document, as far as the gateway knows. */
async function lastDocumentsAsked({ till, deviceId }: World): Promise<number> {
  const asked = `&deviceId=${deviceId}&type=get_last_receipt_info&status=completed`;
  return (await till.list(asked)).length;
}

/** How far a command got, in the words of the terminal. */
async function progressOf({ premises }: World, id: string): Promise<string> {
  const words = ["command", "show", id, "--state-dir", premises.stateDir];
  const { out } = await runToEnd([await executable(), ...words]);
  return /Progress ((?:.|\n)*?)\nOutcome/.exec(out)?.[1]?.replaceAll(/\s+/g, " ") ?? out;
}

/** The printer takes documents again. */
async function untilHeldNoMore(world: World): Promise<void> {
  expect(endOf(await sell(world))).toEqual(COMPLETED);
}
