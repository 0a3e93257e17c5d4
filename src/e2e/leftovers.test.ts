/**
 * What had not ended when the gateway was stopped, where its printer has printed since: in a run that
 * an image of the disk, put back, knows nothing of.
 */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { SALE } from "./crash/documents.ts";
import { quieten } from "./crash/run.ts";
import { ApiClient, registerDevice, type ShownCommand } from "./harness/gateway.ts";
import { ownPlace } from "./harness/own-host.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { type SimulatedPrinter, startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { MODELS, meanwhile, receiptsOf } from "./outages/restored.ts";
import {
  alertsOf,
  COMPLETED,
  endOf,
  inWorld,
  inWorlds,
  makeUnknown,
  notPrinted,
  resolve,
  run,
  sell,
  sellByOtherHost,
  sellUpTo,
  sharedShop,
  statusOf,
  untilAlert,
} from "./outages/scene.ts";

const inShop = sharedShop();

/** Number of the first frame from which on the printer says nothing. */
const AT_ONCE = { kind: "silent_after", at: 1, count: 100_000 };

/** A sale that has begun, of which the printer has seen nothing that changes it. */
async function begun(world: World): Promise<string> {
  await quieten(world);
  await world.printer.fault(AT_ONCE);
  const id = await submitted(world);
  await until("the sale to begin", async () => (await statusOf(world, id)) === "processing");
  return id;
}

async function submitted({ till, deviceId }: World): Promise<string> {
  return (await till.submit(deviceId, SALE.type, SALE.payload)).id;
}

/** A receipt that this database does not know. */
async function printed({ printer }: World): Promise<void> {
  const { receiptCount } = await printer.books();
  await printer.fault({ kind: "other_hands", deed: "ring_up", amountMinor: 500 });
  await until("a receipt", async () => (await printer.books()).receiptCount > receiptCount);
}

/** A sale that waits for a printer which is off, over a start of the gateway. */
async function left(world: World, act: () => Promise<unknown>): Promise<string> {
  expect(endOf(await sell(world))).toEqual(COMPLETED);
  await world.printer.kill();
  const id = await submitted(world);
  await meanwhile(world, act);
  return id;
}

/** The gateway itself has said that it was not printed. */
async function settled({ till }: World, id: string): Promise<void> {
  await until("the gateway's word", async () => {
    const path = `/commands/${id}`;
    const { command } = await till.expect<{ command: ShownCommand }>("GET", path);
    return command.resolution?.outcome === "not_printed";
  });
}

const ownerOf = ({ gateway, ownerToken }: World) => new ApiClient(gateway.url, ownerToken);

async function atTheBox({ premises, deviceId }: World, deed: string): Promise<string> {
  const words = ["device", deed, deviceId, "--state-dir", premises.stateDir];
  const { code, out, err } = await runToEnd([await executable(), ...words]);
  expect([code, err]).toEqual([0, ""]);
  return out;
}

async function outcomeOf({ till }: World, id: string): Promise<unknown> {
  return endOf((await till.expect<{ command: never }>("GET", `/commands/${id}`)).command).outcome;
}

describe("a sale that was under way at a start", () => {
  test.concurrent("is asked about where the printer has printed since", () =>
    inWorlds(MODELS, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const id = await begun(world);
      await meanwhile(world, async () => {
        await world.restartPrinter();
        await printed(world);
      });
      expect(endOf(await world.till.wait(id)).outcome).toBe("unknown");
      await untilAlert(world, "documents_unknown");
      const before = await receiptsOf(world);
      await resolve(world, id, { outcome: "printed" });
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await receiptsOf(world)).toBe(before + 1);
    }));

  test.concurrent("was not printed where the printer has printed nothing", () =>
    inWorlds(MODELS, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const before = await receiptsOf(world);
      const id = await begun(world);
      await meanwhile(world, () => world.restartPrinter());
      expect(endOf(await world.till.wait(id))).toEqual(notPrinted("E102"));
      expect(await receiptsOf(world)).toBe(before);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
    }));

  test.concurrent("may be on paper when it is taken back before the printer is asked", () =>
    inWorlds(MODELS, async (world) => {
      const id = await left(world, async () => {
        await world.restartPrinter();
        await printed(world);
        await world.printer.kill();
      });
      await world.till.expect("DELETE", `/commands/${id}`);
      expect(await outcomeOf(world, id)).toBe("unknown");
      await world.restartPrinter();
      await untilAlert(world, "documents_unknown");
      expect(await alertsOf(world)).toContain("outcome_unknown");
    }));
});

