/** Routes below `/devices` that manage devices; those that talk to one are elsewhere. */

import { Type } from "@sinclair/typebox";
import { actorOf, type Principal } from "#core/access.ts";
import { ALERT_SEVERITIES } from "#core/device/alerts.ts";
import { DEVICE_STATUSES } from "#core/device/connectivity.ts";
import type { SerialPortInfo } from "#core/device/serial-port.ts";
import { choice, text } from "../../http/query.ts";
import { requireAny } from "../../http/require-any.ts";
import { type Route, type RouteGroup, scopedRoute } from "../../http/route.ts";
import {
  AlertsAnswer,
  CreateDeviceBody,
  CreateDeviceDocument,
  DeviceAlertsAnswer,
  DeviceRecord,
  DeviceStatusAnswer,
  DeviceStatusesAnswer,
  PortsAnswer,
  UpdateDeviceBody,
  UpdateDeviceDocument,
} from "./schema.ts";
import type { DeviceCaller, DeviceService } from "./service.ts";

/** The routes over the service. */
export function deviceRoutes(
  service: DeviceService,
  listPorts: () => SerialPortInfo[],
): RouteGroup {
  return {
    tag: "Devices",
    routes: [...writingRoutes(service), portsRoute(listPorts), ...readingRoutes(service)],
  };
}

function callerOf(principal: Principal): DeviceCaller {
  return { orgId: principal.orgId, actor: actorOf(principal) };
}

function writingRoutes(service: DeviceService): Route[] {
  return [
    scopedRoute("devices:write", {
      method: "POST",
      path: "/devices",
      summary: "Register a device",
      description: "The plan's cap is checked before the body.",
      status: 201,
      body: CreateDeviceBody,
      document: { body: CreateDeviceDocument },
      response: DeviceRecord,
      handle({ principal, body }) {
        service.requireRoom(principal.orgId);
        return service.create(callerOf(principal), body());
      },
    }),
    scopedRoute("devices:write", {
      method: "PATCH",
      path: "/devices/:deviceId",
      summary: "Change a device's name, location or connection",
      body: UpdateDeviceBody,
      document: { body: UpdateDeviceDocument },
      response: DeviceRecord,
      handle({ principal, params, body }) {
        service.existing(principal.orgId, params.deviceId);
        const change = requireAny(body(), ["name", "connectionParams", "locationId", "managedBy"]);
        return service.update(callerOf(principal), params.deviceId, change);
      },
    }),
    scopedRoute("devices:write", {
      method: "DELETE",
      path: "/devices/:deviceId",
      summary: "Remove a device for good",
      description: "Its commands that are not final become failed with E903.",
      status: 204,
      handle: ({ principal, params }) => service.remove(callerOf(principal), params.deviceId),
    }),
  ];
}

function portsRoute(listPorts: () => SerialPortInfo[]): Route {
  return scopedRoute("devices:read", {
    method: "GET",
    path: "/devices/ports",
    summary: "List the serial ports of the appliance",
    description: "With what is plugged into each, as USB tells it; in use or not.",
    response: PortsAnswer,
    handle: () => ({ ports: listPorts() }),
  });
}

function readingRoutes(service: DeviceService): Route[] {
  return [
    scopedRoute("devices:read", {
      method: "GET",
      path: "/devices",
      summary: "List devices",
      query: { status: choice(DEVICE_STATUSES), locationId: text(), controllerId: text() },
      response: Type.Array(DeviceRecord),
      handle: ({ principal, query }) => service.list(principal.orgId, query()),
    }),
    scopedRoute("devices:read", {
      method: "GET",
      path: "/devices/statuses",
      summary: "Get the status of every device",
      response: DeviceStatusesAnswer,
      handle: ({ principal }) => service.statuses(principal.orgId),
    }),
    scopedRoute("devices:read", {
      method: "GET",
      path: "/devices/alerts",
      summary: "Get the alerts of every device",
      query: { severity: choice(ALERT_SEVERITIES) },
      response: AlertsAnswer,
      handle: ({ principal, query }) => service.allAlerts(principal.orgId, query().severity),
    }),
    scopedRoute("devices:read", {
      method: "GET",
      path: "/devices/:deviceId",
      summary: "Get a device",
      response: DeviceRecord,
      handle: ({ principal, params }) => service.get(principal.orgId, params.deviceId),
    }),
    scopedRoute("devices:read", {
      method: "GET",
      path: "/devices/:deviceId/status",
      summary: "Get the status of a device",
      description: "effectiveStatus is the only value to rely on.",
      response: DeviceStatusAnswer,
      handle: ({ principal, params }) => service.status(principal.orgId, params.deviceId),
    }),
    scopedRoute("devices:read", {
      method: "GET",
      path: "/devices/:deviceId/alerts",
      summary: "Get the alerts of a device",
      query: { severity: choice(ALERT_SEVERITIES) },
      response: DeviceAlertsAnswer,
      handle({ principal, params, query }) {
        service.existing(principal.orgId, params.deviceId);
        return service.alerts(principal.orgId, params.deviceId, query().severity);
      },
    }),
  ];
}
