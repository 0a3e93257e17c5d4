/** Routes below `/devices` that manage devices; those that talk to one are elsewhere. */

import { Type } from "@sinclair/typebox";
import { ALERT_SEVERITIES } from "#core/device/alerts.ts";
import { DEVICE_STATUSES } from "#core/device/connectivity.ts";
import type { SerialPortInfo } from "#core/device/serial-port.ts";
import { ownerRoutes, scopedRoutes } from "../../http/access.ts";
import { DONE, noContent, refusals, success } from "../../http/answers.ts";
import { choice, query, text } from "../../http/query.ts";
import { changeJson, json } from "../../http/request-body.ts";
import {
  AlertsAnswer,
  ConnectionHistoryAnswer,
  CreateDeviceBody,
  CreateDeviceDocument,
  DeviceAlertsAnswer,
  DeviceRecord,
  DeviceStatusAnswer,
  DeviceStatusesAnswer,
  PortsAnswer,
  ReleaseDeviceBody,
  UpdateDeviceBody,
  UpdateDeviceDocument,
} from "./schema.ts";
import type { DeviceService } from "./service.ts";

const TAG = "Devices";

/** The routes over the service. */
export function deviceRoutes(service: DeviceService, listPorts: () => SerialPortInfo[]) {
  return [
    writingRoutes(service),
    acceptingRoutes(service),
    portsRoute(listPorts),
    readingRoutes(service),
  ];
}

function writingRoutes(service: DeviceService) {
  return scopedRoutes("devices:write", TAG)
    .post(
      "/devices",
      async ({ principal, body, status }) => status(201, await service.create(principal, body)),
      {
        transform({ principal }) {
          service.requireRoom(principal.orgId);
        },
        body: json(CreateDeviceBody, { schema: CreateDeviceDocument }),
        detail: {
          summary: "Register a device",
          description: "The plan's cap is checked before the body.",
          responses: {
            ...success(DeviceRecord, { status: 201 }),
            ...refusals({ 409: "A device is registered at this address" }),
          },
        },
      },
    )
    .patch(
      "/devices/:deviceId",
      ({ principal, params: { deviceId }, body }) => service.update(principal, deviceId, body),
      {
        transform({ principal, params }) {
          service.existing(principal.orgId, params.deviceId);
        },
        body: changeJson(UpdateDeviceBody, UpdateDeviceDocument),
        detail: {
          summary: "Change a device's name, location, connection or driver",
          description:
            "Another `transport` comes with its `connectionParams`. What waits stays and is done at " +
            "the new address. A driver cannot tell what became of what another one began: `driver` " +
            "is refused while a command is at the device.",
          responses: {
            ...success(DeviceRecord),
            ...refusals({
              409:
                "A device is registered at this address, the device is simulated and has none, " +
                "somebody else has just changed where it is, or a command is at it and another " +
                "driver was asked for",
            }),
          },
        },
      },
    )
    .post(
      "/devices/:deviceId/release",
      ({ principal, params: { deviceId }, body }) =>
        service.release(principal, deviceId, body.controllerId),
      {
        transform({ principal, params }) {
          service.existing(principal.orgId, params.deviceId);
        },
        body: json(ReleaseDeviceBody),
        detail: {
          summary: "Take a device from its controller",
          description:
            "Names the device's current controller, else 403. The next controller that announces " +
            "the device owns it; the built-in one only after managedBy was set to builtin again.",
          responses: {
            ...success(DeviceRecord),
            ...refusals({ 409: "The device is simulated: the gateway itself serves it" }),
          },
        },
      },
    )
    .delete(
      "/devices/:deviceId",
      async ({ principal, params: { deviceId } }) => {
        await service.remove(principal, deviceId);
        return noContent();
      },
      {
        transform({ principal, params }) {
          service.requireRemovable(principal, params.deviceId);
        },
        detail: {
          summary: "Remove a device for good",
          description:
            "Its commands that are not final become failed with E903. A simulated one, whose memory " +
            "goes with it, takes a login: 403 for a key.",
          responses: DONE,
        },
      },
    );
}