describe("a sale that was taken back before its printer was asked", () => {
  test.concurrent("was not printed, as the printer tells once it is on", () =>
    inWorlds(MODELS, async (world) => {
      const id = await left(world, async () => undefined);
      await world.till.expect("DELETE", `/commands/${id}`);
      expect(await outcomeOf(world, id)).toBe("unknown");
      // Nor did a further start tell anything.
      await meanwhile(world, () => world.restartPrinter());
      await settled(world, id);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await receiptsOf(world)).toBe(2);
      expect(await alertsOf(world)).toEqual([]);
    }));
});

describe("a receipt that was called not printed, and stands open on its printer, paid,", () => {
  /** The record is gone, and a person has said it: the printer is off. */
  const disowned = async (world: World): Promise<string> => {
    await quieten(world);
    const id = await sellUpTo(world, "paid");
    await world.printer.kill();
    const owner = new ApiClient(world.gateway.url, world.ownerToken);
    await owner.expect("DELETE", `/devices/${world.deviceId}`);
    expect(await outcomeOf(world, id)).toBe("unknown");
    await resolve(world, id, { outcome: "not_printed" });
    return id;
  };
  const anew = async (
    world: World,
    { host, port }: Pick<SimulatedPrinter, "host" | "port">,
  ): Promise<void> => {
    world.deviceId = await registerDevice(world.till, { driver: "vendorA.isl", host, port });
  };
  const finishesNothing = async (world: World, id: string, sale: string): Promise<void> => {
    expect(endOf(await world.till.wait(sale))).toMatchObject({
      ...{ status: "failed", errorCode: "E301" },
    });
    const { openDocument } = await world.printer.books();
    expect(openDocument).not.toBeNull();
    await untilAlert(world, "outcome_unknown");
    expect(await outcomeOf(world, id)).toBe("unknown");
  };

  test.concurrent("is not finished over a record that is made anew", () =>
    inShop({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const id = await disowned(world);
      await world.restartPrinter();
      await anew(world, world.printer);
      await finishesNothing(world, id, await submitted(world));
    }));

  test.concurrent("nor over a new one at another address, by a sale that waits for it there", () =>
    inShop({}, async (world) => {
      const id = await disowned(world);
      const { stateFile, number } = world.printer;
      const place = { ...ownPlace(), number };
      const elsewhere = await startPrinter({ stateFile, place });
      await elsewhere.kill();
      await anew(world, elsewhere);
      const sale = await submitted(world);
      const { host, port } = elsewhere;
      world.printer = await startPrinter({ stateFile, place: { host, port, number } });
      await finishesNothing(world, id, sale);
    }));

  test.concurrent("is not looked for on the printer that was taken in its place", () =>
    inWorld({}, async (world) => {
      const id = await makeUnknown(world, "x");
      await resolve(world, id.id, { outcome: "not_printed" });
      await world.printer.kill();
      const { host, port } = world.printer;
      const stateFile = join(world.folder, "other.state");
      world.printer = await startPrinter({ stateFile, place: { host, port, number: "0777" } });
      await untilAlert(world, "other_printer");
      const owner = new ApiClient(world.gateway.url, world.ownerToken);
      await owner.expect("POST", `/devices/${world.deviceId}/accept-printer`);
      await sellByOtherHost(world, "x", "paid");
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await alertsOf(world)).toEqual([]);
    }));

  test.concurrent("holds no other printer that is new", () =>
    inShop({}, async (world) => {
      await disowned(world);
      const stateFile = join(world.folder, "other.state");
      world.printer = await startPrinter({ stateFile, place: { ...ownPlace(), number: "0777" } });
      await anew(world, world.printer);
      expect(endOf(await world.till.wait(await submitted(world)))).toEqual(COMPLETED);
      expect(await alertsOf(world)).toEqual([]);
    }));
});

test.concurrent("the first sale over a second record waits for the person who is asked of the printer, too", () =>
  inWorld({}, async (world) => {
    const { id } = await makeUnknown(world, "x");
    // Its last document is known: a person alone is asked.
    await quieten(world);
    const { stateFile, number } = world.printer;
    await world.printer.kill();
    await untilAlert(world, "device_disconnected");
    const elsewhere = await startPrinter({ stateFile, place: { ...ownPlace(), number } });
    try {
      const { host, port } = elsewhere;
      world.deviceId = await registerDevice(world.till, { driver: "vendorA.isl", host, port });
      const next = await submitted(world);
      expect((await run(world, "get_status")).status).toBe("completed");
      expect(await statusOf(world, next)).toBe("pending");
      await resolve(world, id, { outcome: "printed" });
      expect(endOf(await world.till.wait(next))).toEqual(COMPLETED);
    } finally {
      await elsewhere.kill();
    }
  }));

