/** Another printer, with numbers of its own, at the address of one that is registered. */

import { describe, expect, test } from "bun:test";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { SALE, TOTAL_MINOR } from "./crash/documents.ts";
import { ApiClient, registerDevice } from "./harness/gateway.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { type SimulatedPrinter, startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { accept as acceptState, meanwhile, sellKeyed } from "./outages/restored.ts";
import {
  alertsOf,
  COMPLETED,
  endOf,
  inWorld,
  inWorlds,
  makeUnknown,
  resolve,
  run,
  sell,
  sellUpTo,
  sharedShop,
  statusOf,
  submitSale,
  UNKNOWN,
  untilAlert,
  untilNoAlert,
} from "./outages/scene.ts";

const PRINTERS = [
  { driver: "vendorA.isl", model: "x" },
  { driver: "vendorE.zfp", model: "v1" },
  { driver: "vendorF.shtrih", model: "fr-k" },
  { driver: "custom.serial", model: "gen3" },
] as const;

const inShop = sharedShop();

interface Shown {
  readonly effectiveStatus: string;
  readonly reason: string | null;
  readonly otherPrinter: { readonly serialNumber: string; readonly deviceId: string | null } | null;
}

interface Numbered {
  readonly serialNumber: string | null;
}

const ownerOf = (world: World) => new ApiClient(world.gateway.url, world.ownerToken);
const shown = (world: World): Promise<Shown> =>
  world.till.expect("GET", `/devices/${world.deviceId}/status`);
const serialOf = async (world: World): Promise<string> =>
  (await world.till.expect<{ serialNumber: string }>("GET", `/devices/${world.deviceId}`))
    .serialNumber;
const accept = (world: World) =>
  ownerOf(world).call("POST", `/devices/${world.deviceId}/accept-printer`);
const isOnline = (world: World): Promise<true> =>
  until("the line", async () => (await shown(world)).effectiveStatus === "online");
const totalsOf = async (printer: SimulatedPrinter): Promise<number[]> =>
  (await printer.books()).receipts.map(({ total }) => total);

/** Takes the printer away and puts one of another number at its address. */
async function exchange(world: World, { driver, model }: (typeof PRINTERS)[number]): Promise<void> {
  const { host, port, number: own } = world.printer;
  const number = own.replace(/^./, "7");
  const stateFile = join(world.folder, `${number}.state`);
  await world.printer.kill();
  world.printer = await startPrinter({ stateFile, driver, model, place: { host, port, number } });
}

describe("another printer at its address", () => {
  test.concurrent("prints nothing, and is told of, until this one is back", () =>
    inWorlds(PRINTERS, async (world, options) => {
      const own = world.printer;
      const serial = await serialOf(world);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await exchange(world, options);
      await untilAlert(world, "other_printer");
      const { id } = await submitSale(world);
      const { reason, otherPrinter } = await shown(world);
      expect(otherPrinter).toMatchObject({ deviceId: null });
      const there = otherPrinter?.serialNumber;
      expect(reason).toBe(`Another printer stands there: ${there} instead of ${serial}`);
      expect(await serialOf(world)).toBe(serial);
      expect(await alertsOf(world)).not.toContain("device_disconnected");

      // A restart of the gateway changes nothing: the record knows its printer.
      await world.killGateway();
      await world.restartGateway();
      await untilAlert(world, "other_printer");
      expect(["pending", "sent"]).toContain(await statusOf(world, id));
      const { documentNumber, openDocument } = await world.printer.books();
      expect({ documentNumber, openDocument }).toEqual({ documentNumber: 0, openDocument: null });

      await world.printer.kill();
      const { host, port, number, stateFile } = own;
      const place = { host, port, number };
      world.printer = await startPrinter({ ...options, stateFile, place });
      await untilNoAlert(world, "other_printer");
      expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
      expect(await totalsOf(world.printer)).toEqual([TOTAL_MINOR, TOTAL_MINOR]);
    }));
});

