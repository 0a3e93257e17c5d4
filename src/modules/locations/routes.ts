/** Routes below `/org/locations`. */

import { callerOf } from "#core/access.ts";
import { fullText } from "#core/org-rows.ts";
import { scopedRoutes } from "../../http/access.ts";
import { DONE, noContent, refusals, success } from "../../http/answers.ts";
import { changeJson, json } from "../../http/request-body.ts";
import { CreateLocationBody, LocationAnswer, LocationList, UpdateLocationBody } from "./schema.ts";
import type { LocationService } from "./service.ts";

const TAG = "Organization";

/** The routes over the service. */
export function locationRoutes(service: LocationService) {
  return [readingRoutes(service), writingRoutes(service)];
}

function readingRoutes(service: LocationService) {
  return scopedRoutes("devices:read", TAG)
    .get("/org/locations", ({ principal }) => service.list(principal.orgId), {
      detail: { summary: "List locations", responses: success(LocationList) },
    })
    .get(
      "/org/locations/:locationId",
      ({ principal, params: { locationId } }) => ({
        location: service.get(principal.orgId, locationId),
      }),
      { detail: { summary: "Get a location", responses: success(LocationAnswer) } },
    );
}

function writingRoutes(service: LocationService) {
  return scopedRoutes("devices:write", TAG)
    .post(
      "/org/locations",
      async ({ principal, body, status }) =>
        status(201, { location: await service.create(callerOf(principal), body) }),
      {
        body: json(CreateLocationBody),
        detail: {
          summary: "Add a location",
          description: "A device belongs to it when its locationId is the location's id.",
          responses: {
            ...success(LocationAnswer, { status: 201 }),
            ...refusals({ 409: fullText("locations") }),
          },
        },
      },
    )
    .patch(
      "/org/locations/:locationId",
      async ({ principal, params: { locationId }, body }) => ({
        location: await service.update(callerOf(principal), locationId, body),
      }),
      {
        transform({ principal, params }) {
          service.existing(principal.orgId, params.locationId);
        },
        body: changeJson(UpdateLocationBody),
        detail: { summary: "Change a location", responses: success(LocationAnswer) },
      },
    )
    .delete(
      "/org/locations/:locationId",
      async ({ principal, params: { locationId } }) => {
        await service.remove(callerOf(principal), locationId);
        return noContent();
      },
      {
        detail: {
          summary: "Remove a location",
          description:
            "While devices stand there it stays: their clocks follow its time zone. Receipts keep " +
            "their locationId.",
          responses: {
            ...DONE,
            ...refusals({ 409: "Devices stand there: `message` says how many" }),
          },
        },
      },
    );
}
