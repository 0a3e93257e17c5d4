/** `/controllers`: the apps next to devices. Their WebSocket is elsewhere. */

import { callerOf } from "#core/access.ts";
import { CONTROLLER_ID_PATTERN } from "#core/limits.ts";
import { fullText } from "#core/org-rows.ts";
import { scopedRoutes } from "../../http/access.ts";
import { DONE, noContent, refusals, success } from "../../http/answers.ts";
import { MAKES_NAMED } from "../../http/listed-route.ts";
import { changeJson, json } from "../../http/request-body.ts";
import {
  ControllerRecord,
  ControllersAnswer,
  FcmTokenAnswer,
  FcmTokenBody,
  PutControllerBody,
  UpdateControllerBody,
} from "./schema.ts";
import { type ControllerService, TAKEN_NAME } from "./service.ts";

const TAG = "Controllers";
/** Of a controller that may be a new one. */
const NEW_ID = {
  name: "controllerId",
  in: "path",
  required: true,
  schema: { type: "string", pattern: CONTROLLER_ID_PATTERN },
} as const;

/** The routes over the service. */
export function controllerRoutes(service: ControllerService) {
  const reading = scopedRoutes("devices:read", TAG).get(
    "/controllers",
    ({ principal }) => service.list(principal.orgId),
    {
      detail: {
        summary: "List the controllers that are connected, and those that are known",
        description:
          "`instances` are connected, with the devices that each reaches now; the built-in one is " +
          "among them. `known` is what is kept of remote ones, connected or not.",
        responses: success(ControllersAnswer),
      },
    },
  );
  return [reading, writingRoutes(service)];
}

function writingRoutes(service: ControllerService) {
  return scopedRoutes("devices:write", TAG)
    .post(
      "/controllers/:controllerId",
      ({ principal, params: { controllerId }, body }) =>
        service.register(callerOf(principal), controllerId, body),
      {
        body: json(PutControllerBody),
        detail: {
          ...MAKES_NAMED,
          summary: "Register a controller, or replace what is known of it",
          parameters: [NEW_ID],
          description: "A push token stays, and so does a name that is not given.",
          responses: {
            ...success(ControllerRecord),
            ...refusals({ 409: `${TAKEN_NAME}. ${fullText("controllers")}` }),
          },
        },
      },
    )
    .patch(
      "/controllers/:controllerId",
      ({ principal, params: { controllerId }, body }) =>
        service.update(callerOf(principal), controllerId, body),
      {
        transform({ principal, params }) {
          service.existing(principal.orgId, params.controllerId);
        },
        body: changeJson(UpdateControllerBody),
        detail: {
          summary: "Change what is known of a controller",
          responses: success(ControllerRecord),
        },
      },
    )
    .delete(
      "/controllers/:controllerId",
      async ({ principal, params: { controllerId } }) => {
        await service.remove(callerOf(principal), controllerId);
        return noContent();
      },
      {
        detail: {
          summary: "Forget a controller",
          description:
            "Its name, place and push token are removed; its devices belong to whichever controller " +
            "announces them next. One that connects again is known again: revoke its key besides.",
          responses: {
            ...DONE,
            ...refusals({ 409: "The controller is connected" }),
          },
        },
      },
    )
    .post(
      "/controllers/:controllerId/fcm-token",
      ({ principal, params: { controllerId }, body }) =>
        service.setToken(callerOf(principal), controllerId, body.fcmToken),
      {
        body: json(FcmTokenBody),
        detail: {
          ...MAKES_NAMED,
          summary: "Register the push token that wakes a controller",
          parameters: [NEW_ID],
          description: "A new token takes the place of the old one. Nothing else is changed.",
          responses: {
            ...success(FcmTokenAnswer),
            ...refusals({ 409: `${TAKEN_NAME}. ${fullText("controllers")}` }),
          },
        },
      },
    );
}
