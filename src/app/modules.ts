/** The modules of the API, put together once: for the gateway, and for the tests' bench. */

import type { Principal } from "#core/access.ts";
import type { SerialPortInfo } from "#core/device/serial-port.ts";
import type { SimulatorPort } from "#core/device/simulated.ts";
import type { WatchLine } from "#core/device/trace.ts";
import { timezoneOfDevice } from "#db/stores/device-place.ts";
import type { Stores } from "#db/stores/index.ts";
import { createWriteFor } from "#db/write-for.ts";
import type { Writer } from "#db/writer.ts";
import type { EventFeed } from "../events/feed.ts";
import { apiKeyRoutes } from "../modules/api-keys/routes.ts";
import { createApiKeyService } from "../modules/api-keys/service.ts";
import { auditRoutes } from "../modules/audit/routes.ts";
import { createAuditService } from "../modules/audit/service.ts";
import type { AccessTokens } from "../modules/auth/access-tokens.ts";
import { createAccessWatch } from "../modules/auth/access-watch.ts";
import { createAuthenticator } from "../modules/auth/authenticator.ts";
import { createForgottenPasswords } from "../modules/auth/forgotten-passwords.ts";
import { memberRoutes } from "../modules/auth/member-routes.ts";
import { createMemberService } from "../modules/auth/members.ts";
import type { Passwords } from "../modules/auth/password.ts";
import { authRoutes } from "../modules/auth/routes.ts";
import { type AuthServiceOptions, createAuthService } from "../modules/auth/service.ts";
import { requireStanding, requireStandingUnderWay } from "../modules/auth/standing.ts";
import { backupRoutes } from "../modules/backups/routes.ts";
import { type BackupsPort, createBackupService } from "../modules/backups/service.ts";
import { billingRoutes } from "../modules/billing/routes.ts";
import { createBillingService } from "../modules/billing/service.ts";
import { commandRoutes } from "../modules/commands/routes.ts";
import { createCommandService, type QueuePort } from "../modules/commands/service.ts";
import { type ConnectRouteOptions, connectRoutes } from "../modules/controllers/connect-routes.ts";
import { controllerRoutes } from "../modules/controllers/routes.ts";
import {
  type ControllerServiceOptions,
  createControllerService,
} from "../modules/controllers/service.ts";
import { createAlertHistory } from "../modules/devices/alert-history.ts";
import { alertHistoryRoutes } from "../modules/devices/alert-history-routes.ts";
import { type DetectRouteOptions, detectRoutes } from "../modules/devices/detect-routes.ts";
import type { DeviceLive } from "../modules/devices/device-state.ts";
import { deviceRoutes } from "../modules/devices/routes.ts";
import { createDeviceService, type DeviceServiceOptions } from "../modules/devices/service.ts";
import { traceRoutes } from "../modules/devices/trace-routes.ts";
import { diagnosticsRoutes } from "../modules/diagnostics/routes.ts";
import type { Diagnostics } from "../modules/diagnostics/schema.ts";
import { eventRoutes } from "../modules/events/routes.ts";
import { createTickets } from "../modules/events/tickets.ts";
import { createRunOnce } from "../modules/idempotency/once.ts";
import { liveRoutes } from "../modules/live/routes.ts";
import { createLiveService } from "../modules/live/service.ts";
import { locationRoutes } from "../modules/locations/routes.ts";
import { createLocationService } from "../modules/locations/service.ts";
import { networkRoutes } from "../modules/network/routes.ts";
import type { Network } from "../modules/network/schema.ts";
import { organizationRoutes } from "../modules/organizations/routes.ts";
import { createOrganizationService } from "../modules/organizations/service.ts";
import { receiptRoutes } from "../modules/receipts/routes.ts";
import { createReceiptService } from "../modules/receipts/service.ts";
import { createFigureService } from "../modules/reports/figures.ts";
import { createJournalService } from "../modules/reports/journal.ts";
import { journalRoutes } from "../modules/reports/journal-routes.ts";
import { reportRoutes } from "../modules/reports/routes.ts";
import { createReportService } from "../modules/reports/service.ts";
import { simulatedRoutes } from "../modules/simulated/routes.ts";
import { createSimulatedService } from "../modules/simulated/service.ts";
import { todayRoutes } from "../modules/today/routes.ts";
import { createTodayService } from "../modules/today/service.ts";
import { type UpdatesPort, updateRoutes } from "../modules/updates/routes.ts";
import { WEBHOOK_MESSAGES } from "../modules/webhooks/messages.ts";
import { webhookRoutes } from "../modules/webhooks/routes.ts";
import { createWebhookService } from "../modules/webhooks/service.ts";
import type { Clock } from "../platform/clock.ts";
import type { CountedTime } from "../platform/counted-time.ts";
import type { Log } from "../platform/log.ts";
import type { Outbox } from "../platform/outbox.ts";
import type { Random } from "../platform/random.ts";
import { indicationsOf } from "../queue/indication.ts";
import type { Webhooks } from "./webhooks.ts";

