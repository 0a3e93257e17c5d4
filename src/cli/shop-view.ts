/**
 * What a shop's devices are doing: queue and receipts from the database, links and alerts from the
 * running gateway, which alone knows them. Without one only the alerts are known that are stored.
 */

import type { Command } from "commander";
import type { AlertSeverity, AlertType } from "#core/device/alerts.ts";
import { BUILTIN_CONTROLLER_ID } from "#core/device/device.ts";
import { isoTime, isoTimeOrNull } from "#core/iso-time.ts";
import { fromMinor } from "#core/money.ts";
import type { ReceiptType } from "#core/receipt-record.ts";
import type { Device } from "#db/stores/devices.ts";
import { lastOfRecord } from "#db/stores/last-receipt.ts";
import type { Organization } from "#db/stores/organizations.ts";
import { AlertsAnswer, DeviceStatusesAnswer } from "../modules/devices/schema.ts";
import { addressText } from "./address-text.ts";
import type { Box } from "./box.ts";
import { isLongInDoubt } from "./command-words.ts";
import { deviceServiceOf } from "./device-service.ts";
import { ANSWER_LIMIT_MS, readAnswer } from "./gateway-answer.ts";
import { askGateway, type GatewayPresence } from "./running-gateway.ts";
import { loadSettings } from "./settings-options.ts";

/** Alerts that do not come from the line to the device. */
const STORED_ALERTS: ReadonlySet<string> = new Set<AlertType>([
  "outcome_unknown",
  "state_restored",
  "documents_unknown",
]);

/** How long a new device may take to answer, or to be found out of reach. */
const FIRST_ASKED_MS = 30_000;

/** Alerts that there is no line to a device. */
const LINK_ALERTS: ReadonlySet<string> = new Set<AlertType>([
  "device_disconnected",
  "other_printer",
  "device_unassigned",
]);

/** Alerts from what a device last said of its state. */
const READ_ALERTS: ReadonlySet<string> = new Set<AlertType>([
  ...(["paper_low", "paper_out", "cover_open", "hardware_error", "clock_drift"] as const),
  ...(["fiscal_memory_near_full", "fiscal_memory_full", "z_report_overdue"] as const),
]);

/** How old alerts may be that a device's state gave; undefined when there are none. */
export function readingWords(
  command: Command,
  alerts: readonly Pick<AlertView, "type">[],
): string | undefined {
  if (!alerts.some(({ type }) => READ_ALERTS.has(type))) return undefined;
  const seconds = loadSettings(command).config["devices.statusSeconds"];
  return (
    `An idle printer is asked for its state every ${seconds} s: ` +
    "what was just mended may stand here until then."
  );
}

export interface AlertView {
  readonly type: string;
  readonly severity: AlertSeverity;
  readonly message: string;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly detectedAt: string;
  /** The command that it speaks of. */
  readonly commandId?: string;
}

/** A device now. Times are ISO 8601. */
export interface DeviceView {
  readonly id: string;
  readonly name: string;
  readonly driver: string;
  readonly connection: string;
  readonly serialNumber: string | null;
  /** `asked` until a new one has answered or failed to; null while no gateway runs to tell. */
  readonly link: "up" | "down" | "asked" | null;
  /** Why it is down, where anybody knows. */
  readonly reason: string | null;
  readonly lastSeen: string | null;
  /** Commands that wait for their turn. */
  readonly waiting: number;
  readonly underWay: {
    readonly id: string;
    readonly type: string;
    readonly status: string;
    readonly since: string;
    /** A person may say what became of it, if its printer is silent. */
    readonly isInDoubt: boolean;
  } | null;
  /** The last receipt in its books. */
  readonly lastReceipt: {
    /** Null for one that was made elsewhere. */
    readonly commandId: string | null;
    readonly type: ReceiptType;
    readonly fiscalId: string | null;
    /** Currency units. */
    readonly total: number;
    /** ISO 4217 code. */
    readonly currency: string;
    readonly at: string;
  } | null;
  readonly alerts: readonly AlertView[];
}

