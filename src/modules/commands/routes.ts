/** `/commands` and `/devices/{deviceId}/commands`. */

import type { Principal } from "#core/access.ts";
import { COMMAND_TYPES } from "#core/command/catalogue.ts";
import { COMMAND_STATUSES } from "#core/command/command.ts";
import { WAIT_SECONDS_MAX } from "#core/limits.ts";
import type { Transaction } from "#db/writer.ts";
import { choice, instant, integer, pagination, text } from "../../http/query.ts";
import { type RouteGroup, scopedRoute } from "../../http/route.ts";
import type { RunOnce } from "../idempotency/once.ts";
import {
  COMMAND_SCHEMAS,
  DeviceSubmissionDocument,
  IdempotencyHeader,
  SubmissionDocument,
} from "./document.ts";
import {
  CommandAnswer,
  CommandBody,
  CommandList,
  CommandRecordSchema,
  DeviceCommandBody,
  ResolveBody,
  toCommandRecord,
} from "./schema.ts";
import type { CommandService, Submission } from "./service.ts";

/** The routes of the module. */
export function commandRoutes(service: CommandService, runOnce: RunOnce): RouteGroup {
  /** Checks now; the returned operation stores, and answers with the record as accepted. */
  const submission = (principal: Principal, asked: Submission) => {
    const command = service.prepare(principal, asked, principal.kind === "key" ? "api" : "portal");
    const record = toCommandRecord(command);
    return (tx: Transaction) => {
      service.store(tx, principal, command);
      return record;
    };
  };
  return {
    tag: "Commands",
    schemas: COMMAND_SCHEMAS,
    routes: [
      scopedRoute("commands", {
        method: "POST",
        path: "/devices/:deviceId/commands",
        summary: "Queue a command for a device",
        status: 201,
        body: DeviceCommandBody,
        document: { body: DeviceSubmissionDocument },
        response: CommandRecordSchema,
        handle({ principal, params, bodyText, body }) {
          const { deviceId } = params;
          return runOnce({
            orgId: principal.orgId,
            key: null,
            bodyText,
            prepare() {
              service.requireDevice(principal, deviceId);
              const { type, payload } = body();
              const asked = { deviceId, type, payload, idempotencyKey: null };
              const store = submission(principal, asked);
              return (tx) => ({ status: 201, body: store(tx) });
            },
          });
        },
      }),
      scopedRoute("commands", {
        method: "POST",
        path: "/commands",
        summary: "Queue a command, once for each Idempotency-Key",
        status: 202,
        body: CommandBody,
        document: { body: SubmissionDocument, headers: IdempotencyHeader },
        response: CommandAnswer,
        handle({ request, principal, bodyText, body }) {
          const key = request.headers.get("idempotency-key") || null;
          return runOnce({
            orgId: principal.orgId,
            key,
            bodyText,
            prepare() {
              const store = submission(principal, { ...body(), idempotencyKey: key });
              return (tx) => ({ status: 202, body: { command: store(tx) } });
            },
          });
        },
      }),
      scopedRoute("commands", {
        method: "GET",
        path: "/commands",
        summary: "List commands",
        query: {
          deviceId: text(),
          status: choice(COMMAND_STATUSES),
          type: choice(COMMAND_TYPES),
          from: instant(),
          to: instant(),
          ...pagination(["createdAt", "updatedAt"]),
        },
        response: CommandList,
        handle({ principal, query }) {
          const { limit, startAfter, sortBy, sortOrder, ...filter } = query();
          return service.list(principal.orgId, filter, {
            limit,
            startAfter,
            sortBy,
            order: sortOrder,
          });
        },
      }),
      scopedRoute("commands", {
        method: "GET",
        path: "/commands/:commandId",
        summary: "Get a command; wait for its end with ?wait=seconds",
        query: { wait: integer({ minimum: 0, maximum: WAIT_SECONDS_MAX, initial: 0 }) },
        response: CommandAnswer,
        async handle({ principal, params, query }) {
          const command = await service.get(principal.orgId, params.commandId, 0);
          const { wait } = query();
          if (wait === 0) return { command };
          return { command: await service.get(principal.orgId, params.commandId, wait * 1_000) };
        },
      }),
      scopedRoute("commands", {
        method: "DELETE",
        path: "/commands/:commandId",
        summary: "Cancel a pending command",
        response: CommandAnswer,
        async handle({ principal, params }) {
          return { command: await service.cancel(principal.orgId, params.commandId) };
        },
      }),
      scopedRoute("commands", {
        method: "POST",
        path: "/commands/:commandId/resolve",
        summary: "Say what became of a fiscal document in doubt",
        description: "Clears the alert outcome_unknown; fiscal documents of the device go on.",
        body: ResolveBody,
        response: CommandAnswer,
        async handle({ principal, params, body }) {
          await service.get(principal.orgId, params.commandId, 0);
          return { command: await service.settle(principal, params.commandId, body()) };
        },
      }),
    ],
  };
}
