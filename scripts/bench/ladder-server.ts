/**
 * A server that takes submissions, with as much of the gateway in it as its first argument says; its
 * database lies in the folder that is the second. Prints, as JSON, its address and what to send to it.
 */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type AnyElysia, Elysia } from "elysia";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { createEventBus } from "#src/events/bus.ts";
import { EventLog } from "#src/events/event-log.ts";
import { publicRoutes, scopedRoutes } from "#src/http/access.ts";
import { startHttp } from "#src/http/listen.ts";
import { lateJson } from "#src/http/request-body.ts";
import { createHttpServer } from "#src/http/server.ts";
import { createAccessTokens } from "#src/modules/auth/access-tokens.ts";
import { createAuthenticator } from "#src/modules/auth/authenticator.ts";
import { requireStandingUnderWay } from "#src/modules/auth/standing.ts";
import { tokenSecret } from "#src/modules/auth/token-secret.ts";
import { DeviceSubmissionDocument } from "#src/modules/commands/document.ts";
import { commandRoutes } from "#src/modules/commands/routes.ts";
import { CommandBody, toCommandRecord } from "#src/modules/commands/schema.ts";
import { createCommandService, type QueuePort } from "#src/modules/commands/service.ts";
import { createRunOnce } from "#src/modules/idempotency/once.ts";
import { systemClock } from "#src/platform/clock.ts";
import { createLog } from "#src/platform/log.ts";
import { createRandom } from "#src/platform/random.ts";
import { hashOfSecret } from "#src/platform/secrets.ts";
import { CommandQueue } from "#src/queue/command-queue.ts";
import { takeUpTime } from "#src/queue/kept-time.ts";
import { createRecordKeeper } from "#src/queue/record-keeper.ts";
import { TimerQueue } from "#src/queue/timer-queue.ts";
import { gatewayRows, oneRow } from "./bare-rows.ts";

const DAY_MS = 86_400_000;
const ORG = "0123456789ab";
const DEVICES = 10;

type Answer = (request: Request) => Response | Promise<Response>;
type Groups = readonly AnyElysia[];
type Foundation = ReturnType<typeof layFoundation>;

const [, , name = "", folder = "."] = process.argv;
const database = openDatabase(join(folder, "ladder.db"));

/** What each rung adds stands in `ladder.ts`. */
const RUNGS: Readonly<Record<string, () => string>> = {
  answer: () => bare(() => new Response("{}", { status: 202 })),
  json: () => bare(async (request) => Response.json(await request.json(), { status: 202 })),
  commit: () => bare(storing(oneRow(database))),
  rows: () => bare(storing(gatewayRows(database))),
  elysia: () => {
    const store = storing(gatewayRows(database));
    const app = new Elysia().post("/api/v1/commands", ({ request }) => store(request), {
      parse: "none",
    });
    return startHttp(app, LISTEN).url;
  },
  edge: () => {
    const store = storing(gatewayRows(database));
    return ours(layFoundation(), [
      publicRoutes("Bench").post("/commands", ({ request }) => store(request)),
    ]);
  },
  key: () => {
    const store = storing(gatewayRows(database));
    return ours(layFoundation(), [
      scopedRoutes("commands", "Bench").post("/commands", ({ request }) => store(request)),
    ]);
  },
  body: () => ours(...bodyRead()),
  checked: () => ours(...commandChecked()),
  stored: () => {
    const foundation = layFoundation();
    const { stores } = foundation;
    return queued(foundation, {
      accept(tx, command) {
        const stored = stores.commands.insert(command);
        tx.emit({ type: "command.updated", orgId: stored.orgId, command: stored });
      },
      accepting: (_, operation) => foundation.writer.run(operation),
    });
  },
  queue: () => {
    const foundation = layFoundation();
    const queue = createQueue(foundation);
    return queued(foundation, {
      requireAllowed: (command) => queue.requireAllowed(command),
      accept: (tx, command) => queue.accept(tx, command),
      accepting: (command, operation) => queue.accepting(command, operation),
      expiryOf: (createdAt) => queue.expiryOf(createdAt),
    });
  },
};

const LISTEN = { hostname: "127.0.0.1", port: 0, clock: systemClock };

function bare(fetch: Answer): string {
  return `http://127.0.0.1:${Bun.serve({ hostname: "127.0.0.1", port: 0, fetch }).port}`;
}

/** Reads JSON, commits rows of it in a group, and answers it. */
function storing(insert: (body: string) => void): Answer {
  const writer = new Writer(database);
  return async (request) => {
    const body: unknown = await request.json();
    await writer.run(() => insert(JSON.stringify(body)));
    return Response.json(body, { status: 202 });
  };
}

function layFoundation() {
  const clock = systemClock;
  migrate(database, clock.now());
  const random = createRandom(clock);
  const stores = createStores(database);
  const bus = createEventBus((error) => {
    throw error;
  });
  const writer = new Writer(database, { events: new EventLog({ stores, bus, clock, random }) });
  const log = createLog({ level: "warn", clock, sink: { write: (line) => console.error(line) } });
  return { stores, writer, clock, random, log };
}

