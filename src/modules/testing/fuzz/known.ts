/** A shop of its own for the cases of one operation, and the values that it knows. */

import { type TProperties, Type } from "@sinclair/typebox";
import type { CommandResult } from "#core/command/command.ts";
import { addressText } from "#core/device/address.ts";
import type { ApiAnswer, ApiClient } from "../../../http/testing/api-client.ts";
import { SALE, UNKNOWN } from "../../commands/testing/commands-bench.ts";
import { ONLINE } from "../../live/testing/live-bench.ts";
import { FIGURES } from "../../reports/testing/reports-bench.ts";
import { type ApiBench, CONTROLLER } from "../api-bench.ts";
import { reportEnd } from "./controller.ts";
import type { Operation } from "./operations.ts";

const API = "/api/v1";
/** Before the shortest-lived token ends. */
const LOGIN_MS = 5 * 60_000;
/** The one that the bench registers owners with. */
const PASSWORD = "correct horse battery";
const SOLD_AT = "2026-01-15T09:00:00Z";
const REQUESTS_OF_A_TURN = 4;
const Identified = Type.Array(Type.Object({ id: Type.String() }));

export type Shop = Awaited<ReturnType<typeof createShop>>;

/** Makes a value known. Called each time that a request is to have it. */
type Making = (shop: Shop) => unknown;

interface KnownValue {
  /** Operations, by name. */
  readonly on: RegExp;
  /** As `path.deviceId`; an item of a list as `*`. */
  readonly at: RegExp;
  readonly make: Making;
}

/** Opens a shop on the bench. @param name tells it from the others */
export async function createShop(bench: ApiBench, name: string) {
  const email = `${name}@shop.example`;
  const { client, orgId } = await bench.owner(email);
  await bench.setPlan(orgId, "enterprise");
  const counts = new Map<string, number>();
  let owner = client;
  let loggedInAt = bench.clock.now();
  const kept = new Map<string, Promise<unknown>>();

  const shop = {
    ...{ bench, orgId, email, password: PASSWORD },

    /** A client with a login that is still good. */
    async owner(): Promise<ApiClient> {
      if (bench.clock.now() - loggedInAt > LOGIN_MS) {
        ({ client: owner } = await bench.member(orgId, "owner"));
        loggedInAt = bench.clock.now();
      }
      return owner;
    },

    /** Something ended the owner's session. */
    endLogin(): void {
      loggedInAt = Number.NEGATIVE_INFINITY;
    },

    /** How often something was asked for before. */
    count(what: string): number {
      const before = counts.get(what) ?? 0;
      counts.set(what, before + 1);
      return before;
    },

    /** Tells things apart. */
    next: () => shop.count("next"),

    /** Makes a thing once. */
    once<T>(what: string, make: () => Promise<T>): Promise<T> {
      const made = (kept.get(what) as Promise<T> | undefined) ?? make();
      kept.set(what, made);
      return made;
    },

    /** Makes something by the API. @returns the answer @throws Error with it when it refuses */
    async post(path: string, body: unknown): Promise<ApiAnswer> {
      const made = await (await shop.owner()).post(`${API}${path}`, body);
      if (made.status >= 300) throw new Error(`${path}: ${made.text}`);
      return made;
    },

    /** Makes a thing. @param within the field of the answer that it stands in */
    async made(path: string, body: unknown, within?: string): Promise<string> {
      const made = await shop.post(path, body);
      return within === undefined ? made.field("id") : idWithin(made, within);
    },
  };
  return shop;
}

function idWithin(answer: ApiAnswer, within: string): string {
  const fields: TProperties = { [within]: Type.Object({ id: Type.String() }) };
  const thing: { id: string } | undefined = Object(answer.as(Type.Object(fields)))[within];
  return thing?.id ?? "";
}

