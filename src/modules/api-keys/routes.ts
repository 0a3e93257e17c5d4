/** Routes below `/org/api-keys`: for logins only, so that no key can make another one. */

import { Type } from "@sinclair/typebox";
import { callerOf } from "#core/access.ts";
import { fullText } from "#core/org-rows.ts";
import { userRoutes } from "../../http/access.ts";
import { DONE, noContent, refusals, success } from "../../http/answers.ts";
import { changeJson, json } from "../../http/request-body.ts";
import {
  CreatedKey,
  CreateKeyBody,
  KeyRecord,
  RevokedKey,
  RotatedKey,
  UpdateKeyBody,
} from "./schema.ts";
import type { ApiKeyService } from "./service.ts";

const TAG = "API keys";

/** The routes over the service. */
export function apiKeyRoutes(service: ApiKeyService) {
  const reading = userRoutes("operator", TAG)
    .get("/org/api-keys", ({ principal }) => service.list(principal.orgId), {
      detail: {
        summary: "List API keys, newest first",
        responses: success(Type.Array(KeyRecord)),
      },
    })
    .get("/org/api-keys/revoked", ({ principal }) => service.revoked(principal.orgId), {
      detail: {
        summary: "List the API keys that were revoked, newest first",
        description: "The last hundred, by the name that each had: commands keep the id alone.",
        responses: success(Type.Array(RevokedKey)),
      },
    });
  return [reading, writingRoutes(service)];
}

function writingRoutes(service: ApiKeyService) {
  return userRoutes("admin", TAG)
    .post(
      "/org/api-keys",
      async ({ principal, body, status }) =>
        status(201, await service.create(callerOf(principal), body)),
      {
        transform({ principal }) {
          service.requirePlan(principal.orgId);
        },
        body: json(CreateKeyBody),
        detail: {
          summary: "Create an API key",
          description: "The key's text is in this answer and nowhere else.",
          responses: {
            ...success(CreatedKey, { status: 201 }),
            ...refusals({ 409: fullText("apiKeys") }),
          },
        },
      },
    )
    .patch(
      "/org/api-keys/:keyId",
      ({ principal, params: { keyId }, body }) => {
        const { label, active } = body;
        return service.update(callerOf(principal), keyId, {
          ...(label === undefined ? {} : { label }),
          ...(active === undefined ? {} : { active }),
        });
      },
      {
        transform({ principal, params }) {
          service.get(principal.orgId, params.keyId);
        },
        body: changeJson(UpdateKeyBody),
        detail: {
          summary: "Rename, deactivate or reactivate an API key",
          responses: {
            ...success(KeyRecord),
            ...refusals({ 409: "The key was replaced by rotation and stays inactive" }),
          },
        },
      },
    )
    .post(
      "/org/api-keys/:keyId/rotate",
      async ({ principal, params: { keyId }, status }) =>
        status(201, await service.rotate(callerOf(principal), keyId)),
      {
        detail: {
          summary: "Replace an API key by a new one with the same rights",
          responses: {
            ...success(RotatedKey, { status: 201 }),
            ...refusals({
              409: `The key is not active any more, or has expired. ${fullText("apiKeys")}`,
            }),
          },
        },
      },
    )
    .delete(
      "/org/api-keys/:keyId",
      async ({ principal, params: { keyId } }) => {
        await service.revoke(callerOf(principal), keyId);
        return noContent();
      },
      { detail: { summary: "Revoke an API key for good", responses: DONE } },
    );
}
