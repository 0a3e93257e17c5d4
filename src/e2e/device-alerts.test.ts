/**
 * What listeners are told of a printer's alerts: one printer, the whole gateway, and whoever listens
 * over a real WebSocket, on one simulated clock.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { SimulatedTime } from "#drivers/testing/simulated-time.ts";
import {
  type HeardEvent,
  openSocket,
  type TestListener,
} from "../modules/events/testing/listeners.ts";
import { ApiClient } from "./harness/gateway.ts";
import { Shop } from "./trade-day/shop.ts";
import type { ShopDevice } from "./trade-day/shop-device.ts";

const SECOND_MS = 1_000;
/** How often the gateway looks at an idle device here. */
const LOOK_SECONDS = 20;
/** A state is read, and then told. */
const TOLD_WITHIN_MS = (2 * LOOK_SECONDS + 5) * SECOND_MS;
interface ShownAlert {
  readonly type: string;
  readonly deviceId: string;
  readonly commandId?: string;
}
interface Told {
  readonly device: { readonly id: string } | null;
  readonly controllerId: string | null;
  readonly simulated: boolean;
  readonly deviceId: string;
  readonly alerts: readonly ShownAlert[];
  readonly appeared: readonly ShownAlert[];
  readonly cleared: readonly ShownAlert[];
}

const time = new SimulatedTime(Date.UTC(2026, 4, 11, 6));
let shop: Shop;
let device: ShopDevice;
let url: string;
let headers: Record<string, string>;
const listeners: TestListener[] = [];

beforeAll(async () => {
  shop = await Shop.open(time, {
    kinds: [{ driver: "vendorA.isl" }],
    settings: { "devices.statusSeconds": String(LOOK_SECONDS), "auth.registration": "open" },
  });
  const [only] = shop.devices;
  if (!only) throw new Error("the shop has no device");
  device = only;
  await whereabouts();
  await passes(TOLD_WITHIN_MS);
});
afterAll(async () => {
  for (const listener of listeners) listener.hangUp();
  await shop.close();
});

/** Where the gateway is now, and a key of the shop. */
async function whereabouts(): Promise<void> {
  const till = await shop.ask((client) => Promise.resolve(client));
  url = till.url;
  headers = { authorization: `Bearer ${till.credential}` };
}

async function listen(query = "", as = headers): Promise<TestListener> {
  const listener = openSocket(url, query, as);
  listeners.push(listener);
  await listener.opened;
  return listener;
}

const passes = (ms: number) => time.run(time.sleep(ms));
const told = (events: readonly HeardEvent[]): Told[] =>
  events.flatMap(({ type, data }) => (type === "device.alert" ? [data as unknown as Told] : []));
const typesOf = (alerts: readonly ShownAlert[]) => alerts.map(({ type }) => type);

/** What was told so far, each as the types that appeared, were cleared and stand. */
function story({ events }: TestListener): string[] {
  return told(events).map(({ alerts, appeared, cleared }) => {
    const changes = [
      ...typesOf(appeared).map((type) => `+${type}`),
      ...typesOf(cleared).map((type) => `-${type}`),
    ];
    return `${changes.join(" ")} = ${typesOf(alerts).join(" ")}`;
  });
}

/** Lets the state of the device be read and told, and waits until the listener has heard it. */
async function hears(listener: TestListener, count: number): Promise<void> {
  await passes(TOLD_WITHIN_MS);
  await listener.until((events) => told(events).length >= count);
}

const standing = () =>
  time.run(
    shop.ask((till) =>
      till.expect<{ alerts: ShownAlert[] }>("GET", `/devices/${device.id}/alerts`),
    ),
  );

