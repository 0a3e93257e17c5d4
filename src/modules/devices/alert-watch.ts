/**
 * Tells listeners when other alerts stand at a device than they were told of last.
 *
 * Alerts are worked out when somebody looks, mostly from what is only in memory. So this looks too,
 * a moment after anything changed that they may come from, and compares. The moment gathers what
 * belongs together, as a line that is up again and the first reading of its device, and bounds what
 * a device tells that comes and goes. What was told is on disk with the event: a start goes on from
 * it, and what the last run had no time to tell is told then. The history of alerts is written in the
 * same operation: it has what was told.
 */

import { isFinal } from "#core/command/command.ts";
import { alertChange, untilTold } from "#core/device/alert-change.ts";
import { alertEnd } from "#core/device/alert-history.ts";
import type { Alert } from "#core/device/alerts.ts";
import { effectiveStatus } from "#core/device/connectivity.ts";
import { isSimulated } from "#core/device/device.ts";
import type { GatewayEvent } from "#core/events.ts";
import type { AuditFilter } from "#db/stores/audit.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Log } from "../../platform/log.ts";
import { alertsOf, type DeviceStateOptions } from "./device-state.ts";
import { endAlertsOfRemoved } from "./removed-alerts.ts";

export interface AlertWatchOptions extends DeviceStateOptions {
  readonly stores: DeviceStateOptions["stores"] &
    Pick<Stores, "alertHistory" | "devices" | "toldAlerts">;
  readonly writer: Writer;
  readonly log: Log;
  /** @param dueAt UTC milliseconds */
  readonly timers: { set(key: string, dueAt: number, fire: () => void): void };
}

/** Between a change and the look at what has become of the alerts. */
export const ALERT_LOOK_MS = 1_000;
/** For the first reading of each device after a start: before it nothing is known of any. */
export const FIRST_ALERT_LOOK_MS = 10_000;
/**
 * A controller that has told nothing of the state of a device for so long, which it reaches, tells nothing: an
 * app need not. What is in doubt is found out first, which takes ten minutes at most.
 */
export const SILENT_MS = 15 * 60_000;
/** Waiting before an event that could not be written is tried again. */
const RETRY_MS = 30_000;

export class AlertWatch {
  readonly #o: AlertWatchOptions;
  /** Devices that are about to be looked at. */
  readonly #due = new Set<string>();
  #hasStopped = false;

  constructor(options: AlertWatchOptions) {
    this.#o = options;
  }

  /** After a start: what stands then is told where it is not what was told before. */
  begin(): void {
    const { clock, timers } = this.#o;
    timers.set("alerts", clock.now() + FIRST_ALERT_LOOK_MS, () => this.allChanged());
  }

  /** The alerts of all devices may have changed. */
  allChanged(): void {
    const { stores } = this.#o;
    const known = stores.devices.listAll().map(({ id }) => id);
    // Somebody at the box may have removed some meanwhile.
    for (const id of new Set([...known, ...stores.toldAlerts.deviceIds()])) this.changed(id);
  }

  /** Something that an event tells of may have changed the alerts of devices. */
  heard(event: GatewayEvent): void {
    if ("device" in event) this.changed(event.device.id);
    if (event.type !== "command.updated" || !isFinal(event.command.status)) return;
    const { id: commandId, deviceId, orgId } = event.command;
    this.changed(deviceId);
    // It is the printer that a person is asked of, and several records may lead to it.
    const { devices, outcomeHolds } = this.#o.stores;
    if (outcomeHolds.find(commandId) === undefined) return;
    for (const { id } of devices.list(orgId)) this.changed(id);
  }

  /** The alerts of a device may have changed. */
  changed(deviceId: string): void {
    this.#lookIn(ALERT_LOOK_MS, deviceId);
  }

  /** Tells nothing any more: that everything is out of reach at a stop is nobody's news. */
  stop(): void {
    this.#hasStopped = true;
  }

  #lookIn(ms: number, deviceId: string): void {
    if (this.#hasStopped || this.#due.has(deviceId)) return;
    this.#due.add(deviceId);
    const { clock, timers } = this.#o;
    timers.set(`alerts:${deviceId}`, clock.now() + ms, () => {
      this.#due.delete(deviceId);
      this.#look(deviceId);
    });
  }

