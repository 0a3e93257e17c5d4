/** Routes below `/auth`. */

import { publicRoutes, sourceOf, userRoutes } from "../../http/access.ts";
import { DONE, noContent, success } from "../../http/answers.ts";
import { json } from "../../http/request-body.ts";
import {
  ChangePasswordBody,
  IdentityAnswer,
  LoginBody,
  RefreshBody,
  RegisterBody,
  SessionAnswer,
} from "./schema.ts";
import type { AuthService } from "./service.ts";

const TAG = "Authentication";

/** The routes over the service. */
export function authRoutes(service: AuthService) {
  return publicRoutes(TAG)
    .post(
      "/auth/register",
      async ({ request, body, status }) =>
        status(201, await service.register(body, sourceOf(request))),
      {
        transform({ request }) {
          service.requireRegistration(sourceOf(request));
        },
        body: json(RegisterBody),
        detail: {
          summary: "Register an organization with its owner",
          description:
            "Open until the first organization exists, unless configured otherwise. The first " +
            "one needs the set-up code, unless it is registered at the machine itself.",
          responses: success(SessionAnswer, { status: 201 }),
        },
      },
    )
    .post("/auth/login", ({ body }) => service.login(body), {
      body: json(LoginBody),
      detail: { summary: "Log in", responses: success(SessionAnswer) },
    })
    .post("/auth/refresh", ({ body }) => service.refresh(body.refreshToken), {
      body: json(RefreshBody),
      detail: {
        summary: "Exchange a refresh token for new tokens",
        description: "Each refresh token works once; using it again ends the session.",
        responses: success(SessionAnswer),
      },
    })
    .post(
      "/auth/logout",
      async ({ body }) => {
        await service.logout(body.refreshToken);
        return noContent();
      },
      { body: json(RefreshBody), detail: { summary: "End a session", responses: DONE } },
    )
    .use(loginRoutes(service));
}

function loginRoutes(service: AuthService) {
  return userRoutes("operator", TAG)
    .get("/auth/me", ({ principal }) => service.me(principal), {
      detail: { summary: "Who is logged in", responses: success(IdentityAnswer) },
    })
    .post(
      "/auth/change-password",
      async ({ principal, body }) => {
        await service.changePassword(principal, body);
        return noContent();
      },
      {
        body: json(ChangePasswordBody),
        detail: {
          summary: "Change the own password and end the other sessions",
          responses: DONE,
        },
      },
    );
}
