/** The composition root: everything the gateway is made of, put together once. */

import { statfsSync } from "node:fs";
import { join } from "node:path";
import type { DetectDevices } from "#core/device/detection.ts";
import { BUILTIN_CONTROLLER_ID } from "#core/device/device.ts";
import type { Driver, DriverId } from "#core/driver.ts";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores, type Stores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { createDrivers } from "#drivers/registry.ts";
import { hasBluetooth } from "#drivers/transport/bluetooth.ts";
import { openLine, watchDevice } from "#drivers/transport/index.ts";
import { listSerialPorts } from "#drivers/transport/serial-ports.ts";
import { loadProfiles } from "./app/profile-files.ts";
import { stateFiles } from "./config/state-files.ts";
import type { Config } from "./config.ts";
import { createInProcessLink } from "./controller/link.ts";
import { machineDetection } from "./controller/machine-detection.ts";
import { startController } from "./controller/runtime.ts";
import { createEventBus } from "./events/bus.ts";
import { DeviceRoster } from "./gateway/device-roster.ts";
import { ControllerRegistry } from "./gateway/registry.ts";
import { startHttp } from "./http/listen.ts";
import { createHttpServer } from "./http/server.ts";
import { apiKeyRoutes } from "./modules/api-keys/routes.ts";
import { createApiKeyService } from "./modules/api-keys/service.ts";
import { createAccessTokens } from "./modules/auth/access-tokens.ts";
import { createAuthenticator } from "./modules/auth/authenticator.ts";
import { createPasswords } from "./modules/auth/password.ts";
import { authRoutes } from "./modules/auth/routes.ts";
import { createAuthService } from "./modules/auth/service.ts";
import { billingRoutes } from "./modules/billing/routes.ts";
import { createBillingService } from "./modules/billing/service.ts";
import { commandRoutes } from "./modules/commands/routes.ts";
import { createCommandService } from "./modules/commands/service.ts";
import { detectRoutes } from "./modules/devices/detect-routes.ts";
import { deviceRoutes } from "./modules/devices/routes.ts";
import { createDeviceService, type DeviceLive } from "./modules/devices/service.ts";
import { traceRoutes } from "./modules/devices/trace-routes.ts";
import { type HealthChecks, healthRoutes } from "./modules/health/routes.ts";
import { createRunOnce } from "./modules/idempotency/once.ts";
import { organizationRoutes } from "./modules/organizations/routes.ts";
import { createOrganizationService } from "./modules/organizations/service.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import type { Log } from "./platform/log.ts";
import { createRandom, type Random } from "./platform/random.ts";
import { logCommandEnds } from "./queue/command-log.ts";
import { CommandQueue } from "./queue/command-queue.ts";
import { createReceiptKeeper } from "./queue/receipt-keeper.ts";
import { TimerQueue } from "./queue/timer-queue.ts";
import { createWaiter } from "./queue/waiter.ts";
import { VERSION } from "./version.ts";

export interface AppOptions {
  readonly version: string;
  readonly log: Log;
  /** The machine's clock unless given. */
  readonly clock?: Clock;
  /** Opens the lines to devices, over the machine's network and ports unless given. */
  readonly openLine?: typeof openLine;
}

/** A gateway that takes requests. */
export interface RunningApp {
  readonly url: string;
  /** Lets requests finish, closes the lines to the devices and the database. */
  stop(): Promise<void>;
}

/** How long requests under way may take to finish at shutdown. */
const STOP_GRACE_MS = 5_000;
/** How often changes that another process made to the database are looked for. */
const OTHER_WRITER_POLL_MS = 1_000;
const PURGE_INTERVAL_MS = 3_600_000;
/** Less than this much room for the database is a warning. */
const DISK_LOW_BYTES = 256 * 1_048_576;
const TOKEN_SECRET_BYTES = 32;

/** What the parts share. */
interface Shared {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly openLine: typeof openLine;
  readonly drivers: ReadonlyMap<DriverId, Driver>;
  readonly random: Random;
  readonly database: Database;
  readonly stores: Stores;
  readonly writer: Writer;
  readonly timers: TimerQueue;
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal;
}

/**
 * Starts the gateway: the database, what the last run left in it, the controller, and the port.
 * @throws AddressUnavailable, SchemaMismatch, or the database's error
 */