  #look(deviceId: string): void {
    if (this.#hasStopped) return;
    const { writer, log } = this.#o;
    const failed = (error: unknown): void => {
      log.error("alerts of a device not told", { deviceId, error });
      this.#lookIn(RETRY_MS, deviceId);
    };
    try {
      // Most looks find nothing new, and cost no commit.
      if (!this.#isNews(deviceId)) return;
    } catch (error) {
      failed(error);
      return;
    }
    writer.run((tx) => this.#tell(tx, deviceId), "later").catch(failed);
  }

  #isNews(deviceId: string): boolean {
    const { devices, toldAlerts } = this.#o.stores;
    const device = devices.find(deviceId);
    const told = toldAlerts.of(deviceId);
    if (!device) return told.length > 0;
    if (told.length > 0) this.#lookWhenSilent(deviceId);
    return alertChange(told, this.#standing(device, told)) !== undefined;
  }

  #tell(tx: Transaction, deviceId: string): void {
    const { stores, clock } = this.#o;
    const { devices, toldAlerts } = stores;
    const device = devices.find(deviceId);
    if (!device) {
      endAlertsOfRemoved(stores, deviceId, clock.now());
      return;
    }
    const told = toldAlerts.of(deviceId);
    const change = alertChange(told, this.#standing(device, told));
    if (!change) return;
    const { orgId, name: deviceName } = device;
    toldAlerts.put(deviceId, change.standing);
    for (const alert of change.cleared) this.#end(device, alert, change.standing);
    for (const alert of change.appeared) this.#rise(device, alert);
    const simulated = isSimulated(device);
    const alerts = { deviceId, deviceName, simulated, ...change };
    tx.emit({ type: "device.alert", orgId, alerts });
  }

  /** The alerts of a device, as far as they are known by now. */
  #standing(device: Device, told: readonly Alert[]): readonly Alert[] {
    const { clock, live } = this.#o;
    const { id } = device;
    const now = alertsOf(this.#o, device);
    if (effectiveStatus(live.connectivity(id)) !== "online") return now;
    const reading = live.reading(id);
    const isSilent = reading === undefined && clock.now() >= this.#silentAt(id);
    return isSilent ? now : untilTold(now, told, reading);
  }

  /** From when on nothing is to be expected of a device that is reached, where nothing is told of its state. */
  #silentAt(deviceId: string): number {
    const { lastSeenAt } = this.#o.live.connectivity(deviceId);
    return (lastSeenAt ?? 0) + SILENT_MS;
  }

  #lookWhenSilent(deviceId: string): void {
    const { clock, live, timers } = this.#o;
    const silentAt = this.#silentAt(deviceId);
    if (live.reading(deviceId) !== undefined || clock.now() >= silentAt) return;
    timers.set(`alerts:${deviceId}:silent`, silentAt, () => this.changed(deviceId));
  }

  #rise({ id: deviceId, orgId, name: deviceName }: Device, alert: Alert): void {
    const { type, severity, message, detectedAt } = alert;
    const { commandId = null, fiscalId = null, standsOpen = null } = alert;
    this.#o.stores.alertHistory.append({
      ...{ orgId, deviceId, deviceName, type, severity, message, detectedAt },
      ...{ commandId, fiscalId, standsOpen },
      ...{ endedAt: null, end: null, endedBy: null },
    });
  }

  #end({ id: deviceId, orgId }: Device, alert: Alert, standing: readonly Alert[]): void {
    const { stores, clock, live } = this.#o;
    const endedBy = settlerOf(stores.audit, { orgId, deviceId, alert });
    const isSilent = live.reading(deviceId) === undefined;
    const end = alertEnd(alert, { standing, isSettled: endedBy !== null, isSilent });
    stores.alertHistory.end(deviceId, alert, { end, endedBy, endedAt: clock.now() });
  }
}

/** Whoever said, since the alert was there, what became of what it tells of; null where nobody did. */
function settlerOf(
  audit: Stores["audit"],
  { orgId, deviceId, alert }: { orgId: string; deviceId: string; alert: Alert },
): string | null {
  const deed = deedThatSettles(deviceId, alert);
  if (deed === undefined) return null;
  const [last] = audit.page(orgId, { filter: deed, limit: 1, order: "desc" });
  return last !== undefined && last.at >= alert.detectedAt ? last.actor : null;
}

/** What a person does about an alert that ends by nothing else than a person, or the printer itself. */
function deedThatSettles(deviceId: string, { type, commandId }: Alert): AuditFilter | undefined {
  if (type === "state_restored" || type === "documents_unknown") {
    return { resource: deviceId, action: "device.state_accepted" };
  }
  if (type === "other_printer") {
    return { resource: deviceId, action: "device.printer_accepted" };
  }
  if (type !== "outcome_unknown" || commandId === undefined) return undefined;
  return { resource: commandId, action: "command.resolve" };
}