/** The gateway's own HTTP server with some routes. */
function ours({ stores, writer, clock, random, log }: Foundation, groups: Groups): string {
  const many = 1_000_000_000;
  const app = createHttpServer({
    ...{ clock, log, version: "0.0.0", groups, trustProxy: false, corsOrigins: [] },
    limits: { globalMax: many, authMax: many, commandsMax: many, windowSeconds: 60 },
    authenticate: createAuthenticator({
      ...{ apiKeys: stores.apiKeys, users: stores.users, writer, clock, log },
      tokens: createAccessTokens(tokenSecret(stores.appliance, random), clock),
    }),
    requireStanding: (principal) => requireStandingUnderWay({ ...stores, clock }, principal),
    ready: () => true,
  });
  return startHttp(app, LISTEN).url;
}

function bodyRead(): [Foundation, Groups] {
  const foundation = layFoundation();
  const insert = gatewayRows(database);
  const routes = scopedRoutes("commands", "Bench").post(
    "/commands",
    async ({ body }) => {
      const value = body.parse(await body.text());
      await foundation.writer.run(() => insert(JSON.stringify(value)));
      return Response.json(value, { status: 202 });
    },
    { body: lateJson(CommandBody, DeviceSubmissionDocument) },
  );
  return [foundation, [routes]];
}

function commandChecked(): [Foundation, Groups] {
  const foundation = layFoundation();
  const service = createCommandService({ ...foundation, queue: NO_QUEUE });
  const insert = gatewayRows(database);
  const routes = scopedRoutes("commands", "Bench").post(
    "/commands",
    async ({ principal, body }) => {
      const asked = { ...body.parse(await body.text()), idempotencyKey: null };
      const command = service.prepare(principal, asked, "api");
      const record = toCommandRecord(command);
      await foundation.writer.run(() => insert(JSON.stringify(command.payload)));
      return Response.json({ command: record }, { status: 202 });
    },
    { body: lateJson(CommandBody, DeviceSubmissionDocument) },
  );
  return [foundation, [routes]];
}

/** The gateway's own routes over a queue, of which only what a submission uses is there. */
function queued(foundation: Foundation, queue: Partial<QueuePort>): string {
  const { stores, writer, clock } = foundation;
  const service = createCommandService({ ...foundation, queue: { ...NO_QUEUE, ...queue } });
  const time = takeUpTime(stores.appliance, clock);
  const { commands, reversals, idempotency: store } = stores;
  return ours(foundation, [
    commandRoutes(service, createRunOnce({ commands, reversals, store, writer, clock, time })),
  ]);
}

const NO_QUEUE: QueuePort = {
  requireAllowed: () => undefined,
  renewStornos: () => undefined,
  accept: unused,
  accepting: unused,
  expiryOf: (createdAt) => createdAt + DAY_MS,
  cancel: unused,
  askedFirst: () => undefined,
  reasonOf: () => undefined,
  settle: unused,
  waitFinal: unused,
};

function unused(): never {
  throw new Error("not part of a submission");
}

/** Nobody serves the devices. */
function createQueue(foundation: Foundation): CommandQueue {
  const { stores, clock, random } = foundation;
  return new CommandQueue({
    ...foundation,
    time: takeUpTime(stores.appliance, clock),
    timers: new TimerQueue(clock),
    records: createRecordKeeper(stores, random),
    times: { pushWaitMs: DAY_MS, overallMs: DAY_MS },
    controllers: {
      controllerOf: () => undefined,
      reaches: () => false,
      mayAnswer: () => false,
      reasonOf: () => undefined,
      send: unused,
      deviceConfig: () => undefined,
    },
  });
}

/** A shop with devices and a key. */
function fill(into: Database): { readonly key: string; readonly devices: readonly string[] } {
  migrate(into, Date.now());
  const stores = createStores(into);
  const now = Date.now();
  const key = `svc_live_${ORG}_${randomBytes(16).toString("hex")}`;
  stores.organizations.insert({
    ...{ id: ORG, name: "Bench", currency: "EUR", timezone: "UTC", plan: "enterprise" },
    ...{ closingTime: null, closingAutomatic: false, closingSetAt: 0 },
    ...{ createdAt: now, updatedAt: now },
  });
  stores.apiKeys.insert({
    ...{ id: "key_bench", orgId: ORG, hash: hashOfSecret(key), prefix: "svc_live", last4: "0000" },
    ...{ label: "Bench", scopes: ["all"], active: true, createdAt: now, lastUsed: now },
    ...{ expiresAt: null, rotatedFromId: null, rotatedToId: null },
  });
  const devices = Array.from({ length: DEVICES }, (_, index) => `dev_${index}`);
  for (const id of devices) {
    stores.devices.insert({
      ...{ id, orgId: ORG, name: id, driver: "vendorA.isl", transport: "tcp" },
      ...{ locationId: "bench", connectionParams: { host: "127.0.0.1", port: 1 } },
      ...{ managedBy: "remote", controllerId: null, controllerName: null, lastSeenAt: null },
      ...{ storedStatus: "offline", serialNumber: null, fiscalMemorySerialNumber: null },
      ...{
        model: null,
        firmwareVersion: null,
        charsPerLine: null,
        reversalTenders: null,
        addressKeys: null,
      },
      ...{ createdAt: now, updatedAt: now },
    });
  }
  return { key, devices };
}

const rung = RUNGS[name];
if (rung === undefined) throw new Error(`one of ${Object.keys(RUNGS).join(", ")}`);
const shop = fill(database);
console.log(JSON.stringify({ url: rung(), ...shop }));
