/** The modules over a real database in memory, behind the real HTTP layer, for tests. */

import type { Role } from "#core/access.ts";
import type { ToController } from "#core/controller/messages.ts";
import type { LateResult } from "#core/device/alerts.ts";
import type { StatusReading } from "#core/device/reading.ts";
import type { SerialPortInfo } from "#core/device/serial-port.ts";
import type { GatewayEvent, StoredEvent } from "#core/events.ts";
import type { Plan } from "#core/limits.ts";
import { migrate } from "#db/migrate.ts";
import { createStores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { DRIVERS } from "#drivers/registry.ts";
import { followDevices, liveDevices, type SearchParts, searchAt } from "../../app/controllers.ts";
import { gatherDiagnostics } from "../../app/diagnostics.ts";
import { createFeed } from "../../app/event-records.ts";
import { createModules, type ModuleParts } from "../../app/modules.ts";
import { createWebhooks, type WebhooksOptions } from "../../app/webhooks.ts";
import { loadConfig } from "../../config/load-config.ts";
import { createEventBus, type EventBus } from "../../events/bus.ts";
import { EventLog } from "../../events/event-log.ts";
import { Controllers } from "../../gateway/controllers.ts";
import { DeviceRoster } from "../../gateway/device-roster.ts";
import { RemoteLink } from "../../gateway/remote-link.ts";
import type { RateLimitSettings } from "../../http/rate-limits.ts";
import { createHttpServer } from "../../http/server.ts";
import { ApiClient } from "../../http/testing/api-client.ts";
import { documentedAnswers } from "../../http/testing/documented-answers.ts";
import { FakeClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { CommandQueue } from "../../queue/command-queue.ts";
import { keepTime, takeUpTime } from "../../queue/kept-time.ts";
import type { ControllerPort } from "../../queue/ports.ts";
import { createRecordKeeper } from "../../queue/record-keeper.ts";
import { TimerQueue } from "../../queue/timer-queue.ts";
import { createWaiter } from "../../queue/waiter.ts";
import { createAccessTokens } from "../auth/access-tokens.ts";
import { createGuessGuard } from "../auth/guess-guard.ts";
import { createPasswords, type Passwords } from "../auth/password.ts";
import { createSetupCode } from "../auth/setup-code.ts";
import { tokenSecret } from "../auth/token-secret.ts";
import type { DeviceLive } from "../devices/device-state.ts";
import type { LiveConnectivity } from "../devices/records.ts";
import { healthRoutes } from "../health/routes.ts";
import { metricsRoutes } from "../metrics/routes.ts";
import { trustRoutes } from "../trust/routes.ts";
import { type ApplianceCopy, type Beginning, begun } from "./appliance-copy.ts";

/** One that an authority gave to the appliance, and then asks for. */
export const ACME_TOKEN = "token-of-an-authority";

/** What a test may say of its appliance. */
export interface BenchOptions extends Beginning {
  readonly registration?: "first" | "open";
  /** Clients are told apart by `X-Forwarded-For`. */
  readonly corsOrigins?: readonly string[];
  readonly trustProxy?: boolean;
  /** Takes the mails; none unless given. */
  readonly outbox?: ModuleParts["outbox"];
  /** Opens the figures; none unless given. */
  readonly metricsKey?: string;
  readonly limits?: Partial<RateLimitSettings>;
  /** What addresses lead to; each to a place of its own unless given. */
  readonly addressKeys?: ModuleParts["addressKeys"];
  /** What the hashing of a password waits for. */
  readonly beforeHash?: () => Promise<void>;
  /** Serial ports of the machine. */
  readonly ports?: readonly SerialPortInfo[];
  /** In place of the machine's own search. */
  readonly detect?: ModuleParts["detect"];
  /** What webhooks may do; they find no name unless it is said. */
  readonly webhooks?: {
    readonly allowPrivate?: boolean;
    readonly allowLoopback?: boolean;
    readonly caFile?: string;
    readonly maxAttempts?: number;
    readonly lookup?: (name: string) => Promise<readonly string[]>;
  };
  /** Runs the simulated printers; nobody does unless given. */
  readonly simulated?: ModuleParts["simulated"];
  /** What makes backups; none are made unless given. */
  readonly backups?: ModuleParts["backups"];
  /** Where it is reached; nowhere unless given. */
  readonly network?: Awaited<ReturnType<ModuleParts["network"]>>;
  /** What knows of versions: a look finds nothing unless given. */
  readonly updates?: Partial<ModuleParts["updates"]>;
  /** The lines of devices. */
  readonly watchLine?: ModuleParts["watchLine"];
}

/** What a test may say of a device, in place of the controllers that are connected. */
export interface LiveFacts {
  connectivity?: LiveConnectivity;
  reading?: StatusReading;
  lateResults?: readonly LateResult[];
}

/** What a test may change of the world while it runs. */
export interface Levers {
  /** Whether a controller serves the devices. */
  connected: boolean;
  /** Devices of which the line is down, while a controller serves them. */
  readonly down: Set<string>;
  /** False: the controller is an older app elsewhere, which tells no marks. */
  reportsMarks: boolean;
  /** True: the controller is an app elsewhere, with marks or without. */
  isElsewhere: boolean;
  /** How the controller is called. */
  controllerId: string;
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

/** Nobody serves the device. */
export const OFFLINE: LiveConnectivity = {
  wsConnected: false,
  controllerOnline: false,
  linkUp: false,
  lastSeenAt: null,
};
const OWNER_PASSWORD = "correct horse battery";

/** The cheapest argon2id there is: tests check the rules, not the cost. */
const TEST_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** The settings where nobody says otherwise. */
const defaults = () =>
  loadConfig({ flags: new Map(), file: undefined }, { environment: {}, pid: 0 }).config;

/** Builds one appliance. Call `close` at the end. */
export function createApiBench(options: BenchOptions = {}) {
  const { clock, database, random } = begun(options);
  migrate(database, clock.now());
  const stores = createStores(database);
  const bus = createEventBus((error) => {
    throw error;
  });
  const writer = new Writer(database, {
    events: new EventLog({ stores, bus, clock, random }),
    rehearses: true,
  });
  const told: StoredEvent[] = [];
  const events: GatewayEvent[] = [];
  bus.subscribe((stored) => {
    told.push(stored);
    events.push(stored.event);
  });
  const lines: string[] = [...(options.copyOf?.lines ?? [])];
  const log = createLog({ level: "debug", clock, sink: { write: (line) => lines.push(line) } });
  const tokens = createAccessTokens(tokenSecret(stores.appliance, random), clock);
  const passwords = watched(createPasswords(TEST_COST), options);
  const setupCode = createSetupCode(stores.appliance, random);
  const liveFacts = new Map<string, LiveFacts>();
  const boot = { id: crypto.randomUUID().replaceAll("-", ""), uptime: () => clock.elapsed() };
  const time = takeUpTime(stores.appliance, clock, boot);
  const levers: Levers = {
    ...{
      connected: true,
      down: new Set(),
      reportsMarks: true,
      isElsewhere: false,
      controllerId: CONTROLLER,
      reason: undefined,
      insertFault: undefined,
      sent: [],
    },
  };
  const base = { stores, writer, clock, random, log };
  const { commandQueue, queue, records, waiter } = createBenchQueue({ ...base, time, bus }, levers);
  const controllers = new Controllers({ ...base, reports: commandQueue });
  followDevices(bus, controllers, new DeviceRoster(stores.devices, controllers));
  const webhooks = benchWebhooks({ ...base, time, bus }, options.webhooks);
  const connected = liveDevices(controllers, commandQueue, { fullSince: () => undefined });
  const live: DeviceLive = {
    isHere: true,
    connectivity: (id) => liveFacts.get(id)?.connectivity ?? connected.connectivity(id),
    controller: (id) => connected.controller(id),
    reading: (id) => liveFacts.get(id)?.reading ?? connected.reading(id),
    diskFullSince: () => null,
    lateResults: (id) => liveFacts.get(id)?.lateResults ?? connected.lateResults(id),
  };
  const guard = createGuessGuard({ stores, writer, clock, time, log });
  const stopping = new AbortController();
  const app = createHttpServer({
    clock,
    log,
    // By the machine's, each appliance would be kept for a minute.
    logClock: new FakeClock(),
    limits: {
      globalMax: 10_000,
      authMax: 10_000,
      commandsMax: 10_000,
      windowSeconds: 600,
      ...options.limits,
    },
    trustProxy: options.trustProxy ?? false,
    corsOrigins: options.corsOrigins ?? [],
    version: "0.0.0",
    ready: () => true,
    ...createModules({
      ...{ ...base, time, queue, records, tokens, passwords, live },
      stopping: stopping.signal,
      connectedFor: (orgId) => controllers.connectedFor(orgId),
      webhooks,
      registration: options.registration ?? "first",
      setupCode,
      outbox: options.outbox,
      guard,
      hasBluetooth: false,
      addressKeys: options.addressKeys ?? (() => Promise.resolve([])),
      listPorts: () => [...(options.ports ?? [])],
      detect: options.detect ?? benchSearch({ stores, clock, controllers }),
      takeIn: (line, identity) => new RemoteLink(line, identity, { controllers, clock }),
      watchLine: options.watchLine ?? noLine,
      feed: createFeed({ stores, bus, clock }),
      simulated: options.simulated ?? NO_SIMULATOR,
      backups: options.backups ?? NO_BACKUPS,
      network: () => Promise.resolve(options.network ?? NO_NETWORK),
      updates: { ...NO_UPDATES, ...options.updates },
      diagnose: async (orgId) =>
        gatherDiagnostics(
          {
            ...{ config: defaults(), stores, now: clock.now(), version: "0.0.0", live },
            ...{ health: null, metrics: null },
          },
          [orgId],
        ),
    }),
    plugins: [
      metricsRoutes({
        key: options.metricsKey ?? "",
        guess: (address) => guard.begin({ address, what: "key of the figures", isApart: true }),
        gather: () => [],
      }),
      trustRoutes({
        authority: () => ({ pem: "pem", der: new Uint8Array(1), fingerprint: "AB:CD" }),
        acmeAnswer: (token) => (token === ACME_TOKEN ? `${token}.thumbprint` : undefined),
      }),
      healthRoutes({
        version: "0.0.0",
        ownsBox: (orgId) => stores.organizations.isFirst(orgId),
        ready: () => true,
        checks: () => ({
          database: { status: "ok" },
          disk: { status: "ok" },
          timers: { status: "ok" },
          controllers: { status: "degraded", detail: "none connected" },
          clock: { status: "ok" },
          printers: { status: "ok" },
        }),
        uptimeSeconds: () => 1.5,
      }),
    ],
  });
  const client = new ApiClient(app, {}, documentedAnswers(app));
  for (const stored of options.copyOf?.events ?? []) bus.publish(stored);

  return {
    clock,
    time,
    boot,
    database,
    stores,
    writer,
    controllers,
    deliveries: webhooks.deliveries,
    queue: commandQueue,
    levers,
    tokens,
    setupCode: setupCode.text(),
    lines,
    log,
    liveFacts,
    bus,
    events,
    client,
    close: () => database.close(),
    /** To begin others from, while its clock stands where it began. */
    copy: (): ApplianceCopy => ({ content: database.sqlite.serialize(), events: told, lines }),
    /** How often a password was compared with a hash, or with what stands in for one. */
    comparisons: () => passwords.comparisons,
    /** As the gateway does when it is about to stop. */
    stopWaiting: () => waiter.releaseAll(),
    /** As it does for answers that go on. */
    stopAnswers: () => stopping.abort(),

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

/** Each is asked for, and none is there yet. */
const NO_BACKUPS: ModuleParts["backups"] = {
  canEncrypt: true,
  makeNow: () => true,
  fixedBy: () => undefined,
  requireRoomFor: () => Promise.resolve(),
  keep: () => undefined,
  settings: () =>
    Promise.resolve({
      ...{ to: "", at: "03:00", keepDays: 14, hasPassphrase: true, timezone: "Etc/UTC" },
    }),
  look: () =>
    Promise.resolve({
      ...{ kept: [], last: null, failed: null, sticks: [], restore: [] },
      ...{ problem: undefined, startedAt: undefined, nextAt: undefined },
    }),
};

const NO_NETWORK: NonNullable<BenchOptions["network"]> = {
  ...{ hostname: "bench", mdnsName: null, addresses: [], onlyHere: true, https: null },
  settings: {
    file: "/var/lib/fiscald/fiscald.toml",
    isService: true,
    restart: "sudo systemctl restart fiscald",
    given: [],
  },
  http: { port: 80, redirect: "none", plainFrom: [], behindProxy: false },
};
const NO_UPDATES: ModuleParts["updates"] = {
  look: () => ({
    ...{ version: "0.0.0", installedBy: "hand", architecture: "x64", canLook: false },
    ...{ place: null, lacksKey: false },
    ...{
      newest: null,
      problem: null,
      commands: [],
      last: null,
      brokenOff: null,
      versions: [],
      migrations: [],
    },
  }),
  check: () => Promise.resolve(true),
};

/** The machine has nothing to be found; controllers elsewhere are asked. */
function benchSearch(parts: Omit<SearchParts, "drivers">): ModuleParts["detect"] {
  return (request, at) =>
    at === undefined
      ? Promise.resolve({ found: [], tried: [] })
      : searchAt({ ...parts, drivers: DRIVERS }, request, at);
}

/** Counts the comparisons. */
function watched(passwords: Passwords, { beforeHash }: Pick<BenchOptions, "beforeHash">) {
  let comparisons = 0;
  return {
    async hash(...asked: Parameters<Passwords["hash"]>) {
      await beforeHash?.();
      return passwords.hash(...asked);
    },
    verify(...asked: Parameters<Passwords["verify"]>) {
      comparisons += 1;
      return passwords.verify(...asked);
    },
    get comparisons() {
      return comparisons;
    },
  };
}

/** Webhooks as the gateway has them, on the test's clock and names. */
function benchWebhooks(
  base: Omit<WebhooksOptions, "config" | "lookup">,
  given: BenchOptions["webhooks"] = {},
) {
  const { allowPrivate = true, allowLoopback = false, caFile = "", lookup = noName } = given;
  return createWebhooks({
    ...base,
    config: {
      "webhooks.maxAttempts": given.maxAttempts ?? 5,
      "webhooks.allowPrivate": allowPrivate,
      "webhooks.allowLoopback": allowLoopback,
      "webhooks.caFile": caFile,
    },
    lookup,
  });
}

const noName = (name: string) => Promise.reject(new Error(`${name} was not found`));

const notRunning = () => Promise.reject(new Error("nobody runs it"));
/** Simulated printers are registered, and run in the tests of the executable. */
const NO_SIMULATOR: ModuleParts["simulated"] = {
  ...{ paper: notRunning, bringFault: notRunning, clearFaults: notRunning },
};

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
  const records = createRecordKeeper(stores, random);
  const controllers: ControllerPort = {
    controllerOf(deviceId) {
      if (!levers.connected) return undefined;
      const { reportsMarks, isElsewhere, controllerId } = levers;
      if (reportsMarks && !isElsewhere) return { orgId: null, controllerId, reportsMarks };
      const device = stores.devices.listAll().find(({ id }) => id === deviceId);
      return { orgId: device?.orgId ?? null, controllerId, reportsMarks };
    },
    reaches: (deviceId) => levers.connected && !levers.down.has(deviceId),
    mayAnswer: (deviceId) => levers.connected && !levers.down.has(deviceId),
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
    ...{ stores, writer, clock, time, log, records, controllers },
    timers: new TimerQueue(clock),
    times: { pushWaitMs: 60_000, overallMs: 180_000 },
  });
  const queue: ModuleParts["queue"] = {
    accept(tx, command) {
      commandQueue.accept(tx, command);
      if (levers.insertFault) throw levers.insertFault;
    },
    requireAllowed: (command) => commandQueue.requireAllowed(command),
    renewStornos: (receipt) => commandQueue.renewStornos(receipt),
    accepting: (command, operation) => commandQueue.accepting(command, operation),
    expiryOf: (createdAt) => commandQueue.expiryOf(createdAt),
    cancel: (orgId, commandId, by) => commandQueue.cancel(orgId, commandId, by),
    askedFirst: (about) => commandQueue.askedFirst(about),
    reasonOf: (about) => commandQueue.reasonOf(about),
    settle: (tx, command, said) => commandQueue.settle(tx, command, said),
    failOut: (tx, deviceId, now) => commandQueue.failOut(tx, deviceId, now),
    endDoubts: (tx, deviceId, now) => commandQueue.endDoubts(tx, deviceId, now),
    endWaiting: (tx, deviceId, meant) => commandQueue.endWaiting(tx, deviceId, meant),
    leavePrinter: commandQueue.leavePrinter,
    failUnfinished: (deviceId) => commandQueue.failUnfinished(deviceId),
    waitFinal: (commandId, ms) => waiter.final(commandId, ms),
  };
  return { queue, commandQueue, records, waiter };
}
