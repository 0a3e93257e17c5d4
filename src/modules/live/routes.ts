/** The routes of `table.ts`: each sends one command to a device and answers with how it ended. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { CATALOGUE, effectOf, waitsForPerson } from "#core/command/catalogue.ts";
import { PAYLOAD_DEPTH_MAX } from "#core/limits.ts";
import { DateTime } from "#core/schema-parts.ts";
import { scopedRoutes } from "../../http/access.ts";
import { refusals, success, tellIgnoredKey } from "../../http/answers.ts";
import { BEYOND_SALE, QUEUES_COMMAND } from "../../http/listed-route.ts";
import { json } from "../../http/request-body.ts";
import type { LiveService } from "./service.ts";
import { LIVE_ROUTES, type LiveRoute } from "./table.ts";

/** The routes over the service. */
export function liveRoutes(service: LiveService) {
  const routes = new Elysia();
  for (const [scope, rows] of Map.groupBy(LIVE_ROUTES, (row) => row.scope)) {
    routes.use(routesOf(service, scope, rows));
  }
  return routes;
}

function routesOf(service: LiveService, scope: LiveRoute["scope"], rows: readonly LiveRoute[]) {
  const routes = scopedRoutes(scope, "Live");
  for (const row of rows) {
    const { method, path, type, waitMs, answer } = row;
    routes.route(
      method,
      `/devices/:deviceId/${path}`,
      async ({ status, principal, params, body }) => {
        const { deviceId = "" } = params;
        const asked = row.body ? row.body.read(body) : { type, payload: {} };
        const command = await service.run(principal, { deviceId, ...asked, waitMs });
        const timestamp = service.timestamp();
        return status(row.status, {
          ...answer.fields(command, service.reportOf),
          deviceId,
          timestamp,
          ...(command.simulated && { simulated: true }),
        });
      },
      {
        transform({ request, principal, params: { deviceId = "" } }) {
          if (method !== "GET") tellIgnoredKey(request);
          service.requireDevice(principal, deviceId);
        },
        ...(row.body && { body: json(Type.Object({}), row.body, PAYLOAD_DEPTH_MAX) }),
        detail: { ...QUEUES_COMMAND, ...documentOf(row) },
      },
    );
  }
  return routes;
}

function documentOf({ type, status, answer, waitMs }: LiveRoute) {
  const { summary } = CATALOGUE[type];
  const isRead = effectOf(type) === "none";
  const shown = Type.Object({
    ...answer.schema.properties,
    deviceId: Type.String(),
    timestamp: DateTime,
    simulated: Type.Optional(
      Type.Literal(true, { description: "Of a printer that the gateway simulates" }),
    ),
  });
  return {
    summary,
    description:
      `Sends \`${type}\` to the device and waits for its end, at most ${waitMs / 1_000} s. ` +
      "The command is listed under `/commands` like any other.",
    responses: {
      ...success(shown, status === 201 ? { status } : {}),
      ...refusals({
        404: "There is no such device",
        ...(!isRead && {
          409:
            "It may have been done: `details` name the `commandId`, its `outcome`, and the " +
            "`errorCode` and `errorMessage` where it has failed. Not to be repeated unseen",
        }),
        422:
          "The device answered with an error: `details` name the `commandId`, `errorCode`, " +
          "`errorMessage` and, of what tells one, the `outcome`" +
          (type === "print_reversal_receipt" ? `. Or it was not queued: ${BEYOND_SALE}` : ""),
        ...(isRead && { 500: "The device answered without what was asked for" }),
        503:
          "Not done, and may be asked again: the device is out of reach, or had no time. " +
          "`details` as with 422 once a command was queued" +
          (waitsForPerson(type)
            ? ". At once, with `errorCode` E500 and nothing queued, while a person must first say " +
              "what became of an earlier document: the message names its command"
            : ""),
      }),
    },
  };
}