export async function startApp(config: Config, options: AppOptions): Promise<RunningApp> {
  const { version, log, clock = systemClock } = options;
  const { host: hostname, port } = config["http.listen"];
  const startedAt = clock.now();
  const stopping = new AbortController();
  const database = openDatabase(join(config["state.dir"], "fiscald.db"));
  try {
    const applied = migrate(database, clock.now());
    if (applied.length > 0) log.info("database migrated", { applied });
    const shared: Shared = {
      config,
      log,
      clock,
      openLine: options.openLine ?? openLine,
      drivers: createDrivers({
        customProfiles: loadProfiles(stateFiles(config["state.dir"]).profiles, log),
      }),
      database,
      random: createRandom(clock),
      stores: createStores(database),
      writer: new Writer(database, (ms, callback) => clock.setTimer(ms, callback)),
      timers: new TimerQueue(clock),
      stopping: stopping.signal,
    };
    const parts = await startParts(shared);
    let isReady = true;
    const ready = () => isReady;
    const app = createHttpServer({
      clock,
      log,
      version,
      limits: {
        globalMax: config["limits.globalMax"],
        authMax: config["limits.authMax"],
        commandsMax: config["limits.commandsMax"],
        windowSeconds: config["limits.windowSeconds"],
      },
      trustProxy: config["http.trustProxy"],
      corsOrigins: config["http.corsOrigins"],
      ready,
      ...createModules(shared, parts),
      plugins: [
        healthRoutes({
          version,
          ready,
          checks: () => checksOf(shared, parts),
          uptimeSeconds: () => (clock.now() - startedAt) / 1_000,
        }),
      ],
    });
    const http = startHttp(app, { hostname, port, clock });
    return {
      url: http.url,
      async stop() {
        isReady = false;
        stopping.abort();
        parts.waiter.releaseAll();
        parts.controller.endTraces();
        await http.stop(STOP_GRACE_MS);
        await parts.stop();
        shared.timers.clear();
        shared.writer.close();
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

type Parts = Awaited<ReturnType<typeof startParts>>;

/** The queue, the gateway and the built-in controller, at work on what the last run left. */
async function startParts(shared: Shared) {
  const { config, log, clock, random, database, stores, writer, timers } = shared;
  const bus = createEventBus((error) => log.error("event subscriber failed", { error }));
  logCommandEnds(bus, log);
  const waiter = createWaiter(bus, clock);
  const receipts = createReceiptKeeper(stores, random);
  const queue = new CommandQueue({
    stores,
    writer,
    bus,
    clock,
    log,
    timers,
    receipts,
    times: {
      pushWaitMs: config["commands.pushWaitSeconds"] * 1_000,
      overallMs: config["commands.overallSeconds"] * 1_000,
    },
    controllers: {
      controllerOf: (deviceId) => registry.controllerOf(deviceId),
      send: (controllerId, message) => registry.send(controllerId, message),
      deviceConfig: (orgId, deviceId) => registry.deviceConfig(orgId, deviceId),
    },
  });
  const registry = new ControllerRegistry({ stores, writer, bus, clock, log, reports: queue });
  await writer.run(() => stores.devices.resetConnectivity());
  await queue.recover();

  const link = createInProcessLink();
  const controller = startController(link.controller, {
    clock,
    log,
    random: (bound) => random.integer(bound),
    findDriver: (id) => shared.drivers.get(id),
    openLine: (device, options) => shared.openLine(device, clock, options),
    watchArrival: watchDevice,
    statusPollMs: config["devices.statusSeconds"] * 1_000,
    pauseLimitMs: config["commands.pauseSeconds"] * 1_000,
  });
  const roster = new DeviceRoster(stores.devices, registry);
  const identity = {
    controllerId: BUILTIN_CONTROLLER_ID,
    name: "Built-in controller",
    appVersion: VERSION,
    deviceModel: process.arch,
    osVersion: process.platform,
  };
  const session = registry.connect(identity, roster.initial(), link.gateway.send);
  link.gateway.listen((message) => session.receive(message));

  watchOtherWriters(shared, () => {
    roster.sync();
    queue.reconcile();
  });
  purgeRegularly(shared);
  return {
    waiter,
    receipts,
    queue,
    registry,
    roster,
    controller,
    async stop() {
      await controller.stop();
      session.close();
    },
    database,
  };
}

/** The routes with their services, and who may call them. */
function createModules(shared: Shared, parts: Parts) {
  const { waiter, receipts, queue, roster, controller } = parts;
  const { config, log, clock, random, stores, writer } = shared;
  const secret = stores.appliance.getOrCreate("token.secret", () => random.hex(TOKEN_SECRET_BYTES));
  const tokens = createAccessTokens(Buffer.from(secret, "hex"), clock);
  const authenticate = createAuthenticator({
    apiKeys: stores.apiKeys,
    users: stores.users,
    writer,
    tokens,
    clock,
    log,
  });
  const base = { stores, writer, clock, random };
  const auth = createAuthService({
    ...base,
    tokens,
    passwords: createPasswords(),
    registration: config["auth.registration"],
  });
  const devices = createDeviceService({
    ...base,
    hasBluetooth: hasBluetooth(),
    live: liveOf(parts),
    events: {
      created: () => roster.sync(),
      changed: () => roster.sync(),
      removed: () => roster.sync(),
    },
    failUnfinished: (deviceId, now) => queue.failUnfinished(deviceId, now),
  });
  const commands = createCommandService({
    ...base,
    queue: {
      accept: (command) => queue.accept(command),
      expiryOf: (createdAt) => queue.expiryOf(createdAt),
      cancel: (orgId, commandId) => queue.cancel(orgId, commandId),
      released: (deviceId) => queue.released(deviceId),
      waitFinal: (commandId, ms) => waiter.final(commandId, ms),
    },
    keepReceipt(command, fiscalId, now) {
      receipts.keep(
        command,
        { success: true, ...(fiscalId === undefined ? {} : { fiscalId }) },
        now,
      );
    },
  });
  const runOnce = createRunOnce({ store: stores.idempotency, writer, clock });
  return {
    authenticate,
    groups: [
      authRoutes(auth),
      apiKeyRoutes(createApiKeyService(base)),
      organizationRoutes(createOrganizationService(base)),
      billingRoutes(createBillingService(base)),
      deviceRoutes(devices, listSerialPorts),
      detectRoutes({ detect: detectionOf(shared), clock, log }),
      traceRoutes({ devices, clock, traceOf: (deviceId) => controller.trace(deviceId) }),
      commandRoutes(commands, runOnce),
    ],
  };
}

/** What the running controllers tell of devices. */
function liveOf({ registry, queue }: Parts): DeviceLive {
  return {
    isHere: true,
    connectivity(deviceId) {
      const live = registry.live(deviceId);
      const controllerOnline = registry.controllerOf(deviceId) !== undefined;
      return {
        controllerOnline,
        wsConnected: controllerOnline,
        linkUp: live?.link === "up",
        lastSeenAt: live?.lastSeenAt ?? null,
      };
    },
    reading: (deviceId) => registry.live(deviceId)?.reading,
    lateResultAt: (deviceId) => queue.lateResultAt(deviceId),
  };
}

/** Looks for devices that nobody has registered yet, and leaves alone those of every tenant. */
function detectionOf(shared: Shared): DetectDevices {
  const { clock, log, random, stores, stopping } = shared;
  const detect = machineDetection({
    clock,
    log,
    random: (bound) => random.integer(bound),
    drivers: [...shared.drivers.values()],
    openLine: (place) => shared.openLine(place, clock),
    registered: () => stores.devices.listAll(),
  });
  return (request) => detect({ ...request, signal: AbortSignal.any([request.signal, stopping]) });
}

/** Calls back when another process, such as the command line at the box, changed the database. */
function watchOtherWriters({ database, timers, clock, log }: Shared, onChange: () => void): void {
  const version = database.sqlite.prepare("PRAGMA data_version").pluck();
  let seen = version.get();
  const look = (): void => {
    try {
      const current = version.get();
      if (current !== seen) onChange();
      seen = current;
    } catch (error) {
      log.error("database not readable", { error });
    }
    timers.set("other-writers", clock.now() + OTHER_WRITER_POLL_MS, look);
  };
  timers.set("other-writers", clock.now() + OTHER_WRITER_POLL_MS, look);
}

/** Removes what has expired, now and every hour. */
function purgeRegularly({ stores, writer, clock, timers, log }: Shared): void {
  const purge = (): void => {
    const now = clock.now();
    writer
      .run(() => {
        stores.idempotency.purge(now);
        stores.users.purgeSessions(now);
      })
      .catch((error: unknown) => log.error("expired entries not removed", { error }));
    timers.set("purge", now + PURGE_INTERVAL_MS, purge);
  };
  timers.set("purge", clock.now() + 1_000, purge);
}

function checksOf({ config, database, timers }: Shared, { registry }: Parts): HealthChecks {
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(config["state.dir"]);
    return bavail * bsize;
  };
  const check = (look: () => string | undefined) => {
    try {
      const problem = look();
      return problem === undefined
        ? { status: "ok" as const }
        : { status: "degraded" as const, detail: problem };
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return { status: "failed" as const, detail };
    }
  };
  return {
    database: check(() => {
      database.sqlite.prepare("SELECT 1").get();
      return undefined;
    }),
    disk: check(() => (freeBytes() < DISK_LOW_BYTES ? "the disk is nearly full" : undefined)),
    timers: check(() => (timers.size === 0 ? "no timer is set" : undefined)),
    controllers: check(() => (registry.size === 0 ? "no controller is connected" : undefined)),
  };
}