/** A device that is online, at an address of its own. */
async function device(shop: Shop): Promise<string> {
  const host = `till-${shop.next()}.${shop.orgId}.example`;
  const id = await shop.made("/devices", {
    ...{ name: host, driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
    connectionParams: { host, port: 9100 },
  });
  shop.bench.liveFacts.set(id, { connectivity: ONLINE });
  return id;
}

const sameDevice = (shop: Shop) => shop.once("device", () => device(shop));

/** A device that a controller owns. */
async function ownedDevice(shop: Shop): Promise<string> {
  const id = await device(shop);
  const { bench, orgId } = shop;
  const change = { controllerId: CONTROLLER, controllerName: "Tablet", updatedAt: 0 };
  await bench.writer.run(() => bench.stores.devices.update(orgId, id, change));
  return id;
}

/** A printer that the gateway simulates. */
function simulatedDevice(shop: Shop): Promise<string> {
  const body = { name: "Training", driver: "vendorA.isl", locationId: "shop" };
  return shop.once("simulated", () => shop.made("/devices/simulated", body));
}

/** A device in whose printer's place another one stands. */
async function replacedDevice(shop: Shop): Promise<string> {
  const id = await device(shop);
  const { bench, orgId } = shop;
  const own = { serialNumber: "DT577776", fiscalMemorySerialNumber: "02577776" };
  const row = await bench.writer.run(() => bench.stores.devices.update(orgId, id, own));
  const numbers = { serialNumber: "DT577777", fiscalMemorySerialNumber: "02577777" };
  const address = row === undefined ? "" : addressText(row);
  const otherPrinter = { ...numbers, deviceId: null, address };
  shop.bench.liveFacts.set(id, { connectivity: { ...ONLINE, linkUp: false, otherPrinter } });
  return id;
}

/** A device whose state was put back from a copy. */
async function restoredDevice(shop: Shop): Promise<string> {
  const deviceId = await device(shop);
  const { bench, orgId } = shop;
  const printer = { fiscalMemorySerialNumber: null, serialNumber: null, address: null };
  await bench.writer.run(() =>
    bench.stores.restoredPrinters.raise({
      ...{ deviceId, orgId, raisedAt: 0, seq: 0 },
      ...printer,
    }),
  );
  return deviceId;
}

/** An alert that stands, as the watch of a gateway writes it. */
async function alert({ bench, orgId }: Shop): Promise<void> {
  await bench.writer.run(() =>
    bench.stores.alertHistory.append({
      ...{ orgId, deviceId: "dev_1", deviceName: "", type: "paper_out", severity: "error" },
      ...{ message: "", commandId: null, fiscalId: null, standsOpen: null, detectedAt: 0 },
      ...{ endedAt: null, end: null, endedBy: null },
    }),
  );
}

/** A command that waits for its device. */
async function command(shop: Shop): Promise<string> {
  const deviceId = await sameDevice(shop);
  return shop.made("/commands", { deviceId, type: "print_receipt", payload: SALE }, "command");
}

/** Has a command carried out. @returns its id */
async function ended(
  shop: Shop,
  asked: { readonly type: string; readonly payload: unknown },
  result: CommandResult,
): Promise<string> {
  const deviceId = await device(shop);
  const { levers } = shop.bench;
  levers.connected = true;
  const commandId = await shop.made("/commands", { deviceId, ...asked }, "command");
  await reportEnd(shop, { deviceId, commandId, result });
  levers.connected = false;
  return commandId;
}

/** A sale of which nobody knows whether it was printed. */
function doubtful(shop: Shop): Promise<string> {
  return ended(shop, { type: "print_receipt", payload: SALE }, UNKNOWN);
}

/** A sale that can be reversed. */
async function sale(shop: Shop): Promise<string> {
  const deviceId = await sameDevice(shop);
  return shop.made(
    "/receipts",
    {
      ...SALE,
      ...{ deviceId, type: "sale", fiscalId: `S${shop.next()}`, issuedAt: SOLD_AT },
      ...{ uniqueSaleNumber: "DT000600-0001-0000001", fiscalMemorySerialNumber: "02000600" },
    },
    "receipt",
  );
}

async function report(shop: Shop): Promise<string> {
  const done = { success: true, data: { ...FIGURES } };
  await ended(shop, { type: "z_report", payload: {} }, done);
  const answer = await (await shop.owner()).get(`${API}/reports`);
  return answer.as(Type.Object({ reports: Identified })).reports[0]?.id ?? "";
}

const person = (shop: Shop) => ({
  email: `person-${shop.next()}.${shop.email}`,
  name: "Bo",
  role: "operator",
});

async function member(shop: Shop): Promise<string> {
  return shop.made("/org/members", person(shop), "member");
}

async function ticket(shop: Shop): Promise<string> {
  return (await shop.post("/events/ticket", undefined)).field("ticket");
}

async function setupToken(shop: Shop): Promise<string> {
  return (await shop.post("/org/members", person(shop))).field("setupToken");
}

async function refreshToken(shop: Shop): Promise<string> {
  const { email, password } = shop;
  return (await shop.post("/auth/login", { email, password })).field("refreshToken");
}

const webhook = (shop: Shop) => {
  const body = { url: "https://hooks.example/", events: ["receipt.created"] };
  return shop.made("/org/webhooks", body, "webhook");
};

const sameWebhook = (shop: Shop) => shop.once("webhook", () => webhook(shop));

/** One of an event: a change of subscriptions first makes the deliveries that are due. */
const delivery = (shop: Shop) =>
  shop.once("delivery", async () => {
    const webhookId = await sameWebhook(shop);
    await sale(shop);
    await webhook(shop);
    const answer = await (await shop.owner()).get(`${API}/org/webhooks/${webhookId}/deliveries`);
    return answer.as(Type.Object({ deliveries: Identified })).deliveries[0]?.id ?? "";
  });

async function key(shop: Shop): Promise<string> {
  return shop.made("/org/api-keys", { label: "Till", scopes: ["commands"] });
}

async function location(shop: Shop): Promise<string> {
  return shop.made("/org/locations", { name: "Corner" }, "location");
}

const controller = (shop: Shop) =>
  shop.once("controller", async () => {
    const body = { locationId: "shop", controllerName: "Tablet" };
    await shop.post("/controllers/tablet-1", body);
    return "tablet-1";
  });

/** What was told of something. */
async function event({ bench, orgId, ...shop }: Shop): Promise<string> {
  await shop.made("/devices", {
    ...{ name: "Told", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
    connectionParams: { host: `told-${shop.next()}.example`, port: 9100 },
  });
  const told = bench.database.sqlite.prepare("SELECT id FROM events WHERE org_id = ? LIMIT 1");
  return String(told.pluck().get(orgId));
}

/** Makes a new one for every few requests, which is enough where they do not use it up. */
function inTurns(make: (shop: Shop) => Promise<string>, few = REQUESTS_OF_A_TURN): Making {
  return (shop) => {
    const turn = Math.floor(shop.count(make.name) / few);
    return shop.once(`${make.name} ${turn}`, () => make(shop));
  };
}

/** A row of the list that the operation answers, after it was filled with one. */
function rowOf(fill: (shop: Shop) => Promise<unknown>, path: string): Making {
  return async (shop) => {
    await shop.once("row", () => fill(shop));
    const target = path.replace("{deviceId}", await sameDevice(shop));
    return (await (await shop.owner()).get(`${API}${target}`)).field("lastId");
  };
}

/** Table of what a shop knows; the first that is right counts. */
const KNOWN: readonly KnownValue[] = [
  { on: /release$/, at: /^path\.deviceId$/, make: ownedDevice },
  { on: /release$/, at: /^body\.controllerId$/, make: () => CONTROLLER },
  { on: /(paper|faults)$/, at: /^path\.deviceId$/, make: simulatedDevice },
  { on: /accept-printer$/, at: /^path\.deviceId$/, make: replacedDevice },
  { on: /accept-state$/, at: /^path\.deviceId$/, make: restoredDevice },
  { on: /^DELETE .*\{deviceId\}$/, at: /^path\.deviceId$/, make: device },
  // What a document leaves open of its printer holds the ones after it.
  { on: /^POST .*\{deviceId\}/, at: /^path\.deviceId$/, make: inTurns(device) },
  // No more than a thousand may wait for one.
  { on: /commands$/, at: /^body\.deviceId$/, make: inTurns(device, 500) },
  { on: /./, at: /^(path|query|body)\.deviceId$/, make: sameDevice },
  { on: /^DELETE/, at: /^path\.userId$/, make: member },
  { on: /./, at: /^path\.userId$/, make: inTurns(member) },
  { on: /^DELETE|rotate$/, at: /^path\.keyId$/, make: key },
  { on: /./, at: /^path\.keyId$/, make: inTurns(key) },
  { on: /^DELETE/, at: /^path\.webhookId$/, make: webhook },
  { on: /./, at: /^path\.webhookId$/, make: sameWebhook },
  { on: /replay$/, at: /^body\.deliveryId$/, make: delivery },
  { on: /^DELETE/, at: /^path\.locationId$/, make: location },
  { on: /./, at: /^path\.locationId$/, make: inTurns(location) },
  { on: /resolve$/, at: /^path\.commandId$/, make: doubtful },
  { on: /last-receipt$/, at: /^path\.commandId$/, make: inTurns(doubtful) },
  { on: /^DELETE/, at: /^path\.commandId$/, make: command },
  { on: /./, at: /^path\.commandId$/, make: inTurns(command) },
  { on: /./, at: /^path\.controllerId$/, make: controller },
  { on: /storno$/, at: /^path\.receiptId$/, make: sale },
  { on: /./, at: /^path\.receiptId$|\.originalReceiptId$|\.receiptId$/, make: inTurns(sale) },
  { on: /./, at: /^path\.reportId$/, make: (shop) => shop.once("report", () => report(shop)) },
  { on: /auth\/(login|forgot)/, at: /^body\.email$/, make: ({ email }) => email },
  { on: /auth\/login/, at: /^body\.password$/, make: ({ password }) => password },
  { on: /change-password/, at: /^body\.currentPassword$/, make: ({ password }) => password },
  { on: /reset-password/, at: /^body\.token$/, make: setupToken },
  { on: /./, at: /^body\.refreshToken$/, make: refreshToken },
  { on: /./, at: /^query\.locationId$/, make: () => "shop" },
  { on: /./, at: /^path\.alertId$/, make: rowOf(alert, "/alerts") },
  { on: /alerts$/, at: /^query\.startAfter$/, make: rowOf(alert, "/alerts") },
  { on: /audit$/, at: /^query\.startAfter$/, make: rowOf(key, "/audit") },
  { on: /commands$/, at: /^query\.startAfter$/, make: rowOf(command, "/commands") },
  { on: /reports$/, at: /^query\.startAfter$/, make: rowOf(report, "/reports") },
  { on: /devices/, at: /^query\.startAfter$/, make: rowOf(sale, "/devices/{deviceId}/receipts") },
  { on: /receipts$/, at: /^query\.startAfter$/, make: rowOf(sale, "/receipts") },
  { on: /events/, at: /^query\.since$|^header\.Last-Event-ID$/, make: event },
  { on: /events/, at: /^query\.ticket$/, make: ticket },
  // Some repeat a request, most others do not.
  { on: /./, at: /^header\.Idempotency-Key$/, make: (shop) => `till1-${shop.next() % 7}` },
];

/** How the shop knows a value at that place; undefined where it knows none. */
export function knownOf({ name }: Operation, place: string): Making | undefined {
  return KNOWN.find(({ on, at }) => on.test(name) && at.test(place))?.make;
}