describe("a printer that was not asked yet", () => {
  /** Where the run that an image knows nothing of has printed what waited, and the printer is off. */
  const leftBehind = (world: World) =>
    left(world, async () => {
      await world.restartPrinter();
      await printed(world);
      await world.printer.kill();
    });

  const driver = "vendorA.isl";
  const REMOVALS = [
    {
      ...{ driver, by: "the owner" },
      remove: (world: World) => ownerOf(world).expect("DELETE", `/devices/${world.deviceId}`),
    },
    {
      ...{ driver, by: "who stands at the box" },
      remove: (world: World) => atTheBox(world, "remove"),
    },
  ];

  test.concurrent("may have printed what waited, when its record is removed, at the box too, and made anew", () =>
    inWorlds(REMOVALS, async (world, { remove }) => {
      const id = await leftBehind(world);
      await remove(world);
      expect(await outcomeOf(world, id)).toBe("unknown");
      await meanwhile(world, () => world.restartPrinter());
      const { host, port } = world.printer;
      world.deviceId = await registerDevice(world.till, { driver: "vendorA.isl", host, port });
      await untilAlert(world, "documents_unknown");
      const before = await receiptsOf(world);
      const next = await submitted(world);
      // Whatever comes later waits for a person's word, over the new record too.
      expect((await run(world, "get_status")).status).toBe("completed");
      expect(await statusOf(world, next)).toBe("pending");
      await resolve(world, id, { outcome: "printed" });
      expect(endOf(await world.till.wait(next))).toEqual(COMPLETED);
      expect(await receiptsOf(world)).toBe(before + 1);
    }));

  test.concurrent("is asked over a second record, which is held until then", () =>
    inWorld({ args: ["--printers-when-ahead=hold"] }, async (world) => {
      await leftBehind(world);
      const { stateFile, number } = world.printer;
      const elsewhere = await startPrinter({ stateFile, place: { ...ownPlace(), number } });
      try {
        const { host, port } = elsewhere;
        world.deviceId = await registerDevice(world.till, { driver: "vendorA.isl", host, port });
        const id = await submitted(world);
        await untilAlert(world, "state_restored");
        expect(await statusOf(world, id)).toBe("pending");
      } finally {
        await elsewhere.kill();
      }
    }));

  test.concurrent("may have printed what waited, when its record is removed at the box without a gateway", () =>
    inWorld({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await world.printer.kill();
      const id = await submitted(world);
      await meanwhile(world, async () => {
        // It is the person at the box who is asked next.
        expect(await atTheBox(world, "remove")).toContain(`command show ${id}`);
      });
      expect(await outcomeOf(world, id)).toBe("unknown");
      await world.restartPrinter();
      const { host, port } = world.printer;
      world.deviceId = await registerDevice(world.till, { driver: "vendorA.isl", host, port });
      await settled(world, id);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
    }));

  const TAKEN = [
    {
      ...{ driver, number: "0777" },
      accept: (world: World) =>
        ownerOf(world).expect("POST", `/devices/${world.deviceId}/accept-printer`),
    },
    {
      ...{ driver, number: "0778" },
      accept: (world: World) => atTheBox(world, "accept-printer"),
    },
  ];

  test.concurrent("may have printed what waited, when another one is taken in its place, at the box too", () =>
    inWorlds(TAKEN, async (world, { number, accept }) => {
      const id = await leftBehind(world);
      const place = { host: world.printer.host, port: world.printer.port, number };
      const other = await startPrinter({ stateFile: join(world.folder, "other.state"), place });
      try {
        await untilAlert(world, "other_printer");
        // No run before this one can have printed it.
        const next = await submitted(world);
        await accept(world);
        expect(endOf(await world.till.wait(id)).outcome).toBe("unknown");
        // A person is asked of the printer that is gone: the new one sells.
        expect(endOf(await world.till.wait(next))).toEqual(COMPLETED);
        expect((await other.books()).receiptCount).toBe(1);
        expect(await alertsOf(world)).toEqual(["outcome_unknown"]);
      } finally {
        await other.kill();
      }
    }));

  test.concurrent("has told over a second record of what waits at the first", () =>
    inWorld({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const first = world.deviceId;
      const { stateFile, number } = world.printer;
      await world.printer.kill();
      let elsewhere = await startPrinter({ stateFile, place: { ...ownPlace(), number } });
      try {
        const { host, port } = elsewhere;
        const second = await registerDevice(world.till, { driver: "vendorA.isl", host, port });
        world.deviceId = second;
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        const { id } = await world.till.submit(first, SALE.type, SALE.payload);
        await meanwhile(world, async () => undefined);
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        // What was printed over the second record is no news when the first one leads there again.
        await elsewhere.kill();
        await meanwhile(world, () => world.restartPrinter());
        world.deviceId = first;
        expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        expect(await alertsOf(world)).toEqual([]);
        await world.printer.kill();
        elsewhere = await startPrinter({ stateFile, place: elsewhere });
        world.deviceId = second;
        expect(endOf(await sell(world))).toEqual(COMPLETED);
      } finally {
        await elsewhere.kill();
      }
    }));
});