/** What the modules are made of. */
export interface ModuleParts {
  readonly stores: Stores;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly time: CountedTime;
  readonly random: Random;
  readonly log: Log;
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal;
  readonly tokens: AccessTokens;
  readonly passwords: Passwords;
  readonly registration: AuthServiceOptions["registration"];
  /** Undefined where no mail server is configured. */
  readonly outbox: Outbox | undefined;
  readonly setupCode: AuthServiceOptions["setupCode"];
  readonly guard: AuthServiceOptions["guard"];
  readonly queue: QueuePort &
    Pick<
      DeviceServiceOptions,
      "endDoubts" | "endWaiting" | "failOut" | "failUnfinished" | "leavePrinter"
    >;
  readonly live: DeviceLive;
  readonly connectedFor: ControllerServiceOptions["connectedFor"];
  readonly webhooks: Webhooks;
  readonly hasBluetooth: boolean;
  readonly addressKeys: DeviceServiceOptions["addressKeys"];
  listPorts(): SerialPortInfo[];
  readonly detect: DetectRouteOptions["detect"];
  readonly takeIn: ConnectRouteOptions["takeIn"];
  readonly watchLine: WatchLine;
  readonly feed: EventFeed;
  readonly simulated: SimulatorPort;
  readonly backups: BackupsPort;
  readonly diagnose: (orgId: string) => Promise<Diagnostics>;
  readonly network: () => Promise<Network>;
  readonly updates: UpdatesPort;
}

/** The routes with their services, who may call them, and what is sent without a call. */
export function createModules(parts: ModuleParts) {
  const { stores, writer, clock, random, log, stopping, tokens, queue } = parts;
  const base = { stores, writer, clock, random };
  const { standing, stands, underWay, write } = standingOf(parts);
  const watchAccess = createAccessWatch(standing);
  const devices = createDeviceService({
    ...{ ...base, write },
    hasBluetooth: parts.hasBluetooth,
    addressKeys: parts.addressKeys,
    live: parts.live,
    failOut: queue.failOut,
    ...{
      endDoubts: queue.endDoubts,
      endWaiting: queue.endWaiting,
      leavePrinter: queue.leavePrinter,
    },
    failUnfinished: queue.failUnfinished,
  });
  const commands = createCommandService({ ...base, queue });
  const runOnce = createRunOnce({
    ...{ store: stores.idempotency, commands: stores.commands, reversals: stores.reversals },
    ...{ writer, clock, time: parts.time },
  });
  const timezoneOf = (orgId: string, deviceId: string) =>
    timezoneOfDevice(stores, { orgId, deviceId });
  const reports = createReportService(base);
  const figures = createFigureService({ ...base, timezoneOf });
  const controllers = createControllerService({ ...base, connectedFor: parts.connectedFor });
  return {
    authenticate: createAuthenticator({ ...stores, writer, tokens, clock, log }),
    requireStanding: underWay,
    messages: WEBHOOK_MESSAGES,
    groups: [
      ...peopleRoutes(parts),
      apiKeyRoutes(createApiKeyService(base)),
      organizationRoutes(createOrganizationService(base)),
      locationRoutes(createLocationService(base)),
      billingRoutes(createBillingService(base)),
      auditRoutes(createAuditService(base)),
      ...applianceRoutes(parts),
      deviceRoutes(devices, parts.listPorts),
      alertHistoryRoutes(createAlertHistory(base)),
      simulatedRoutes(createSimulatedService({ devices, timezoneOf, port: parts.simulated })),
      detectRoutes({ detect: parts.detect, clock, log, stopping }),
      traceRoutes({ ...{ devices, clock, stopping, watchAccess }, watchLine: parts.watchLine }),
      commandRoutes(commands, runOnce),
      controllerRoutes(controllers),
      connectRoutes({ service: controllers, takeIn: parts.takeIn, watchAccess, log }),
      eventRoutes({
        ...{ watchAccess, clock, log, events: stores.events, feed: parts.feed },
        tickets: createTickets({ clock, random, ...stands }),
      }),
      webhookRoutes(createWebhookService({ ...base, write, time: parts.time, ...parts.webhooks })),
      reportRoutes(reports, figures),
      journalRoutes(createJournalService(base), log),
      todayRoutes(createTodayService({ ...base, devices, figures, reports, live: parts.live })),
      receiptRoutes(createReceiptService({ ...base, queue }), runOnce, log),
      liveRoutes(
        createLiveService({
          ...{ stores, commands, queue, live: parts.live, clock, log },
          ...{ reportOf: ({ id }) => reports.ofCommand(id), indicationOf: indicationsOf(stores) },
        }),
      ),
    ],
  };
}

/** Whether a credential still opens what it did. */
function standingOf({ stores, clock, writer }: ModuleParts) {
  const standing = { ...stores, clock };
  const stands = { requireStanding: (one: Principal) => requireStanding(standing, one) };
  const underWay = (one: Principal) => requireStandingUnderWay(standing, one);
  return { standing, stands, underWay, write: createWriteFor(writer, underWay) };
}

/** Who works in a shop, and how they come in. */
function peopleRoutes(parts: ModuleParts) {
  const { stores, writer, clock, random, log, time } = parts;
  const { tokens, passwords, registration, setupCode, outbox, guard } = parts;
  const entry = { tokens, passwords, registration, setupCode, outbox, guard };
  const { write } = standingOf(parts);
  const people = { stores, writer, write, clock, random, ...entry, log, time };
  return [
    authRoutes(createAuthService(people), createForgottenPasswords(people)),
    memberRoutes(createMemberService(people)),
  ];
}

/** What is about the machine and not about a shop. */
function applianceRoutes(parts: ModuleParts) {
  const { stores, writer, clock, backups } = parts;
  const { write } = standingOf(parts);
  const ownsBox = (orgId: string): boolean => stores.organizations.isFirst(orgId);
  return [
    backupRoutes(createBackupService({ stores, ...{ writer, write }, clock, backups }), ownsBox),
    networkRoutes(parts.network, ownsBox),
    updateRoutes(parts.updates, ownsBox),
    diagnosticsRoutes(parts.diagnose, ownsBox),
  ];
}