describe("an owner accepts the printer that stands there", () => {
  test.concurrent("and what waited prints on it", () =>
    inShop({}, async (world) => {
      const serial = await serialOf(world);
      expect((await accept(world)).status).toBe(409);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await exchange(world, PRINTERS[0]);
      await untilAlert(world, "other_printer");
      const { id } = await submitSale(world);
      expect((await accept(world)).status).toBe(200);
      expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
      expect(await totalsOf(world.printer)).toEqual([TOTAL_MINOR]);
      expect(await serialOf(world)).not.toBe(serial);
      expect(await alertsOf(world)).toEqual([]);
    }));

  test.concurrent("once, however often that is said at the same time", () =>
    inShop({}, async (world) => {
      await exchange(world, PRINTERS[0]);
      await untilAlert(world, "other_printer");
      expect(await acceptAtOnce([world.deviceId, world.deviceId], world)).toEqual([200, 409]);
      await isOnline(world);
    }));

  test.concurrent("at the box too, where the gateway runs", () =>
    inShop({}, async (world) => {
      const serial = await serialOf(world);
      await exchange(world, PRINTERS[0]);
      await untilAlert(world, "other_printer");
      const state = ["--state-dir", world.premises.stateDir];
      const run = async (...words: string[]) => runToEnd([await executable(), ...words, ...state]);
      expect((await run("alert", "list")).out).toContain(`device accept-printer ${world.deviceId}`);
      const { code, out } = await run("device", "accept-printer", world.deviceId);
      expect([code, out]).toEqual([0, expect.stringContaining("from now on")]);
      await isOnline(world);
      expect(await serialOf(world)).not.toBe(serial);
    }));
});

/** @returns the statuses, in order */
async function acceptAtOnce(deviceIds: readonly string[], world: World): Promise<number[]> {
  const accepting = deviceIds.map((id) =>
    ownerOf(world).call("POST", `/devices/${id}/accept-printer`),
  );
  return (await Promise.all(accepting)).map(({ status }) => status).sort();
}

/** Another one of the same kind, with numbers of its own, is taken in the place of its printer. */
async function takeAnother(world: World): Promise<void> {
  await exchange(world, PRINTERS[0]);
  await untilAlert(world, "other_printer");
  expect((await accept(world)).status).toBe(200);
  await isOnline(world);
}

describe("the number that a person reads is held against those of its own printer", () => {
  test.concurrent("where the printer before gave the same one", () =>
    inWorld({}, async (world) => {
      for (let sale = 1; sale <= 3; sale += 1) expect(endOf(await sell(world))).toEqual(COMPLETED);
      await takeAnother(world);
      const { id } = await makeUnknown(world, "x");
      const [own] = (await world.printer.books()).receipts.slice(-2);
      expect(own?.number).toBeLessThanOrEqual(3);
      await resolve(world, id, { outcome: "printed", fiscalId: String(own?.number) });
      expect(endOf(await sell(world))).toEqual(COMPLETED);
    }));

  test.concurrent("where the one that came has not reached it", () =>
    inWorld({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const id = await sellUpTo(world, "closing");
      const { lastReceiptNumber } = await world.printer.books();
      expect(lastReceiptNumber).toBe(2);
      await takeAnother(world);
      expect(endOf(await world.till.wait(id))).toEqual(UNKNOWN);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect((await run(world, "get_last_receipt_info")).status).toBe("completed");
      await resolve(world, id, { outcome: "printed", fiscalId: String(lastReceiptNumber) });
    }));
});

/** The person at the box accepts it, beside the gateway. */
const acceptAtTheBox = async (world: World) => {
  const state = ["--state-dir", world.premises.stateDir];
  return runToEnd([...[await executable(), "device", "accept-printer", world.deviceId, ...state]]);
};

