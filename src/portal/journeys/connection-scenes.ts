/** Table of scenes of what is connected to the box, and of who changed what. */

import {
  ALERT,
  holding,
  instead,
  json,
  offline,
  open,
  refusal,
  type Scene,
  SKELETON,
} from "./staging.ts";

const AUDIT = "/audit*";
const CONTROLLERS = "/controllers";
const HISTORY = "/settings/history";
const COMPUTERS = "/settings/controllers";

const BOX = {
  ...{ controllerId: "builtin", controllerName: "Built-in controller", appVersion: "0.1.0" },
  ...{ deviceModel: "Debian", osVersion: "13", connectedAt: "2026-11-25T05:00:00.000Z" },
};
const TABLET = {
  ...{ controllerId: "tablet-bar", appVersion: "2.4.0", deviceModel: "Galaxy Tab A9" },
  ...{ osVersion: "Android 15" },
};
const TIMES = { createdAt: "2026-11-20T05:00:00.000Z", updatedAt: "2026-11-25T05:00:00.000Z" };

/** A tablet that serves a printer, one that sleeps, and a computer that is off. */
const computers: Scene["play"] = async (stage) => {
  const { ready, noPaper, gone } = stage.printers;
  const known = {
    ...TABLET,
    ...{ controllerName: "Таблет на бара", locationId: "bar", ...TIMES, canBeWoken: true },
  };
  await instead(
    CONTROLLERS,
    json({
      instances: [
        { ...BOX, connectedDevices: [ready] },
        {
          ...TABLET,
          controllerName: known.controllerName,
          connectedAt: TIMES.updatedAt,
          connectedDevices: [noPaper],
        },
      ],
      known: [
        { ...known, connected: true, lastSeenAt: TIMES.updatedAt, deviceIds: [noPaper] },
        {
          ...{ ...known, controllerId: "stall", controllerName: null, locationId: null },
          ...{ connected: false, canBeWoken: false, lastSeenAt: TIMES.createdAt },
          deviceIds: [gone],
        },
      ],
    }),
    open(COMPUTERS, "main form"),
  )(stage);
};

export const CONNECTION_SCENES: readonly Scene[] = [
  { name: "history", play: open(HISTORY, "main [data-windowed] a") },
  {
    name: "history-one",
    play: (stage) =>
      open(`${HISTORY}?what=${stage.printers.ready}`, "main [data-windowed] li")(stage),
  },
  { name: "history-none", play: open(`${HISTORY}?who=box&what=dev_none`, "main strong") },
  {
    name: "history-loading",
    play: holding(AUDIT, open(HISTORY, SKELETON)),
  },
  {
    name: "history-failed",
    play: instead(AUDIT, refusal(500, "INTERNAL_ERROR"), open(HISTORY, ALERT)),
  },
  {
    name: "history-offline",
    play: offline(open(HISTORY, "main [data-windowed] a")),
  },
  { name: "controllers", play: computers },
  { name: "controllers-empty", play: open(COMPUTERS, "main ol") },
  {
    name: "controllers-remove",
    play: async (stage) => {
      await computers(stage);
      await stage.page.locator("main li form + div button").click();
      await stage.page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "controllers-failed",
    play: instead(CONTROLLERS, refusal(500, "INTERNAL_ERROR"), open(COMPUTERS, ALERT)),
  },
  {
    name: "controllers-loading",
    play: holding(CONTROLLERS, open(COMPUTERS, SKELETON)),
  },
];
