/** `/commands` and `/devices/{deviceId}/commands`. */

import type { Principal } from "#core/access.ts";
import { COMMAND_TYPES } from "#core/command/catalogue.ts";
import { COMMAND_STATUSES } from "#core/command/command.ts";
import { WAIT_SECONDS_MAX } from "#core/limits.ts";
import { COMMAND_SORTS } from "#db/stores/command-list.ts";
import { scopedRoutes } from "../../http/access.ts";
import { refusals, success, tellIgnoredKey } from "../../http/answers.ts";
import { BEYOND_SALE, QUEUES_COMMAND } from "../../http/listed-route.ts";
import { choice, choices, integer, pagination, period, query, text } from "../../http/query.ts";
import { json, lateJson } from "../../http/request-body.ts";
import type { Operation, Performed, RunOnce } from "../idempotency/once.ts";
import { answeredElsewhere, IDEMPOTENCY_HEADER, NOT_YOURS_TO_READ } from "../idempotency/schema.ts";
import { DeviceSubmissionDocument, SubmissionDocument } from "./document.ts";
import {
  CommandAnswer,
  CommandBody,
  CommandList,
  type CommandRecord,
  CommandRecordSchema,
  DeviceCommandBody,
  ResolveBody,
  toCommandRecord,
} from "./schema.ts";
import type { CommandService, Submission } from "./service.ts";

/** The routes of the module. */
export function commandRoutes(service: CommandService, runOnce: RunOnce) {
  return submissionRoutes(service, runOnce)
    .get(
      "/commands",
      ({ principal, query: { limit, startAfter, sortBy, sortOrder, ...filter } }) =>
        service.list(principal.orgId, filter, { limit, startAfter, sortBy, sortOrder }),
      {
        query: query({
          deviceId: text(),
          status: choice(COMMAND_STATUSES),
          type: choices(COMMAND_TYPES, ["z_report", "cash_in", "cash_out"]),
          ...period(),
          ...pagination(COMMAND_SORTS),
        }),
        detail: {
          summary: "List commands",
          description: "Of one type, or of any of several: `?type=z_report,cash_in,cash_out`.",
          responses: success(CommandList),
        },
      },
    )
    .get(
      "/commands/:commandId",
      async ({ principal, params: { commandId }, query: { wait } }) => ({
        command: await service.get(principal.orgId, commandId, wait * 1_000),
      }),
      {
        transform({ principal, params }) {
          service.requireCommand(principal.orgId, params.commandId);
        },
        query: query({ wait: integer({ minimum: 0, maximum: WAIT_SECONDS_MAX, initial: 0 }) }),
        detail: {
          summary: "Get a command; wait for its end with ?wait=seconds",
          responses: success(CommandAnswer),
        },
      },
    )
    .delete(
      "/commands/:commandId",
      async ({ principal, params: { commandId } }) => ({
        command: await service.cancel(principal, commandId),
      }),
      {
        detail: {
          summary: "Cancel a pending command",
          responses: {
            ...success(CommandAnswer),
            ...refusals({
              409:
                "The command is not pending any more. A connected app has it as soon as its turn comes, " +
                "also while its printer is off",
            }),
          },
        },
      },
    )
    .post(
      "/commands/:commandId/resolve",
      async ({ principal, params: { commandId }, body }) => ({
        command: await service.settle(principal, commandId, body),
      }),
      {
        transform({ principal, params }) {
          service.requireCommand(principal.orgId, params.commandId);
        },
        body: json(ResolveBody),
        detail: {
          summary: "Say what became of a fiscal document in doubt",
          description:
            "Clears the alert outcome_unknown; what waits for it on the device goes on. The number of a " +
            "receipt that was called printed can be said anew, as long as its printer has proven none and " +
            "nothing takes the sale back.",
          responses: {
            ...success(CommandAnswer),
            ...refusals({
              409: "The outcome is not open, or not open for a person yet; or the number is another receipt's, or stays",
            }),
          },
        },
      },
    );
}

function submissionRoutes(service: CommandService, runOnce: RunOnce) {
  /** Checks now; the returned operation stores, and `answer` is given the record as accepted. */
  const submission = (
    principal: Principal,
    asked: Submission,
    answer: (record: CommandRecord) => Performed,
  ): Operation => {
    const command = service.prepare(principal, asked, principal.kind === "key" ? "api" : "portal");
    const record = toCommandRecord(command);
    return {
      run(tx) {
        service.store(tx, principal, command);
        return { ...answer(record), commandId: record.id };
      },
      write: (operation) => service.storing(command, operation),
    };
  };
  return scopedRoutes("commands", "Commands")
    .post(
      "/devices/:deviceId/commands",
      ({ request, principal, params: { deviceId }, body }) =>
        runOnce({ request, principal, body, ignoresKey: true }, (command, idempotencyKey) => {
          const asked = { deviceId, ...command, idempotencyKey };
          return submission(principal, asked, (record) => ({ status: 201, body: record }));
        }),
      {
        transform({ request, principal, params }) {
          tellIgnoredKey(request);
          service.requireDevice(principal, params.deviceId);
        },
        body: lateJson(DeviceCommandBody, DeviceSubmissionDocument),
        detail: {
          ...QUEUES_COMMAND,
          summary: "Queue a command for a device",
          responses: {
            ...success(CommandRecordSchema, { status: 201 }),
            ...refusals({ 422: BEYOND_SALE }),
          },
        },
      },
    )
    .post(
      "/commands",
      ({ request, principal, body }) =>
        runOnce({ request, principal, body }, (asked, idempotencyKey) =>
          submission(principal, { ...asked, idempotencyKey }, (command) => ({
            status: 202,
            body: { command },
          })),
        ),
      {
        body: lateJson(CommandBody, SubmissionDocument),
        detail: {
          ...QUEUES_COMMAND,
          summary: "Queue a command, once for each Idempotency-Key",
          parameters: [IDEMPOTENCY_HEADER],
          responses: {
            ...success(CommandAnswer, { status: 202 }),
            ...answeredElsewhere(201),
            ...refusals({
              404: "There is no such device",
              409: `A replay of what POST /receipts answered. Or ${NOT_YOURS_TO_READ}`,
              422: BEYOND_SALE,
            }),
          },
        },
      },
    );
}