test.concurrent.each([
  ["in the portal", async (world: World) => expect((await accept(world)).status).toBe(200)],
  [
    "that is said twice at once",
    async (world: World) =>
      expect(await acceptAtOnce([world.deviceId, world.deviceId], world)).toEqual([200, 409]),
  ],
  [
    "that is said at both at once",
    async (world: World, counter: string) =>
      expect(await acceptAtOnce([world.deviceId, counter], world)).toEqual([200, 409]),
  ],
  [
    "at the box",
    async (world: World) => {
      const said = expect.stringMatching(/^accepted: Printer is reached at .* from now on/);
      expect(await acceptAtTheBox(world)).toMatchObject({ code: 0, out: said });
    },
  ],
])(
  "two that have exchanged addresses print nothing on each other, and are exchanged by one step %s",
  (_, say) =>
    inShop({}, async (world) => {
      const { host, port } = world.printer;
      const stateFile = join(world.folder, "second.state");
      let second = await startPrinter({ stateFile, driver: "vendorA.isl", model: "x" });
      try {
        const place = { host: second.host, port: second.port };
        const target = { driver: "vendorA.isl", ...place };
        const counter = await registerDevice(world.till, target, "Counter");
        await until("the second", async () => {
          const path = `/devices/${counter}`;
          const { serialNumber } = await world.till.expect<Numbered>("GET", path);
          return serialNumber !== null;
        });
        await world.printer.kill();
        await second.kill();
        const { number, stateFile: books } = world.printer;
        const at = { driver: "vendorA.isl", model: "x" };
        world.printer = await startPrinter({
          ...{ ...at, stateFile: books, place: { ...place, number } },
        });
        second = await startPrinter({
          ...{ ...at, stateFile, place: { host, port, number: second.number } },
        });
        await untilAlert(world, "other_printer");
        await until("the other alert", async () => {
          const path = `/devices/${counter}/status`;
          return (await world.till.expect<Shown>("GET", path)).otherPrinter !== null;
        });
        expect((await shown(world)).otherPrinter?.deviceId).toBe(counter);
        expect((await shown(world)).reason).toContain('which is registered as "Counter"');
        const { id } = await submitSale(world);
        await say(world, counter);
        expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
        expect(await totalsOf(world.printer)).toEqual([TOTAL_MINOR]);
        expect((await second.books()).documentNumber).toBe(0);
        const sale = await world.till.submit(counter, SALE.type, SALE.payload);
        expect(endOf(await world.till.wait(sale.id))).toEqual(COMPLETED);
        expect(await totalsOf(second)).toEqual([TOTAL_MINOR]);
      } finally {
        await second.kill();
      }
    }),
);

test.concurrent("behind a state that was put back it prints nothing again, also where an owner accepts it", () =>
  inWorld({}, async (world) => {
    const [state, copy] = ["state", "copy"].map((name) => join(world.folder, name));
    const to = async (from = "", place = "") => {
      await rm(place, { recursive: true, force: true });
      await cp(from, place, { recursive: true });
    };
    const sellUnder = async (key: string): Promise<string> =>
      (await sellKeyed(world, key)).body.command.id;
    expect(endOf(await sell(world))).toEqual(COMPLETED);
    await meanwhile(world, () => to(state, copy));
    await exchange(world, PRINTERS[0]);
    await untilAlert(world, "other_printer");
    expect((await accept(world)).status).toBe(200);
    expect(endOf(await world.till.wait(await sellUnder("sale-2")))).toEqual(COMPLETED);

    await meanwhile(world, () => to(copy, state));
    await untilAlert(world, "other_printer");
    const again = await sellUnder("sale-2");
    expect((await accept(world)).status).toBe(200);
    expect(endOf(await world.till.wait(again))).toMatchObject({ outcome: "unknown" });
    await untilAlert(world, "state_restored");
    const once = await sellUnder("sale-3");
    expect(await statusOf(world, once)).toBe("pending");
    expect((await acceptState(world)).status).toBe(200);
    expect(endOf(await world.till.wait(once))).toMatchObject({ outcome: "unknown" });
    expect(await totalsOf(world.printer)).toEqual([TOTAL_MINOR]);
  }));

test.concurrent("a record that is led to another printer keeps its own, and prints nothing there", () =>
  inShop({}, async (world) => {
    const serial = await serialOf(world);
    const stateFile = join(world.folder, "other.state");
    const other = await startPrinter({ stateFile, driver: "vendorA.isl", model: "x" });
    try {
      const { host, port } = other;
      const path = `/devices/${world.deviceId}`;
      await world.till.expect("PATCH", path, { connectionParams: { host, port } });
      const { id } = await submitSale(world);
      await untilAlert(world, "other_printer");
      expect(await serialOf(world)).toBe(serial);
      expect((await other.books()).documentNumber).toBe(0);
      const own = { host: world.printer.host, port: world.printer.port };
      await world.till.expect("PATCH", path, { connectionParams: own });
      expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
      expect(await totalsOf(world.printer)).toEqual([TOTAL_MINOR]);
      expect((await other.books()).documentNumber).toBe(0);
    } finally {
      await other.kill();
    }
  }));
