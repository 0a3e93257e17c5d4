/**
 * Which document is the last one that is known, whatever the box's clock said when it was sold: it may
 * have been set wrongly for a while, and one without a battery begins anew in the past.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SimulatedTime } from "#drivers/testing/simulated-time.ts";
import { SALE } from "./crash/documents.ts";
import { isFinal, type ShownCommand } from "./harness/gateway.ts";
import { COMPLETED, endOf } from "./outages/scene.ts";
import { Shop } from "./trade-day/shop.ts";

const NOON = Date.UTC(2026, 4, 11, 9);
const DAY_MS = 86_400_000;
const LOOK_MS = 1_000;
/** The whole disk: the state directory, and the folder beside it that counts the starts. */
const DISK = ["state", "state-starts"] as const;

let time: SimulatedTime;
let shop: Shop;
beforeEach(async () => {
  time = new SimulatedTime(NOON);
  // Nothing else is asked of the printer.
  const settings = { "devices.statusSeconds": "86400" };
  shop = await Shop.open(time, { kinds: [{ driver: "vendorA.isl" }], settings });
  await sell();
});
afterEach(() => shop.close());

/** Calls as a till. */
const call = <T>(method: string, path: string, body?: unknown) =>
  time.run(shop.ask((till) => till.expect<T>(method, path, body)));
const ofPrinter = (path: string) => `/devices/${shop.devices[0]?.id}/${path}`;

async function run(type: string, payload: unknown): Promise<void> {
  const { id } = await call<ShownCommand>("POST", ofPrinter("commands"), { type, payload });
  for (;;) {
    const { command } = await call<{ command: ShownCommand }>("GET", `/commands/${id}`);
    if (isFinal(command)) {
      expect(endOf(command)).toEqual(COMPLETED);
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
  interface Told {
    readonly alerts: readonly { readonly type: string; readonly documents?: number }[];
  }
  const { alerts } = await call<Told>("GET", ofPrinter("alerts"));
  return alerts.flatMap(({ type, documents }) => (type === "documents_unknown" ? documents : []));
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
function putBack(): void {
  for (const name of DISK) {
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
  await restart(0, putBack);
  await sell();
  expect(await told()).toEqual([3]);
});

test("what was accepted under a clock that was behind stays accepted", async () => {
  await restart(0, image);
  await sell(2);
  await restart(-2, putBack);
  await sell();
  expect(await told()).toEqual([2]);
  await time.run(shop.asOwner((owner) => owner.expect("POST", ofPrinter("accept-state"))));
  expect(await told()).toEqual([]);
  await restart(0);
  await sell();
  expect(await told()).toEqual([]);
});
