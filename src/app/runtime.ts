/** The gateway as it runs: opens the database, takes up what the last run left, opens the port. */

import { type Database, openDatabase } from "#db/connection.ts";
import { bringToNewest } from "#db/made-schema.ts";
import { removeForeign } from "#db/own-schema.ts";
import { watchSchema } from "#db/schema-watch.ts";
import { createStores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { createDrivers } from "#drivers/registry.ts";
import { hasBluetooth } from "#drivers/transport/bluetooth.ts";
import { openLine } from "#drivers/transport/index.ts";
import { portKeys } from "#drivers/transport/same-port.ts";
import { listSerialPorts } from "#drivers/transport/serial-ports.ts";
import { stateFiles } from "../config/state-files.ts";
import { currentSurroundings } from "../config/surroundings.ts";
import type { Config } from "../config.ts";
import { createEventBus } from "../events/bus.ts";
import { EventLog } from "../events/event-log.ts";
import { RemoteLink } from "../gateway/remote-link.ts";
import { isLoopback } from "../http/client-address.ts";
import { createHandbook } from "../http/handbook.ts";
import { type RunningHttp, startHttp } from "../http/listen.ts";
import type { Pages } from "../http/page-file.ts";
import { createPages } from "../http/pages.ts";
import type { RateLimitSettings } from "../http/rate-limits.ts";
import { RequestCounts } from "../http/request-counts.ts";
import { createHttpServer } from "../http/server.ts";
import type { Announcer } from "../lan/announcer.ts";
import { createAccessTokens } from "../modules/auth/access-tokens.ts";
import { createGuessGuard } from "../modules/auth/guess-guard.ts";
import { createPasswords } from "../modules/auth/password.ts";
import { createSetupCode } from "../modules/auth/setup-code.ts";
import { tokenSecret } from "../modules/auth/token-secret.ts";
import { type Boot, currentBoot } from "../platform/boot.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { type Log, nameDevices } from "../platform/log.ts";
import { createRandom } from "../platform/random.ts";
import { STOP_GRACE_MS } from "../platform/stop-times.ts";
import { takeUpTime } from "../queue/kept-time.ts";
import { TimerQueue } from "../queue/timer-queue.ts";
import { announce } from "./announce.ts";
import { BackupSettings } from "./backup-settings.ts";
import { backupsPort } from "./backups.ts";
import { besideRoutes, diagnosis } from "./beside-routes.ts";
import { searchAt } from "./controllers.ts";
import { DatabaseLoss, putBackRescued } from "./database-loss.ts";
import { DiskWatch } from "./disk-watch.ts";
import { requireNotGone } from "./gone-database.ts";
import { createHttps, type Https, redirectOf } from "./https.ts";
import { createModules, type ModuleParts } from "./modules.ts";
import { describeNetwork } from "./network.ts";
import type { Foundation, SettingsOrigin } from "./parts.ts";
import { loadProfiles } from "./profile-files.ts";
import { noteVersion } from "./ran-versions.ts";
import { watchShop } from "./shop-health.ts";
import { SimulatedPrinters } from "./simulated/printers.ts";
import { type Parts, startParts } from "./start-parts.ts";
import { createUpdates } from "./updates.ts";
import { type LookForLife, lookForLife } from "./watchdog.ts";
import { checkCaFile } from "./webhooks.ts";
import { requireWhole } from "./whole-check.ts";
import { WriteWatch } from "./write-watch.ts";

export interface AppOptions {
  readonly version: string;
  /** Where the settings come from; the defaults unless given. */
  readonly origin?: SettingsOrigin;
  readonly log: Log;
  /** The machine's clock unless given. */
  readonly clock?: Clock;
  /** What is wrong with the lock of the state directory; nothing ever is unless given. */
  readonly lookAtLock?: () => Error | undefined;
  /** Opens the lines to devices, over the machine's network and ports unless given. */
  readonly openLine?: typeof openLine;
}

/** A gateway that takes requests. */
export interface RunningApp {
  readonly url: string;
  /** Resolves when the database or its lock is gone, and the next start can go on. */
  readonly lost: Promise<Error>;
  /** What the first registration needs, while there is none. */
  readonly setupCode: string | undefined;
  /** Whether it would be better off started anew. */
  readonly lookForLife: LookForLife;
  /** Looks whether there is another certificate to serve with. @returns false without HTTPS */
  lookAtCertificate(): boolean;
  /** Says on `/ready` that the port is about to close, and takes requests meanwhile. */
  drain(): Promise<void>;
  /** Lets requests finish, closes the lines to the devices and the database. */
  stop(): Promise<void>;
}

/**
 * Starts the gateway: the database, what the last run left in it, the controller, and the port.
 * @throws AddressUnavailable, SchemaMismatch, or the database's error
 */
export async function startApp(config: Config, options: AppOptions): Promise<RunningApp> {
  const stopping = new AbortController();
  const foundation = layFoundation(config, options, stopping.signal);
  const { clock, loss, writes, disk, timers, writer } = foundation;
  try {
    const startedAt = clock.elapsed();
    await writer.run(() => noteVersion(foundation.stores.appliance, options.version, clock.now()));
    if (foundation.stores.organizations.areLost()) {
      options.log.error("the shop that is stored here is lost: fiscald repair makes it anew");
    }
    const parts = await startParts(foundation);
    let isReady = true;
    let isDraining = false;
    const takesWork = () => isReady && loss.problem() === undefined;
    let announcer: Announcer | undefined;
    const announced = () => announcer?.label ?? config["mdns.name"];
    const https = createHttps({ ...foundation, announced });
    const http = openPort(foundation, parts, {
      ...{ version: options.version, takesWork, https, announced },
      ready: () => takesWork() && !isDraining && (writes.problem() ?? disk.problem()) === undefined,
      uptimeSeconds: () => (clock.elapsed() - startedAt) / 1_000,
    });
    const announcing = announce(foundation, { version: options.version, http, https });
    void announcing.then((started) => {
      announcer = started;
    });
    return {
      url: http.url,
      lost: loss.over,
      setupCode: awaitedSetupCode(foundation),
      lookForLife: () => lookForLife(foundation, () => parts.queue.overdue()),
      lookAtCertificate() {
        void https?.look();
        return https !== undefined;
      },
      async drain() {
        isDraining = true;
        const ms = 1_000 * config["http.drainSeconds"];
        if (ms > 0) await new Promise<void>((resolve) => void clock.setTimer(ms, resolve));
      },
      async stop() {
        isReady = false;
        stopping.abort();
        parts.alerts.stop();
        parts.closings.stop();
        parts.waiter.releaseAll();
        parts.controllers.requests.stop();
        parts.outbox?.stop();
        parts.push?.stop();
        parts.feed.stop();
        (await announcing)?.stop();
        await Promise.all([
          parts.backups.stop(STOP_GRACE_MS),
          http.stop(STOP_GRACE_MS),
          https?.stop(STOP_GRACE_MS),
          parts.webhooks.deliveries.stop(STOP_GRACE_MS),
        ]);
        await Promise.all([parts.builtin.stop(), disk.stop()]);
        await foundation.simulated.stop();
        timers.clear();
        writer.close();
        parts.starts.stop();
        await loss.close();
      },
    };
  } catch (error) {
    timers.clear();
    await loss.close();
    throw error;
  }
}

/** What others have put into the database is removed first, before anything is written there. */
function bringToSchema(database: Database, now: number, log: Log): void {
  const { removed, remade, altered } = removeForeign(database, { tables: false });
  if (removed.length > 0) {
    log.warn("the database held what fiscald has not made: it was removed", { removed });
  }
  if (remade.length > 0) log.warn("the database lacked indexes: they were made anew", { remade });
  if (altered.length > 0) {
    log.error("the database is not as fiscald makes it: fiscald repair makes it anew", { altered });
  }
  const applied = bringToNewest(database, now);
  if (applied.length > 0) log.info("database migrated", { applied });
}

/** Opens the database, brings it to this version, and makes what everything else stands on. */
function layFoundation(config: Config, options: AppOptions, stopping: AbortSignal): Foundation {
  const { clock = systemClock } = options;
  const file = stateFiles(config["state.dir"]).database;
  putBackRescued(file, options.log);
  requireNotGone(config["state.dir"]);
  const database = openDatabase(file);
  try {
    requireWhole(database, file);
    checkCaFile(config, options.log);
    bringToSchema(database, clock.now(), options.log);
    const timers = new TimerQueue(clock);
    const { log: plainLog, lookAtLock = () => undefined } = options;
    const loss = new DatabaseLoss({ database, file, clock, timers, log: plainLog, lookAtLock });
    const random = createRandom(clock);
    const stores = createStores(database);
    const log = nameDevices(plainLog, (deviceId) => stores.devices.find(deviceId)?.name);
    const bus = createEventBus((error) => log.error("event subscriber failed", { error }));
    const events = new EventLog({ stores, bus, clock, random });
    const lostOfSchema = watchSchema(database);
    database.others.onChange(() => {
      const lost = lostOfSchema();
      if (lost.length > 0) loss.guard.lose("corrupt", lost.join("; "));
      else if (events.haveGoneBack()) loss.guard.lose("put_back");
    });
    const writer = new Writer(database, {
      events,
      timers: clock,
      guard: loss.guard,
      makeRoom: (error) => disk.makeRoom(error),
      onFailure(error) {
        writes.failed(error);
        loss.failed(error);
      },
      onEffectError: (error) => log.error("effect of a change failed", { error }),
    });
    const disk = new DiskWatch({ stateDir: config["state.dir"], log, clock });
    loss.onLook(() => disk.look());
    const writes = new WriteWatch({
      ...{ stores, clock, stateDir: config["state.dir"] },
      write: (operation) => writer.run(operation),
    });
    const noOrigin = { sources: new Map(), file: stateFiles(config["state.dir"]).settings };
    const { origin = { ...noOrigin, isService: false } } = options;
    return {
      ...{ config, origin },
      backupSettings: new BackupSettings(config, origin.sources),
      log,
      clock,
      openLine: options.openLine ?? openLine,
      simulated: new SimulatedPrinters({ folder: stateFiles(config["state.dir"]).simulated, log }),
      drivers: createDrivers({
        customProfiles: loadProfiles(stateFiles(config["state.dir"]).profiles, log),
      }),
      ...{ database, loss, writes, disk, random, stores, bus, events, writer, timers },
      time: takeUpTime(stores.appliance, clock, bootOf(clock)),
      stopping,
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Which boot this is; nothing of one is known by a clock that is none of the machine's. */
function bootOf(clock: Clock): Boot | undefined {
  return clock === systemClock ? currentBoot(currentSurroundings().environment) : undefined;
}

interface Presence {
  readonly version: string;
  /** False when requests are refused. */
  readonly takesWork: () => boolean;
  /** False already a moment before that and while writes fail, for whoever asks on `/ready`. */
  readonly ready: () => boolean;
  readonly uptimeSeconds: () => number;
  readonly https: Https | undefined;
  /** What the gateway is called in its network; empty for nothing. */
  readonly announced: () => string;
}

function openPort(foundation: Foundation, parts: Parts, presence: Presence): RunningHttp {
  const { config, clock, time, log, loss, disk, random, stores, writer } = foundation;
  const { waiter, queue, controllers, live } = parts;
  const { https } = presence;
  const requests = new RequestCounts();
  const { ended, starts, backups, backupPlaces, replica } = parts;
  const shop = watchShop(foundation, live);
  const watched = {
    ...presence,
    ...shop,
    live,
    controllers,
    ended,
    starts,
    backups,
    replica,
    requests,
  };
  const guard = createGuessGuard(foundation);
  const app = createHttpServer({
    ...{ clock, log, version: presence.version, ready: presence.takesWork },
    isOutdated: () => loss.guard.lost?.kind === "put_back",
    limits: limitsOf(config),
    trustProxy: config["http.trustProxy"],
    corsOrigins: config["http.corsOrigins"],
    ...{ redirect: redirectOf(config, https), counts: requests },
    ownNames: () => ownNames(config, presence.announced()),
    ...createModules({
      ...{ stores, writer, clock, time, random, log, stopping: foundation.stopping },
      tokens: createAccessTokens(tokenSecret(stores.appliance, random), clock),
      passwords: createPasswords(),
      registration: config["auth.registration"],
      outbox: parts.outbox,
      ...{ setupCode: createSetupCode(stores.appliance, random), guard },
      queue: queuePort(queue, waiter),
      live,
      connectedFor: (orgId) => controllers.connectedFor(orgId),
      webhooks: parts.webhooks,
      hasBluetooth: hasBluetooth(),
      addressKeys: (address) => portKeys(address, clock),
      listPorts: listSerialPorts,
      detect: (request, at) => searchAt({ ...foundation, controllers }, request, at),
      takeIn: (line, identity) => new RemoteLink(line, identity, { controllers, clock }),
      watchLine: (deviceId, viewer) => controllers.watchLine(deviceId, viewer),
      feed: parts.feed,
      simulated: foundation.simulated,
      backups: backupsPort(foundation, {
        ...{ schedule: parts.backups, places: backupPlaces },
      }),
      network: () =>
        describeNetwork(foundation, { url: http.url, https, announced: presence.announced() }),
      updates: createUpdates(foundation, presence.version),
      diagnose: (orgId) => diagnosis(foundation, { ...watched, backupPlaces }, orgId),
    }),
    plugins: besideRoutes(foundation, { ...watched, guard }),
    pages: webPages(),
  });
  const { host: hostname, port } = config["http.listen"];
  const connections = connectionsOf(config, log);
  disk.begin();
  const http = startHttp(app, { hostname, port, clock, connections });
  https?.start(app, connections);
  return http;
}

/** What the routes use of the queue. */
function queuePort(queue: Parts["queue"], waiter: Parts["waiter"]): ModuleParts["queue"] {
  return {
    accept: (tx, command) => queue.accept(tx, command),
    requireAllowed: (command) => queue.requireAllowed(command),
    renewStornos: (receipt) => queue.renewStornos(receipt),
    accepting: (command, operation) => queue.accepting(command, operation),
    expiryOf: (createdAt) => queue.expiryOf(createdAt),
    cancel: (orgId, commandId, by) => queue.cancel(orgId, commandId, by),
    askedFirst: (about) => queue.askedFirst(about),
    reasonOf: (about) => queue.reasonOf(about),
    settle: (tx, command, said) => queue.settle(tx, command, said),
    failOut: (tx, deviceId, now) => queue.failOut(tx, deviceId, now),
    endDoubts: (tx, deviceId, now) => queue.endDoubts(tx, deviceId, now),
    endWaiting: (tx, deviceId, meant) => queue.endWaiting(tx, deviceId, meant),
    leavePrinter: queue.leavePrinter,
    failUnfinished: (deviceId) => queue.failUnfinished(deviceId),
    waitFinal: (commandId, ms) => waiter.final(commandId, ms),
  };
}

/** What its own portal may be called by. */
function ownNames(config: Config, announced: string): string[] {
  const labels = [announced, config["mdns.name"]].filter((label) => label !== "");
  return [...labels.map((label) => `${label}.local`), ...config["https.names"]];
}

function connectionsOf(config: Config, log: Log) {
  const trustProxy = config["http.trustProxy"];
  return {
    perAddressMax: config["http.connectionsPerAddress"],
    // Behind a proxy all clients have its address.
    isExempt: (address: string) => trustProxy || isLoopback(address),
    log,
  };
}

/** Neither is loaded until somebody opens a page of it. */
function webPages(): Pages {
  const handbook = createHandbook(async () =>
    (await import("./handbook-files.ts")).handbookFiles(),
  );
  const portal = createPages(async () => (await import("./portal-files.ts")).portalFiles());
  return async (request, path) => (await handbook(request, path)) ?? portal(request, path);
}

function limitsOf(config: Config): RateLimitSettings {
  return {
    globalMax: config["limits.globalMax"],
    authMax: config["limits.authMax"],
    commandsMax: config["limits.commandsMax"],
    windowSeconds: config["limits.windowSeconds"],
  };
}

/** The code that somebody still has to know; undefined when nobody has. */
function awaitedSetupCode({ config, stores, random }: Foundation): string | undefined {
  const { organizations } = stores;
  const isFirst = !organizations.exists() && !organizations.areLost();
  const isAwaited = config["auth.registration"] === "first" && isFirst;
  return isAwaited ? createSetupCode(stores.appliance, random).text() : undefined;
}
