/** All stores over one database. */

import type { Database } from "../connection.ts";
import { createApiKeyStore } from "./api-keys.ts";
import { createApplianceStore } from "./appliance.ts";
import { createAuditStore } from "./audit.ts";
import { createCommandStore } from "./commands.ts";
import { createDeviceStore } from "./devices.ts";
import { createEventStore } from "./events.ts";
import { createIdempotencyStore } from "./idempotency.ts";
import { createOpenQuestionStore } from "./open-questions.ts";
import { createOrganizationStore } from "./organizations.ts";
import { createOutcomeHoldStore } from "./outcome-holds.ts";
import { createReceiptStore } from "./receipts.ts";
import { createRestoredPrinterStore } from "./restored-printers.ts";
import { createUserStore } from "./users.ts";

export type Stores = ReturnType<typeof createStores>;

/** Prepares every query once. */
export function createStores(database: Database) {
  return {
    apiKeys: createApiKeyStore(database),
    appliance: createApplianceStore(database),
    audit: createAuditStore(database),
    commands: createCommandStore(database),
    devices: createDeviceStore(database),
    events: createEventStore(database),
    idempotency: createIdempotencyStore(database),
    openQuestions: createOpenQuestionStore(database),
    organizations: createOrganizationStore(database),
    outcomeHolds: createOutcomeHoldStore(database),
    receipts: createReceiptStore(database),
    restoredPrinters: createRestoredPrinterStore(database),
    users: createUserStore(database),
  };
}
