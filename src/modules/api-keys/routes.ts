/** Routes below `/org/api-keys`: for logins only, so that no key can make another one. */

import { Type } from "@sinclair/typebox";
import { requireAny } from "../../http/require-any.ts";
import { type RouteGroup, userRoute } from "../../http/route.ts";
import { CreatedKey, CreateKeyBody, KeyRecord, RotatedKey, UpdateKeyBody } from "./schema.ts";
import { type ApiKeyService, callerOf } from "./service.ts";

/** The routes over the service. */
export function apiKeyRoutes(service: ApiKeyService): RouteGroup {
  return {
    tag: "API keys",
    routes: [
      userRoute("operator", {
        method: "GET",
        path: "/org/api-keys",
        summary: "List API keys, newest first",
        response: Type.Array(KeyRecord),
        handle: ({ principal }) => service.list(principal.orgId),
      }),
      userRoute("admin", {
        method: "POST",
        path: "/org/api-keys",
        summary: "Create an API key",
        description: "The key's text is in this answer and nowhere else.",
        status: 201,
        body: CreateKeyBody,
        response: CreatedKey,
        handle({ principal, body }) {
          service.requirePlan(principal.orgId);
          return service.create(callerOf(principal), body());
        },
      }),
      userRoute("admin", {
        method: "PATCH",
        path: "/org/api-keys/:keyId",
        summary: "Rename, deactivate or reactivate an API key",
        body: UpdateKeyBody,
        response: KeyRecord,
        handle({ principal, params, body }) {
          service.get(principal.orgId, params.keyId);
          const { label, active } = requireAny(body(), ["label", "active"]);
          return service.update(callerOf(principal), params.keyId, {
            ...(label === undefined ? {} : { label }),
            ...(active === undefined ? {} : { active }),
          });
        },
      }),
      userRoute("admin", {
        method: "POST",
        path: "/org/api-keys/:keyId/rotate",
        summary: "Replace an API key by a new one with the same rights",
        status: 201,
        response: RotatedKey,
        handle: ({ principal, params }) => service.rotate(callerOf(principal), params.keyId),
      }),
      userRoute("admin", {
        method: "DELETE",
        path: "/org/api-keys/:keyId",
        summary: "Revoke an API key for good",
        status: 204,
        handle: ({ principal, params }) => service.revoke(callerOf(principal), params.keyId),
      }),
    ],
  };
}
