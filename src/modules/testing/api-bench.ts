/** The modules over a real database in memory, behind the real HTTP layer, for tests. */

import type { Role } from "#core/access.ts";
import type { ToController } from "#core/controller/messages.ts";
import type { DeviceFacts, StatusReading } from "#core/device/alerts.ts";
import type { SerialPortInfo } from "#core/device/serial-port.ts";
import type { GatewayEvent } from "#core/events.ts";
import type { Plan } from "#core/limits.ts";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { createModules, type ModuleParts } from "../../app/modules.ts";
import { createEventBus, type EventBus } from "../../events/bus.ts";
import { EventLog } from "../../events/event-log.ts";
import type { RateLimitSettings } from "../../http/rate-limits.ts";
import { createHttpServer } from "../../http/server.ts";
import { ApiClient } from "../../http/testing/api-client.ts";
import { FakeClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { createRandom } from "../../platform/random.ts";
import { CommandQueue } from "../../queue/command-queue.ts";
import { keepTime, takeUpTime } from "../../queue/kept-time.ts";
import type { ControllerPort } from "../../queue/ports.ts";
import { createReceiptKeeper } from "../../queue/receipt-keeper.ts";
import { TimerQueue } from "../../queue/timer-queue.ts";
import { createWaiter } from "../../queue/waiter.ts";
import { createAccessTokens } from "../auth/access-tokens.ts";
import { createPasswords } from "../auth/password.ts";
import { createSetupCode } from "../auth/setup-code.ts";
import type { LiveConnectivity } from "../devices/records.ts";
import type { DeviceLive } from "../devices/service.ts";
import { healthRoutes } from "../health/routes.ts";

/** What a test may say of its appliance. */
export interface BenchOptions {
  readonly registration?: "first" | "open";
  readonly limits?: Partial<RateLimitSettings>;
  /** The appliance is one that ran before: its database, and the clock it starts with. */
  readonly after?: { readonly database: Database; readonly clock: FakeClock };
  /** What addresses lead to; each to a place of its own unless given. */
  readonly addressKeys?: ModuleParts["addressKeys"];
  /** Serial ports of the machine. */
  readonly ports?: readonly SerialPortInfo[];
  /** In place of the machine's own search. */
  readonly detect?: ModuleParts["detect"];
  /** The lines of devices. */
  readonly watchLine?: ModuleParts["watchLine"];
}

/** What a test may make the live registry say of a device. */
export interface LiveFacts {
  connectivity?: LiveConnectivity;
  reading?: StatusReading;
  lateResult?: DeviceFacts["lateResult"];
}

/** What a test may change of the world while it runs. */
export interface Levers {
  /** Whether a controller serves the devices. */
  connected: boolean;
  /** Why the devices are out of reach. */
  reason: string | undefined;
  /** Thrown inside the operation, after the command was inserted. */
  insertFault: Error | undefined;
  /** What the controller is sent. */
  readonly sent: ToController[];
}

/** The controller that the test plays. */
export const CONTROLLER = "c1";

export type ApiBench = ReturnType<typeof createApiBench>;

const OFFLINE: LiveConnectivity = {
  wsConnected: false,
  controllerOnline: false,
  linkUp: false,
  lastSeenAt: null,
};
const OWNER_PASSWORD = "correct horse battery";

/** The cheapest argon2id there is: tests check the rules, not the cost. */
const TEST_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Builds one appliance. Call `close` at the end. */
export function createApiBench(options: BenchOptions = {}) {
  const { clock, database } = options.after ?? {
    clock: new FakeClock(),
    database: openDatabase(":memory:"),
  };
  const random = createRandom(clock);
  migrate(database, clock.now());
  const stores = createStores(database);
  const bus = createEventBus((error) => {
    throw error;
  });
  const writer = new Writer(database, { events: new EventLog({ stores, bus, clock, random }) });
  const events: GatewayEvent[] = [];
  bus.subscribe(({ event }) => events.push(event));
  const lines: string[] = [];
  const log = createLog({ level: "debug", clock, sink: { write: (line) => lines.push(line) } });
  const tokens = createAccessTokens(random.bytes(32), clock);
  const passwords = createPasswords(TEST_COST);
  const setupCode = createSetupCode(stores.appliance, random);
  const liveFacts = new Map<string, LiveFacts>();
  const live: DeviceLive = {
    isHere: true,
    connectivity: (deviceId) => liveFacts.get(deviceId)?.connectivity ?? OFFLINE,
    reading: (deviceId) => liveFacts.get(deviceId)?.reading,
    lateResult: (deviceId) => liveFacts.get(deviceId)?.lateResult ?? null,
  };
  const time = takeUpTime(stores.appliance, clock);
  const levers: Levers = { connected: true, reason: undefined, insertFault: undefined, sent: [] };
  const base = { stores, writer, clock, random, log };
  const { commandQueue, queue, receipts } = createBenchQueue({ ...base, time, bus }, levers);
  const app = createHttpServer({
    clock,
    log,
    limits: {
      globalMax: 10_000,
      authMax: 10_000,
      commandsMax: 10_000,
      windowSeconds: 600,
      ...options.limits,
    },
    trustProxy: false,
    corsOrigins: [],
    version: "0.0.0",
    ready: () => true,
    ...createModules({
      ...{ ...base, time, queue, receipts, tokens, passwords, live },
      registration: options.registration ?? "first",
      setupCode,
      hasBluetooth: false,
      addressKeys: options.addressKeys ?? (() => Promise.resolve([])),
      listPorts: () => [...(options.ports ?? [])],
      detect: options.detect ?? (() => Promise.resolve({ found: [], tried: [] })),
      watchLine: options.watchLine ?? noLine,
    }),
    plugins: [
      healthRoutes({
        version: "0.0.0",
        ready: () => true,
        checks: () => ({
          database: { status: "ok" },
          disk: { status: "ok" },
          timers: { status: "ok" },
          controllers: { status: "degraded", detail: "none connected" },
        }),
        uptimeSeconds: () => 1.5,
      }),
    ],
  });
  const client = new ApiClient(app);

  return {
    clock,
    database,
    stores,
    writer,
    queue: commandQueue,
    levers,
    tokens,
    setupCode: setupCode.text(),
    lines,
    liveFacts,
    events,
    client,
    close: () => database.close(),

    /** Keeps what a start later needs to know of the time. */
    keepTime: () => writer.run(() => keepTime(stores.appliance, time)),

    /** Registers an organization and gives a client logged in as its owner. */
    async owner(email = "owner@example.com") {
      const answer = await client.post("/api/v1/auth/register", {
        email,
        password: OWNER_PASSWORD,
        name: "Ana",
        organizationName: "Shop",
        setupCode: setupCode.text(),
      });
      if (answer.status !== 201) throw new Error(`not registered: ${answer.text}`);
      const me = client.as(answer.field("accessToken"));
      const orgId = stores.users.findByEmail(email)?.orgId ?? "";
      return { client: me, orgId, answer, password: OWNER_PASSWORD };
    },

    /** Sets the plan without going through the API. */
    setPlan: (orgId: string, plan: Plan) =>
      writer.run(() => stores.organizations.setPlan(orgId, plan, clock.now())),

    /** A client logged in as another user of the organization. */
    async member(orgId: string, role: Role) {
      const userId = random.id("usr");
      const sessionId = random.hex(16);
      const now = clock.now();
      await writer.run(() => {
        stores.users.insert({
          id: userId,
          orgId,
          email: `${userId}@example.com`.toLowerCase(),
          name: role,
          role,
          passwordHash: null,
          active: true,
          createdAt: now,
          updatedAt: now,
          lastLoginAt: null,
        });
        stores.users.insertSession({
          id: sessionId,
          orgId,
          userId,
          createdAt: now,
          endedAt: null,
          expiresAt: now + 86_400_000,
        });
      });
      const token = await tokens.issue({ userId, orgId, role, sessionId });
      return { userId, sessionId, client: client.as(token) };
    },
  };
}

/** There is nothing to see of any device. */
const noLine: ModuleParts["watchLine"] = (_, viewer) => {
  viewer.ended();
  return () => undefined;
};

/** The queue with a controller that the test plays itself. */
function createBenchQueue(
  base: Pick<ModuleParts, "stores" | "writer" | "clock" | "time" | "random" | "log"> & {
    bus: EventBus;
  },
  levers: Levers,
) {
  const { stores, writer, clock, time, random, log, bus } = base;
  const waiter = createWaiter(bus, clock);
  const receipts = createReceiptKeeper(stores, random);
  const controllers: ControllerPort = {
    controllerOf: () => (levers.connected ? { orgId: null, controllerId: CONTROLLER } : undefined),
    reasonOf: () => levers.reason,
    send: (_, message) => levers.sent.push(message),
    deviceConfig: (orgId, deviceId) => {
      const device = stores.devices.get(orgId, deviceId);
      return device && { ...device, timezone: "UTC", currency: "RON" };
    },
  };
  bus.subscribe(({ event }) => {
    if (event.type.startsWith("device.")) commandQueue.holdsChanged();
  });
  const commandQueue = new CommandQueue({
    ...{ stores, writer, clock, time, log, receipts, controllers },
    timers: new TimerQueue(clock),
    times: { pushWaitMs: 60_000, overallMs: 180_000 },
  });
  const queue: ModuleParts["queue"] = {
    accept(tx, command) {
      commandQueue.accept(tx, command);
      if (levers.insertFault) throw levers.insertFault;
    },
    accepting: (command, operation) => commandQueue.accepting(command, operation),
    expiryOf: (createdAt) => commandQueue.expiryOf(createdAt),
    cancel: (orgId, commandId) => commandQueue.cancel(orgId, commandId),
    settle: (tx, command, said) => commandQueue.settle(tx, command, said),
    failOut: (tx, deviceId, now) => commandQueue.failOut(tx, deviceId, now),
    failUnfinished: (deviceId) => commandQueue.failUnfinished(deviceId),
    waitFinal: (commandId, ms) => waiter.final(commandId, ms),
  };
  return { queue, commandQueue, receipts };
}
