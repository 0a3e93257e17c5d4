/**
 * Which document is the last one that is known, whatever the box's clock said when it was sold: it may
 * have been set wrongly for a while, and one without a battery begins anew in the past.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DriverId } from "#core/driver-id.ts";
import { SimulatedTime } from "#drivers/testing/simulated-time.ts";
import { SALE } from "./crash/documents.ts";
import { isFinal, type ShownCommand } from "./harness/gateway.ts";
import { COMPLETED, endOf, UNKNOWN } from "./outages/scene.ts";
import { Shop } from "./trade-day/shop.ts";
import type { ShopDevice } from "./trade-day/shop-device.ts";

const NOON = Date.UTC(2026, 4, 11, 9);
const DAY_MS = 86_400_000;
const LOOK_MS = 1_000;
/** The printer was asked, and has answered. */
const ANSWERED_MS = 60_000;
/** The whole disk: the state directory, and the folder beside it that counts the starts. */
const DISK = ["state", "state-starts"] as const;

let time: SimulatedTime;
let shop: Shop;
beforeEach(() => open("vendorA.isl"));
afterEach(() => shop.close());

async function open(driver: DriverId): Promise<void> {
  time = new SimulatedTime(NOON);
  // Nothing else is asked of the printer.
  const settings = { "devices.statusSeconds": "86400" };
  shop = await Shop.open(time, { kinds: [{ driver }], settings });
  await sell();
}

/** Calls as a till. */
const call = <T>(method: string, path: string, body?: unknown) =>
  time.run(shop.ask((till) => till.expect<T>(method, path, body)));
const ofPrinter = (path: string) => `/devices/${printer().id}/${path}`;
const accept = () =>
  time.run(shop.asOwner((owner) => owner.call("POST", ofPrinter("accept-state"))));
const framesOf = () => printer().books().frames;

function printer(): ShopDevice {
  const [only] = shop.devices;
  if (!only) throw new Error("the shop has no printer");
  return only;
}

async function run(type: string, payload: unknown, end: object = COMPLETED): Promise<void> {
  const { id } = await call<ShownCommand>("POST", ofPrinter("commands"), { type, payload });
  for (;;) {
    const { command } = await call<{ command: ShownCommand }>("GET", `/commands/${id}`);
    if (isFinal(command)) {
      expect<object>(endOf(command)).toEqual(end);
      return;
    }
    await time.run(time.sleep(LOOK_MS));
  }
}

async function sell(times = 1): Promise<void> {
  for (let sold = 0; sold < times; sold++) await run(SALE.type, SALE.payload);
}

/** What the gateway tells of documents that it does not know. It has asked before it prints. */
async function told(): Promise<unknown[]> {
  const alerts = await alertsOf();
  return alerts.flatMap(({ type, documents }) => (type === "documents_unknown" ? documents : []));
}

async function alertsOf() {
  interface Told {
    readonly alerts: readonly { readonly type: string; readonly documents?: number }[];
  }
  return (await call<Told>("GET", ofPrinter("alerts"))).alerts;
}

/** @param days by which the clock is off from the next start on */
async function restart(days: number, meanwhile?: () => void): Promise<void> {
  await time.run(
    shop.restart(() => {
      meanwhile?.();
      time.clock.jumpTo(NOON + time.clock.elapsed() + days * DAY_MS);
    }),
  );
}

function image(): void {
  for (const name of DISK) {
    cpSync(join(shop.folder, name), join(shop.folder, `image-${name}`), { recursive: true });
  }
}
function putBack(names: readonly string[] = DISK): void {
  for (const name of names) {
    rmSync(join(shop.folder, name), { recursive: true });
    cpSync(join(shop.folder, `image-${name}`), join(shop.folder, name), { recursive: true });
  }
}

test.each([2, -9_000])("what was sold under a clock %i days off is known", async (days) => {
  await restart(days);
  await sell();
  await restart(0);
  await sell(2);
  await restart(0);
  await sell();
  expect(await told()).toEqual([]);
});

test.each([2, -9_000])("slips under a clock %i days off hide no documents", async (days) => {
  await restart(days);
  for (const line of ["a", "b", "c"]) await run("non_fiscal_receipt", { lines: [line] });
  await restart(0);
  await sell();
  await restart(0, image);
  await sell(3);
  await restart(0, () => putBack());
  await sell();
  expect(await told()).toEqual([3]);
});

test("what was accepted under a clock that was behind stays accepted", async () => {
  await restart(0, image);
  await sell(2);
  await restart(-2, () => putBack());
  await sell();
  expect(await told()).toEqual([2]);
  expect((await accept()).status).toBe(200);
  expect(await told()).toEqual([]);
  await restart(0);
  await sell();
  expect(await told()).toEqual([]);
});

test("what was unknown before a copy was made stays a person's to settle", async () => {
  await shop.close();
  // Its number of the last receipt does not count cash movements.
  await open("vendorE.zfp");
  const cash = { amount: 12.5 };
  await restart(2);
  await run("cash_in", cash);
  const before = framesOf();
  await run("cash_in", cash);
  const frames = framesOf() - before;
  // Made, and the answer lost; two reads would follow it.
  await printer().fault({ kind: "drop_after", at: frames - 2 });
  await run("cash_in", cash, UNKNOWN);
  await restart(0, image);
  await restart(0);
  await restart(0, () => putBack(["state"]));
  await time.run(time.sleep(ANSWERED_MS));
  // The printer has told that it printed nothing since: there is no state to accept.
  expect((await accept()).status).toBe(409);
  expect((await alertsOf()).map(({ type }) => type)).toEqual(["outcome_unknown"]);
});
