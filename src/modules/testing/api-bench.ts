/** The modules over a real database in memory, behind the real HTTP layer, for tests. */

import type { AnyElysia } from "elysia";
import type { Role } from "#core/access.ts";
import type { StatusReading } from "#core/device/alerts.ts";
import type { SerialPortInfo } from "#core/device/serial-port.ts";
import type { Plan } from "#core/limits.ts";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores, type Stores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import type { RateLimitSettings } from "../../http/rate-limits.ts";
import { createHttpServer } from "../../http/server.ts";
import { ApiClient } from "../../http/testing/api-client.ts";
import { FakeClock } from "../../platform/clock.ts";
import { createLog, type Log } from "../../platform/log.ts";
import { createRandom, type Random } from "../../platform/random.ts";
import { apiKeyRoutes } from "../api-keys/routes.ts";
import { createApiKeyService } from "../api-keys/service.ts";
import { createAccessTokens } from "../auth/access-tokens.ts";
import { createAuthenticator } from "../auth/authenticator.ts";
import { createPasswords } from "../auth/password.ts";
import { authRoutes } from "../auth/routes.ts";
import { createAuthService } from "../auth/service.ts";
import { billingRoutes } from "../billing/routes.ts";
import { createBillingService } from "../billing/service.ts";
import type { LiveConnectivity } from "../devices/records.ts";
import { deviceRoutes } from "../devices/routes.ts";
import { createDeviceService, type DeviceLive } from "../devices/service.ts";
import { healthRoutes } from "../health/routes.ts";
import { organizationRoutes } from "../organizations/routes.ts";
import { createOrganizationService } from "../organizations/service.ts";

/** What further modules are built on. */
export interface BenchParts {
  readonly database: Database;
  readonly stores: Stores;
  readonly writer: Writer;
  readonly clock: FakeClock;
  readonly random: Random;
  readonly log: Log;
}

/** What a test may say of its appliance. */
export interface BenchOptions {
  readonly registration?: "first" | "open";
  readonly limits?: Partial<RateLimitSettings>;
  /** Serial ports of the machine. */
  readonly ports?: readonly SerialPortInfo[];
  /** Makes the routes of the modules that are not always here. */
  readonly groups?: (parts: BenchParts) => readonly AnyElysia[];
}

/** What a test may make the live registry say of a device. */
export interface LiveFacts {
  connectivity?: LiveConnectivity;
  reading?: StatusReading;
  lateResultAt?: number;
}

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
  const clock = new FakeClock();
  const random = createRandom(clock);
  const database = openDatabase(":memory:");
  migrate(database, clock.now());
  const stores = createStores(database);
  const writer = new Writer(database);
  const lines: string[] = [];
  const log = createLog({ level: "debug", clock, sink: { write: (line) => lines.push(line) } });
  const tokens = createAccessTokens(random.bytes(32), clock);
  const passwords = createPasswords(TEST_COST);
  const liveFacts = new Map<string, LiveFacts>();
  const live: DeviceLive = {
    isHere: true,
    connectivity: (deviceId) => liveFacts.get(deviceId)?.connectivity ?? OFFLINE,
    reading: (deviceId) => liveFacts.get(deviceId)?.reading,
    lateResultAt: (deviceId) => liveFacts.get(deviceId)?.lateResultAt ?? null,
  };
  const deviceEvents: string[] = [];
  const failedDevices: string[] = [];
  const shared = { stores, writer, clock, random };
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
    authenticate: createAuthenticator({ ...stores, writer, tokens, clock, log }),
    ready: () => true,
    groups: [
      authRoutes(
        createAuthService({
          ...shared,
          tokens,
          passwords,
          registration: options.registration ?? "first",
        }),
      ),
      apiKeyRoutes(createApiKeyService(shared)),
      organizationRoutes(createOrganizationService(shared)),
      billingRoutes(createBillingService(shared)),
      deviceRoutes(
        createDeviceService({
          ...shared,
          live,
          events: {
            created: ({ name }) => deviceEvents.push(`created ${name}`),
            changed: ({ name }) => deviceEvents.push(`changed ${name}`),
            removed: ({ name }) => deviceEvents.push(`removed ${name}`),
          },
          failUnfinished: (deviceId) => () => failedDevices.push(deviceId),
          hasBluetooth: false,
        }),
        () => [...(options.ports ?? [])],
      ),
      ...(options.groups?.({ ...shared, database, log }) ?? []),
    ],
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
    stores,
    writer,
    tokens,
    lines,
    liveFacts,
    deviceEvents,
    failedDevices,
    client,
    close: () => database.close(),

    /** Registers an organization and gives a client logged in as its owner. */
    async owner(email = "owner@example.com") {
      const answer = await client.post("/api/v1/auth/register", {
        email,
        password: OWNER_PASSWORD,
        name: "Ana",
        organizationName: "Shop",
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