function acceptingRoutes(service: DeviceService) {
  return ownerRoutes(TAG)
    .post(
      "/devices/:deviceId/accept-state",
      ({ principal, params: { deviceId } }) => service.acceptState(principal, deviceId),
      {
        detail: {
          summary: "Accept that a printer is ahead of the gateway's state",
          description:
            "Clears the alerts state_restored and documents_unknown: what the printer has told is " +
            "known from then on. What waited on a printer that was held ends as unknown, and a person " +
            "settles it; then the printer goes on.",
          responses: {
            ...success(DeviceRecord),
            ...refusals({ 409: "The printer is not ahead of the state" }),
          },
        },
      },
    )
    .post(
      "/devices/:deviceId/accept-printer",
      ({ principal, params: { deviceId } }) => service.acceptPrinter(principal, deviceId),
      {
        detail: {
          summary: "Accept the printer that stands in the place of a device's own",
          description:
            "Clears the alert other_printer: the printer was exchanged for good. The device has its " +
            "numbers from then on, and what waits is printed there. Where that printer is registered " +
            "as another device, the two exchange their addresses instead.",
          responses: {
            ...success(DeviceRecord),
            ...refusals({
              409:
                "No other printer was found there, it was accepted just now, or another controller " +
                "serves its own device",
            }),
          },
        },
      },
    );
}

function portsRoute(listPorts: () => SerialPortInfo[]) {
  return scopedRoutes("devices:read", TAG).get("/devices/ports", () => ({ ports: listPorts() }), {
    detail: {
      summary: "List the serial ports of the appliance",
      description: "With what is plugged into each, as USB tells it; in use or not.",
      responses: success(PortsAnswer),
    },
  });
}

function readingRoutes(service: DeviceService) {
  const severity = query({ severity: choice(ALERT_SEVERITIES) });
  return scopedRoutes("devices:read", TAG)
    .get("/devices", ({ principal, query: filter }) => service.list(principal.orgId, filter), {
      query: query({ status: choice(DEVICE_STATUSES), locationId: text(), controllerId: text() }),
      detail: { summary: "List devices", responses: success(Type.Array(DeviceRecord)) },
    })
    .get("/devices/statuses", ({ principal }) => service.statuses(principal.orgId), {
      detail: {
        summary: "Get the status of every device",
        responses: success(DeviceStatusesAnswer),
      },
    })
    .get(
      "/devices/alerts",
      ({ principal, query }) => service.allAlerts(principal.orgId, query.severity),
      {
        query: severity,
        detail: { summary: "Get the alerts of every device", responses: success(AlertsAnswer) },
      },
    )
    .get(
      "/devices/:deviceId",
      ({ principal, params: { deviceId } }) => service.get(principal.orgId, deviceId),
      { detail: { summary: "Get a device", responses: success(DeviceRecord) } },
    )
    .get(
      "/devices/:deviceId/status",
      ({ principal, params: { deviceId } }) => service.status(principal.orgId, deviceId),
      {
        detail: {
          summary: "Get the status of a device",
          description: "effectiveStatus is the only value to rely on.",
          responses: success(DeviceStatusAnswer),
        },
      },
    )
    .get(
      "/devices/:deviceId/connection-history",
      ({ principal, params: { deviceId } }) => service.connectionHistory(principal.orgId, deviceId),
      {
        detail: {
          summary: "List when a device was connected and disconnected",
          description: "The latest 20 events, newest first; kept for 7 days.",
          responses: success(ConnectionHistoryAnswer),
        },
      },
    )
    .get(
      "/devices/:deviceId/alerts",
      ({ principal, params: { deviceId }, query }) =>
        service.alerts(principal.orgId, deviceId, query.severity),
      {
        transform({ principal, params }) {
          service.existing(principal.orgId, params.deviceId);
        },
        query: severity,
        detail: { summary: "Get the alerts of a device", responses: success(DeviceAlertsAnswer) },
      },
    );
}
