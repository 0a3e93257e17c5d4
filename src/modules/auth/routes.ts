/** Routes below `/auth`. */

import { Elysia } from "elysia";
import { addressOf, publicRoutes, sourceOf, userRoutes } from "../../http/access.ts";
import { DONE, noContent, refusals, success } from "../../http/answers.ts";
import { json } from "../../http/request-body.ts";
import type { ForgottenPasswords } from "./forgotten-passwords.ts";
import {
  ChangePasswordBody,
  ForgotPasswordAnswer,
  ForgotPasswordBody,
  IdentityAnswer,
  LoginBody,
  RefreshBody,
  RegisterBody,
  ResetPasswordBody,
  SessionAnswer,
} from "./schema.ts";
import type { AuthService } from "./service.ts";

const TAG = "Authentication";

/** The routes over the service. */
export function authRoutes(service: AuthService, forgotten: ForgottenPasswords) {
  return new Elysia()
    .use(sessionRoutes(service))
    .use(forgottenRoutes(forgotten))
    .use(loginRoutes(service));
}

function sessionRoutes(service: AuthService) {
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
          responses: {
            ...success(SessionAnswer, { status: 201 }),
            ...refusals({
              403: "Registration is closed, or the set-up code is wrong",
              409: "There is a user with this email address",
            }),
          },
        },
      },
    )
    .post("/auth/login", ({ body }) => service.login(body), {
      body: json(LoginBody),
      detail: {
        summary: "Log in",
        responses: {
          ...success(SessionAnswer),
          ...refusals({ 401: "Wrong email address or password" }),
        },
      },
    })
    .post(
      "/auth/refresh",
      ({ request, body }) => service.refresh(body.refreshToken, addressOf(request)),
      {
        body: json(RefreshBody),
        detail: {
          summary: "Exchange a refresh token for new tokens",
          description: "Each refresh token works once; using it again ends the session.",
          responses: {
            ...success(SessionAnswer),
            ...refusals({ 401: "The token is used, ended, expired or unknown" }),
          },
        },
      },
    )
    .post(
      "/auth/logout",
      async ({ body }) => {
        await service.logout(body.refreshToken);
        return noContent();
      },
      { body: json(RefreshBody), detail: { summary: "End a session", responses: DONE } },
    );
}

function forgottenRoutes(service: ForgottenPasswords) {
  return publicRoutes(TAG)
    .post(
      "/auth/forgot-password",
      ({ request, body, status }) => status(202, service.ask(body.email, addressOf(request))),
      {
        body: json(ForgotPasswordBody),
        detail: {
          summary: "Ask for a code that sets a new password",
          description: "The answer is the same whether there is such a user or not.",
          responses: success(ForgotPasswordAnswer, { status: 202 }),
        },
      },
    )
    .post(
      "/auth/reset-password",
      async ({ request, body }) => {
        await service.reset(body, addressOf(request));
        return noContent();
      },
      {
        body: json(ResetPasswordBody),
        detail: {
          summary: "Set a new password by a code, and end all sessions",
          description: "Takes the code of forgot-password, or the setupToken of a new member.",
          responses: { ...DONE, ...refusals({ 401: "The code is wrong, used or expired" }) },
        },
      },
    );
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
