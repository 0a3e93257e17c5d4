/** All stores over one database. */

import type { Database } from "../connection.ts";
import { createAlertHistoryStore } from "./alert-history.ts";
import { createApiKeyStore } from "./api-keys.ts";
import { createApplianceStore } from "./appliance.ts";
import { createAuditStore } from "./audit.ts";
import { createBookedReceiptStore } from "./booked-receipts.ts";
import { createClosingStore } from "./closings.ts";
import { createCommandStore } from "./commands.ts";
import { createConnectionEventStore } from "./connection-events.ts";
import { createControllerStore } from "./controllers.ts";
import { createDeviceStore } from "./devices.ts";
import { createDocumentCheckStore } from "./document-checks.ts";
import { createEventStore } from "./events.ts";
import { createGuessStore } from "./guesses.ts";
import { createIdempotencyStore } from "./idempotency.ts";
import { createLocationStore } from "./locations.ts";
import { createOpenQuestionStore } from "./open-questions.ts";
import { createOrganizationStore } from "./organizations.ts";
import { createOutcomeHoldStore } from "./outcome-holds.ts";
import { createPasswordCodeStore } from "./password-codes.ts";
import { createPrinterAddressStore } from "./printer-addresses.ts";
import { createReceiptStore } from "./receipts.ts";
import { createReportStore } from "./reports.ts";
import { createRestoredPrinterStore } from "./restored-printers.ts";
import { createReversalStore } from "./reversals.ts";
import { createToldAlertStore } from "./told-alerts.ts";
import { createUserStore } from "./users.ts";
import { createWebhookDeliveryStore } from "./webhook-deliveries.ts";
import { createWebhookStore } from "./webhooks.ts";

export type Stores = ReturnType<typeof createStores>;

/** Prepares every query once. */
export function createStores(database: Database) {
  return {
    alertHistory: createAlertHistoryStore(database),
    apiKeys: createApiKeyStore(database),
    appliance: createApplianceStore(database),
    audit: createAuditStore(database),
    bookedReceipts: createBookedReceiptStore(database),
    closings: createClosingStore(database),
    commands: createCommandStore(database),
    connectionEvents: createConnectionEventStore(database),
    controllers: createControllerStore(database),
    devices: createDeviceStore(database),
    documentChecks: createDocumentCheckStore(database),
    events: createEventStore(database),
    guesses: createGuessStore(database),
    idempotency: createIdempotencyStore(database),
    locations: createLocationStore(database),
    openQuestions: createOpenQuestionStore(database),
    organizations: createOrganizationStore(database),
    outcomeHolds: createOutcomeHoldStore(database),
    passwordCodes: createPasswordCodeStore(database),
    printerAddresses: createPrinterAddressStore(database),
    receipts: createReceiptStore(database),
    reports: createReportStore(database),
    restoredPrinters: createRestoredPrinterStore(database),
    reversals: createReversalStore(database),
    toldAlerts: createToldAlertStore(database),
    users: createUserStore(database),
    webhookDeliveries: createWebhookDeliveryStore(database),
    webhooks: createWebhookStore(database),
  };
}