test("paper that runs out and comes back is told once each, as the API shows it", async () => {
  const listener = await listen();
  await device.fault({ kind: "paper_out", mode: "refused" });
  await hears(listener, 1);
  const shown = await standing();
  // Seen again since, at each reading.
  const alerts = shown.alerts.map((alert) => ({ ...alert, detectedAt: expect.any(String) }));
  expect(told(listener.events)).toEqual([
    {
      device: expect.objectContaining({ id: device.id, name: "vendorA.isl" }),
      controllerId: "builtin",
      ...{ deviceId: device.id, simulated: false, alerts, appeared: alerts, cleared: [] },
    },
  ]);
  expect(shown.alerts).toMatchObject([{ type: "paper_out", deviceName: "vendorA.isl" }]);
  // It is read again and again meanwhile.
  await passes(2 * TOLD_WITHIN_MS);
  await device.mend();
  await hears(listener, 2);
  expect(story(listener)).toEqual(["+paper_out = paper_out", "-paper_out = "]);
  const past = await time.run(
    shop.ask((till) =>
      till.expect<{ alerts: (ShownAlert & { endedAt: string; detectedAt: string })[] }>(
        ...(["GET", `/alerts?state=past&deviceId=${device.id}&limit=1`] as const),
      ),
    ),
  );
  expect(past.alerts).toMatchObject([{ type: "paper_out", end: "cured", endedBy: null }]);
  const [last] = past.alerts;
  const stoodMs = Date.parse(last?.endedAt ?? "") - Date.parse(last?.detectedAt ?? "");
  expect(stoodMs).toBeGreaterThan(2 * TOLD_WITHIN_MS);
});

test("a printer that is gone and back is told once each, with what else stands then", async () => {
  const listener = await listen();
  await device.fault({ kind: "paper_low" });
  await hears(listener, 1);
  await device.fault({ kind: "silent_after", at: 1, count: 100_000 });
  await hears(listener, 2);
  // Since the line broke, not since the printer answered last.
  const [lost] = told(listener.events).at(-1)?.appeared ?? [];
  const { events } = await time.run(
    shop.ask((till) =>
      till.expect<{ events: { type: string; timestamp: string }[] }>(
        ...(["GET", `/devices/${device.id}/connection-history`] as const),
      ),
    ),
  );
  const broke = events.find(({ type }) => type === "disconnected")?.timestamp;
  expect(lost).toMatchObject({ type: "device_disconnected", detectedAt: broke });
  await device.mend();
  await device.fault({ kind: "paper_low" });
  await hears(listener, 3);
  await device.mend();
  await hears(listener, 4);
  expect(story(listener)).toEqual([
    "+paper_low = paper_low",
    "+device_disconnected -paper_low = device_disconnected",
    "+paper_low -device_disconnected = paper_low",
    "-paper_low = ",
  ]);
});

test("a start tells nothing that was told before, and what has changed meanwhile", async () => {
  const before = await listen();
  await device.fault({ kind: "paper_low" });
  await hears(before, 1);
  const since = `?since=${before.events.at(-1)?.id}`;
  await time.run(shop.restart());
  await whereabouts();
  await passes(TOLD_WITHIN_MS);
  const after = await listen(since);
  await time.run(shop.stopGateway());
  await device.mend();
  await time.run(shop.restart());
  await whereabouts();
  await passes(TOLD_WITHIN_MS);
  expect(story(after)).toEqual([]);
  const last = await listen(since);
  await last.until((events) => told(events).length > 0);
  expect(story(last)).toEqual(["-paper_low = "]);
});

test("another organization hears nothing of it", async () => {
  const other = await time.run(time.standing(() => otherOrganization()));
  const ours = await listen();
  const theirs = await listen("", { authorization: `Bearer ${other.credential}` });
  await device.fault({ kind: "cover_open" });
  await hears(ours, 1);
  const theirDevice = await time.run(
    time.standing(() =>
      other.expect<{ id: string }>("POST", "/devices", {
        ...{ name: "Theirs", driver: "vendorA.isl", transport: "tcp", managedBy: "remote" },
        ...{ locationId: "other", connectionParams: { host: "10.0.0.99", port: 4999 } },
      }),
    ),
  );
  await hears(theirs, 1);
  // What they are told first is of their own.
  expect(theirs.events.map(({ type }) => type)).toEqual(["device.updated", "device.alert"]);
  expect(told(theirs.events)).toMatchObject([
    { deviceId: theirDevice.id, alerts: [{ type: "device_unassigned", severity: "info" }] },
  ]);
  expect(told(ours.events).map(({ deviceId }) => deviceId)).toEqual([device.id]);
});

/** An owner of another shop on the same gateway. */
async function otherOrganization(): Promise<ApiClient> {
  const body = { email: "ann@other.example", password: "another long password" };
  const { accessToken } = await new ApiClient(url).expect<{ accessToken: string }>(
    "POST",
    "/auth/register",
    { ...body, name: "Ann", organizationName: "Other" },
  );
  return new ApiClient(url, accessToken);
}
