import { describe, expect, test } from "bun:test";
import { type DeviceFacts, deviceAlerts, hasBlockingAlert } from "./alerts.ts";
import { effectiveStatus, projectedStatus } from "./connectivity.ts";
import type { DeviceStatus } from "./device.ts";
import type { StatusReading } from "./reading.ts";
import { FINE_STATUS } from "./testing/fine-status.ts";
import { readAt } from "./testing/status-reading.ts";

const NOW = Date.UTC(2026, 0, 15, 10);
const HOUR_MS = 3_600_000;

const unknown: DeviceStatus = {
  ...FINE_STATUS,
  paper: null,
  cover: null,
  dayCloseRequired: null,
  fiscalMemory: null,
  hardwareError: null,
};

function facts(change: Partial<DeviceFacts> = {}): DeviceFacts {
  return {
    now: NOW,
    controllerId: "builtin",
    createdAt: 1,
    releasedAt: null,
    connectivity: { controllerOnline: true, linkUp: true, lastSeenAt: NOW - 5 },
    reading: reading(),
    outcomeHolds: [],
    restoredAt: null,
    unknownDocuments: null,
    diskFullSince: null,
    closingDueAt: null,
    lateResults: [],
    ...change,
  };
}

function reading(change: Partial<DeviceStatus> = {}, rest: Partial<StatusReading> = {}) {
  return readAt(NOW - 1_000, change, { fiscalDayOpenSince: NOW - HOUR_MS, ...rest });
}

const types = (change: Partial<DeviceFacts> = {}) =>
  deviceAlerts(facts(change)).map((alert) => alert.type);

describe("alerts of a device", () => {
  test("are none when all is well, or when the protocol does not tell", () => {
    expect(types()).toEqual([]);
    expect(
      types({ reading: reading(unknown, { clockDriftMs: null, fiscalDayOpenSince: null }) }),
    ).toEqual([]);
    expect(types({ reading: undefined })).toEqual([]);
  });

  test("include z_report_due from the shop's closing time on, unless the day is overdue", () => {
    const closingDueAt = NOW - 2_000;
    expect(deviceAlerts(facts({ closingDueAt }))).toMatchObject([
      { type: "z_report_due", severity: "warning", detectedAt: closingDueAt },
    ]);
    expect(types({ closingDueAt, reading: reading({ dayCloseRequired: true }) })).toEqual([
      "z_report_overdue",
    ]);
    const connectivity = { controllerOnline: true, linkUp: false, lastSeenAt: NOW };
    expect(types({ closingDueAt, connectivity })).toEqual(["device_disconnected"]);
  });

  test.each<[string, Partial<DeviceStatus>, string]>([
    ["paper_low", { paper: "low" }, "warning"],
    ["paper_out", { paper: "out" }, "error"],
    ["cover_open", { cover: "open" }, "error"],
    ["fiscal_memory_near_full", { fiscalMemory: "near_full" }, "warning"],
    ["fiscal_memory_full", { fiscalMemory: "full" }, "error"],
    ["z_report_overdue", { dayCloseRequired: true }, "warning"],
    ["hardware_error", { hardwareError: true }, "error"],
  ])("include %s", (type, status, severity) => {
    const found: unknown[] = deviceAlerts(facts({ reading: reading(status) }));
    const message = expect.any(String);
    expect(found).toEqual([{ type, severity, message, detectedAt: NOW - 1_000 }]);
  });

  test("tell a missing controller from a device that does not answer", () => {
    const connectivity = { controllerOnline: false, linkUp: false, lastSeenAt: null };
    expect(types({ controllerId: null, connectivity })).toEqual(["device_unassigned"]);
    expect(types({ connectivity })).toEqual(["device_disconnected"]);
    expect(
      types({ connectivity: { controllerOnline: true, linkUp: false, lastSeenAt: 7 } }),
    ).toEqual(["device_disconnected"]);
    const [alert] = deviceAlerts(facts({ connectivity: { ...connectivity, lastSeenAt: 7 } }));
    expect(alert?.detectedAt).toBe(7);
    const broken = { ...connectivity, lastSeenAt: 7, downSince: 9 };
    expect(deviceAlerts(facts({ connectivity: broken }))[0]?.detectedAt).toBe(9);
  });

  test("do not repeat what a device said before it was lost", () => {
    const connectivity = { controllerOnline: true, linkUp: false, lastSeenAt: 7 };
    expect(types({ connectivity, reading: reading({ paper: "out" }) })).toEqual([
      "device_disconnected",
    ]);
  });

  test("ask for the Z report once the fiscal day has been open for 24 hours", () => {
    const openSince = (ms: number) =>
      types({ reading: reading({}, { fiscalDayOpenSince: NOW - ms }) });
    expect(openSince(24 * HOUR_MS - 1)).toEqual([]);
    expect(openSince(24 * HOUR_MS)).toEqual(["z_report_overdue"]);
  });

  test("tell of a clock that is wrong by more than five minutes, either way", () => {
    const drift = (clockDriftMs: number) => types({ reading: reading({}, { clockDriftMs }) });
    expect(drift(300_000)).toEqual([]);
    expect(drift(300_001)).toEqual(["clock_drift"]);
    expect(drift(-300_001)).toEqual(["clock_drift"]);
    expect(types({ reading: reading({ clockSet: false }) })).toEqual(["clock_drift"]);
  });

  test("keep an unknown outcome until it is settled and a late result for a day", () => {
    const outcomeHolds = ["cmd_1", "cmd_2"].map((commandId) => ({ commandId, raisedAt: 1 }));
    expect(types({ outcomeHolds })).toEqual(["outcome_unknown", "outcome_unknown"]);
    const lateBy = (ms: number) => types({ lateResults: [{ commandId: "cmd_1", at: NOW - ms }] });
    expect(lateBy(24 * HOUR_MS - 1)).toEqual(["late_result"]);
    expect(lateBy(24 * HOUR_MS)).toEqual([]);
  });

  test("name the command that they speak of, and none where it is the device itself", () => {
    const raised = deviceAlerts(
      facts({
        connectivity: { controllerOnline: false, linkUp: false, lastSeenAt: null },
        outcomeHolds: [{ commandId: "cmd_1", raisedAt: 1 }],
        lateResults: [
          { commandId: "cmd_3", at: NOW },
          { commandId: "cmd_2", at: NOW - 1 },
        ],
      }),
    );
    expect(raised.map(({ type, commandId }) => [type, commandId])).toEqual([
      ["device_disconnected", undefined],
      ["outcome_unknown", "cmd_1"],
      ["late_result", "cmd_3"],
      ["late_result", "cmd_2"],
    ]);
  });
});