export interface ShopView {
  readonly organization: Organization;
  readonly devices: readonly DeviceView[];
}

type Statuses = ReturnType<typeof readAnswer<typeof DeviceStatusesAnswer>>["statuses"];

type Status = Statuses[string];

/** What only the gateway knows, by device id. */
interface Live {
  readonly statuses: Statuses;
  readonly alerts: Readonly<Record<string, readonly AlertView[]>>;
}

/** Looks at one organization. @throws CliFailure when a gateway runs that does not answer */
export async function viewShop(
  { command, box, gateway }: { command: Command; box: Box; gateway: GatewayPresence },
  organization: Organization,
): Promise<ShopView> {
  const live =
    gateway.kind === "running" ? await askLive(command, box, organization.id) : undefined;
  const stored = deviceServiceOf(box).allAlerts(organization.id).alerts;
  const devices = box.stores.devices.list(organization.id).map((device): DeviceView => {
    const status = live?.statuses[device.id];
    const isAsked = status !== undefined && isFirstAsked(device, status, box.clock.now());
    const known =
      live?.alerts[device.id] ??
      (stored[device.id] ?? []).filter(({ type }) => STORED_ALERTS.has(type));
    return {
      ...{ id: device.id, name: device.name, driver: device.driver },
      connection: addressText(device),
      serialNumber: device.serialNumber,
      link: status === undefined ? null : isAsked ? "asked" : linkOf(status),
      reason: status?.reason ?? null,
      lastSeen: status?.lastSeen ?? isoTimeOrNull(device.lastSeenAt),
      waiting: box.stores.commands.countPending(device.id),
      underWay: underWayOf(box, device),
      lastReceipt: lastReceiptOf(box, device),
      alerts: isAsked ? known.filter(({ type }) => !LINK_ALERTS.has(type)) : known,
    };
  });
  return { organization, devices };
}

const linkOf = ({ effectiveStatus }: Status) => (effectiveStatus === "online" ? "up" : "down");

/** This machine has begun to ask it, or is about to, and it has neither answered nor failed to. */
function isFirstAsked(device: Device, status: Status, now: number): boolean {
  const { managedBy, controllerId, lastSeenAt, createdAt } = device;
  const isOwn = controllerId === null || controllerId === BUILTIN_CONTROLLER_ID;
  const isUntold = status.reason === null && lastSeenAt === null;
  const isNew = now - createdAt < FIRST_ASKED_MS;
  return isNew && managedBy === "builtin" && isOwn && isUntold && linkOf(status) === "down";
}

async function askLive(command: Command, box: Box, orgId: string): Promise<Live> {
  const ask = async (path: string): Promise<unknown> => {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const question = { orgId, scope: "devices:read", path, signal } as const;
    return (await askGateway(command, box, question)).json();
  };
  const { statuses } = readAnswer(DeviceStatusesAnswer, await ask("/devices/statuses"));
  const { alerts } = readAnswer(AlertsAnswer, await ask("/devices/alerts"));
  return { statuses, alerts };
}

function underWayOf({ stores, clock }: Box, device: Device): DeviceView["underWay"] {
  const command = stores.commands.findOut(device.id);
  if (command === undefined) return null;
  const { id, type, status, sentAt, processingAt, createdAt } = command;
  const since = isoTime(processingAt ?? sentAt ?? createdAt);
  return { id, type, status, since, isInDoubt: isLongInDoubt(command, clock.now()) };
}

function lastReceiptOf({ stores }: Box, device: Device): DeviceView["lastReceipt"] {
  const booked = stores.bookedReceipts.last(device.orgId, device.id);
  if (booked === undefined) return null;
  const last = lastOfRecord(stores, device.id, booked);
  const { commandId, type, fiscalId, totalMinor, currency, issuedAt } = last;
  const total = fromMinor(totalMinor);
  return { commandId, type, fiscalId, total, currency, at: isoTime(issuedAt) };
}
