/** Table of scenes of what printers needed, at one of them and of all. */

import { instead, json, open, type Scene } from "./staging.ts";

const ALERT = {
  ...{ deviceId: "dev_01M7XBC7BKJTTK1BYJEVYS1RPR", deviceName: "Каса 2 при входа", message: "" },
  detectedAt: "2026-01-15T10:00:00.000Z",
};
/** One that rose on a day of January, and ended so many minutes later. */
const past = (day: number, minutes: number, more: object) => {
  const detected = Date.UTC(2026, 0, day, 10, 2);
  return {
    ...{ ...ALERT, id: String(day), severity: "error", type: "paper_out" },
    detectedAt: new Date(detected).toISOString(),
    endedAt: new Date(detected + minutes * 60_000).toISOString(),
    ...{ end: "cured", endedBy: null, ...more },
  };
};
const PAST = {
  alerts: [
    past(19, 0, { type: "device_disconnected", endedAt: null, end: null }),
    past(18, 7, { type: "outcome_unknown", end: "settled", endedBy: "box" }),
    past(17, 3 * 24 * 60, { type: "state_restored", end: "settled", endedBy: "user:usr_x" }),
    past(16, 4, {}),
    past(15, 40, { type: "paper_low", severity: "warning", end: "replaced" }),
    past(14, 90, { type: "cover_open", end: "out_of_reach" }),
    past(13, 24 * 60, { type: "late_result", severity: "warning", end: "expired" }),
    past(12, 5, { type: "device_unassigned", severity: "info", end: "device_removed" }),
  ],
  ...{ hasMore: false, lastId: "12" },
};
const ENDED = { ...PAST, alerts: PAST.alerts.filter(({ endedAt }) => endedAt !== null) };

/** What the box tells each of its printers. */
const ofTheBox = (type: string): Scene["play"] =>
  instead(
    "/today",
    async (route) => {
      const { devices, ...rest } = await (await route.fetch()).json();
      const told = devices.map(
        (line: { readonly device: { readonly id: string; readonly name: string } }) => {
          const { id: deviceId, name: deviceName } = line.device;
          return { ...line, alerts: [{ ...ALERT, deviceId, deviceName, type, severity: "error" }] };
        },
      );
      await route.fulfill({ json: { ...rest, devices: told } });
    },
    open("/", "main [data-mood]"),
  );

export const ALERT_SCENES: readonly Scene[] = [
  {
    name: "alerts",
    play: instead("/alerts*", json(PAST), open("/alerts", "main [data-windowed]")),
  },
  { name: "today-disk-full", play: ofTheBox("disk_full") },
  { name: "alerts-none", play: open("/alerts?severity=info&state=past", "main strong") },
  {
    name: "printer-history-past",
    play: (stage) =>
      instead(
        "/alerts*",
        json(ENDED),
        open(`/printers/${stage.printers.noPaper}/history`, "main ol li"),
      )(stage),
  },
];