describe("connectivity", () => {
  test("is online only with both the controller's socket and the device's link", () => {
    const of = (controllerOnline: boolean, linkUp: boolean) =>
      effectiveStatus({ controllerOnline, linkUp, lastSeenAt: null });
    expect([of(true, true), of(true, false), of(false, true), of(false, false)]).toEqual([
      "online",
      "offline",
      "offline",
      "offline",
    ]);
  });

  test("is refined by another printer in its device's place: a person has to act there", () => {
    const elsewhere = { controllerOnline: true, linkUp: false, lastSeenAt: null };
    const numbers = { serialNumber: "DT2", fiscalMemorySerialNumber: null };
    const otherPrinter = { ...numbers, deviceId: null, address: "tcp printer 4999" };
    const connectivity = { ...elsewhere, otherPrinter };
    const alerts = deviceAlerts(facts({ connectivity }));
    expect(alerts.map(({ type }) => type)).toEqual(["other_printer"]);
    const hasError = hasBlockingAlert(alerts);
    expect(projectedStatus({ connectivity, isBusy: false, hasError })).toBe("error");
  });

  test("is refined by what runs and by what blocks, but not by being out of reach", () => {
    const { connectivity } = facts();
    const offline = { controllerOnline: true, linkUp: false, lastSeenAt: null };
    const blocked = deviceAlerts(facts({ reading: reading({ paper: "out" }) }));
    const lost = deviceAlerts(facts({ connectivity: offline }));
    expect(hasBlockingAlert(blocked)).toBe(true);
    expect(hasBlockingAlert(lost)).toBe(false);
    expect(projectedStatus({ connectivity, isBusy: true, hasError: true })).toBe("busy");
    expect(projectedStatus({ connectivity, isBusy: false, hasError: true })).toBe("error");
    expect(projectedStatus({ connectivity, isBusy: false, hasError: false })).toBe("online");
    expect(projectedStatus({ connectivity: offline, isBusy: false, hasError: false })).toBe(
      "offline",
    );
  });
});

test("a line that is down names the controller of elsewhere that is not connected", () => {
  const connectivity = { controllerOnline: false, linkUp: false, lastSeenAt: NOW - 5 };
  const [remote] = deviceAlerts(facts({ controllerId: "bar-pi", connectivity }));
  expect(remote?.message).toEndWith(". The controller bar-pi is not connected");
  const own = { ...connectivity, controllerOnline: true, reason: "Bluetooth is off" };
  const [line] = deviceAlerts(facts({ controllerId: "bar-pi", connectivity: own }));
  expect(line?.message).toEndWith(". Bluetooth is off");
});
