/**
 * The routes of `table.ts`: each sends one command to a device and answers with how it ended. One of
 * them is there for a command in doubt, too.
 */

import { type TProperties, Type } from "@sinclair/typebox";
import { CATALOGUE, effectOf, waitsForPerson } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { IndicationSchema } from "#core/command/indication.ts";
import { PAYLOAD_DEPTH_MAX } from "#core/limits.ts";
import { DateTime } from "#core/schema-parts.ts";
import { scopedRoutes } from "../../http/access.ts";
import { refusals, success, tellIgnoredKey } from "../../http/answers.ts";
import { BEYOND_SALE, QUEUES_COMMAND } from "../../http/listed-route.ts";
import { json } from "../../http/request-body.ts";
import type { LiveService } from "./service.ts";
import { LAST_RECEIPT, LIVE_ROUTES, type LiveRoute } from "./table.ts";

/** The routes over the service. */
export function liveRoutes(service: LiveService) {
  const byScope = [...Map.groupBy(LIVE_ROUTES, (row) => row.scope)];
  return [
    lastReceiptOfDoubt(service),
    ...byScope.map(([scope, rows]) => routesOf(service, scope, rows)),
  ];
}

interface Documented {
  readonly shown?: TProperties;
  readonly missing?: string;
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
        return status(row.status, fieldsOf(service, answer, command));
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

/** What the printer of a document in doubt tells of its last receipt, and what that says of it. */
function lastReceiptOfDoubt(service: LiveService) {
  const { type, waitMs, answer } = LAST_RECEIPT;
  const { responses, description } = documentOf(LAST_RECEIPT, {
    shown: { commandId: Type.String(), ...IndicationSchema.properties },
    missing: "There is no such command, or its device was removed",
  });
  return scopedRoutes("commands", "Live").get(
    "/commands/:commandId/last-receipt",
    async ({ principal, params: { commandId } }) => {
      const { deviceId } = service.requireCommand(principal, commandId);
      const asked = await service.run(principal, { deviceId, type, payload: {}, waitMs });
      const indication = service.indicationOf(service.requireCommand(principal, commandId), asked);
      return { ...fieldsOf(service, answer, asked), commandId, ...indication };
    },
    {
      transform({ principal, params: { commandId } }) {
        service.requireDevice(principal, service.requireCommand(principal, commandId).deviceId);
      },
      detail: {
        ...QUEUES_COMMAND,
        summary: "Ask the printer of a document in doubt for its last receipt",
        description:
          `${description} What its numbers say of the document stands beside that: a person ` +
          "decides, by the paper.",
        responses,
      },
    },
  );
}

function fieldsOf(service: LiveService, answer: LiveRoute["answer"], command: Command) {
  return {
    ...answer.fields(command, service.reportOf),
    deviceId: command.deviceId,
    timestamp: service.timestamp(),
    ...(command.simulated && { simulated: true }),
  };
}

/** @param more fields of the answer besides, and what 404 means where it is not the device alone */
function documentOf(
  { type, status, answer, waitMs }: LiveRoute,
  { shown: fields = {}, missing = "There is no such device" }: Documented = {},
) {
  const { summary } = CATALOGUE[type];
  const isRead = effectOf(type) === "none";
  const shown = Type.Object({
    ...answer.schema.properties,
    ...fields,
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
        404: missing,
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
