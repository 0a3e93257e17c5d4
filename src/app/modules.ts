/** The modules of the API, put together once: for the gateway, and for the tests' bench. */

import type { DetectDevices } from "#core/device/detection.ts";
import type { SerialPortInfo } from "#core/device/serial-port.ts";
import type { WatchLine } from "#core/device/trace.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import { apiKeyRoutes } from "../modules/api-keys/routes.ts";
import { createApiKeyService } from "../modules/api-keys/service.ts";
import type { AccessTokens } from "../modules/auth/access-tokens.ts";
import { createAuthenticator } from "../modules/auth/authenticator.ts";
import type { Passwords } from "../modules/auth/password.ts";
import { authRoutes } from "../modules/auth/routes.ts";
import { type AuthServiceOptions, createAuthService } from "../modules/auth/service.ts";
import { billingRoutes } from "../modules/billing/routes.ts";
import { createBillingService } from "../modules/billing/service.ts";
import { commandRoutes } from "../modules/commands/routes.ts";
import { createCommandService, type QueuePort } from "../modules/commands/service.ts";
import { detectRoutes } from "../modules/devices/detect-routes.ts";
import { deviceRoutes } from "../modules/devices/routes.ts";
import {
  createDeviceService,
  type DeviceLive,
  type DeviceServiceOptions,
} from "../modules/devices/service.ts";
import { traceRoutes } from "../modules/devices/trace-routes.ts";
import { createRunOnce } from "../modules/idempotency/once.ts";
import { toldReport } from "../modules/live/answers.ts";
import { liveRoutes } from "../modules/live/routes.ts";
import { createLiveService } from "../modules/live/service.ts";
import { organizationRoutes } from "../modules/organizations/routes.ts";
import { createOrganizationService } from "../modules/organizations/service.ts";
import type { Clock } from "../platform/clock.ts";
import type { CountedTime } from "../platform/counted-time.ts";
import type { Log } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";

/** What the modules are made of. */
export interface ModuleParts {
  readonly stores: Stores;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly time: CountedTime;
  readonly random: Random;
  readonly log: Log;
  readonly tokens: AccessTokens;
  readonly passwords: Passwords;
  readonly registration: AuthServiceOptions["registration"];
  readonly setupCode: AuthServiceOptions["setupCode"];
  readonly queue: QueuePort & Pick<DeviceServiceOptions, "failOut" | "failUnfinished">;
  readonly live: DeviceLive;
  readonly hasBluetooth: boolean;
  readonly addressKeys: DeviceServiceOptions["addressKeys"];
  listPorts(): SerialPortInfo[];
  readonly detect: DetectDevices;
  readonly watchLine: WatchLine;
}

/** The routes with their services, and who may call them. */
export function createModules(parts: ModuleParts) {
  const { stores, writer, clock, random, log, tokens, queue } = parts;
  const base = { stores, writer, clock, random };
  const devices = createDeviceService({
    ...base,
    hasBluetooth: parts.hasBluetooth,
    addressKeys: parts.addressKeys,
    live: parts.live,
    failOut: queue.failOut,
    failUnfinished: queue.failUnfinished,
  });
  const commands = createCommandService({ ...base, queue });
  const runOnce = createRunOnce({
    ...{ store: stores.idempotency, commands: stores.commands, writer, clock },
    time: parts.time,
  });
  const { passwords, registration, setupCode } = parts;
  return {
    authenticate: createAuthenticator({ ...stores, writer, tokens, clock, log }),
    groups: [
      authRoutes(createAuthService({ ...base, tokens, passwords, registration, setupCode })),
      apiKeyRoutes(createApiKeyService(base)),
      organizationRoutes(createOrganizationService(base)),
      billingRoutes(createBillingService(base)),
      deviceRoutes(devices, parts.listPorts),
      detectRoutes({ detect: parts.detect, clock, log }),
      traceRoutes({ devices, clock, watchLine: parts.watchLine }),
      commandRoutes(commands, runOnce),
      liveRoutes(
        createLiveService({
          ...{ stores, commands, queue, live: parts.live, clock, log },
          reportOf: toldReport,
        }),
      ),
    ],
  };
}
