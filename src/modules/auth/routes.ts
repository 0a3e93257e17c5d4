/** Routes below `/auth`. */

import {
  addressOf,
  FOREIGN_PAGE,
  ownPageRoutes,
  sourceOf,
  unauthorized,
  userRoutes,
} from "../../http/access.ts";
import { DONE, noContent, refusals, success } from "../../http/answers.ts";
import { changeJson, json } from "../../http/request-body.ts";
import type { ForgottenPasswords } from "./forgotten-passwords.ts";
import { registrationRoutes } from "./registration-routes.ts";
import {
  ChangePasswordBody,
  ForgotPasswordAnswer,
  ForgotPasswordBody,
  IdentityAnswer,
  LoginBody,
  LogoutBody,
  RefreshBody,
  RegisterBody,
  RenameBody,
  ResetPasswordBody,
  SessionAnswer,
  UserAnswer,
} from "./schema.ts";
import type { AuthService } from "./service.ts";
import {
  clearCookie,
  cookieSessionOf,
  givenToken,
  SESSION_HEADER,
  sessionAnswer,
} from "./session-cookie.ts";

const TAG = "Authentication";

/** The routes over the service. */
export function authRoutes(service: AuthService, forgotten: ForgottenPasswords) {
  return [
    registrationRoutes(service),
    sessionRoutes(service),
    forgottenRoutes(forgotten),
    loginRoutes(service),
  ];
}

function sessionRoutes(service: AuthService) {
  return ownPageRoutes(TAG)
    .derive(({ request }) => ({ session: cookieSessionOf(request) }))
    .post(
      "/auth/register",
      async ({ request, body, session, set, status }) =>
        status(201, sessionAnswer(await service.register(body, sourceOf(request)), session, set)),
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
          parameters: [SESSION_HEADER],
          responses: {
            ...success(SessionAnswer, { status: 201 }),
            ...refusals({
              403:
                "Registration is closed, or the set-up code is wrong, or it came from a page that is " +
                "not of this gateway",
              409: "There is a user with this email address",
            }),
          },
        },
      },
    )
    .post(
      "/auth/login",
      async ({ request, body, session, set }) =>
        sessionAnswer(await service.login(body, sourceOf(request)), session, set),
      {
        body: json(LoginBody),
        detail: {
          summary: "Log in",
          description:
            "After five wrong passwords for an account from one address, further tries from there " +
            "have to wait, longer each time: 429 with Retry-After, whether there is such an account " +
            "or not.",
          parameters: [SESSION_HEADER],
          responses: {
            ...success(SessionAnswer),
            ...refusals({ 401: "Wrong email address or password", 403: FOREIGN_PAGE }),
          },
        },
      },
    )
    .post(
      "/auth/refresh",
      async ({ request, body, session, set }) => {
        const given = givenToken(session, body.refreshToken);
        if (given === undefined) throw unauthorized("There is no session: log in");
        return sessionAnswer(await service.refresh(given, addressOf(request)), session, set);
      },
      {
        body: json(RefreshBody),
        detail: {
          summary: "Exchange a refresh token for new tokens",
          description:
            "Each refresh token works once; using it again ends the session. A cookie's may come " +
            "again within 30 seconds and is answered with the same cookie: tabs share it.",
          parameters: [SESSION_HEADER],
          responses: {
            ...success(SessionAnswer),
            ...refusals({
              401:
                "The token is used or not among the cookies, or the session is over: then " +
                "`details.reason` is ended (password, rights or sign-out elsewhere), expired, " +
                "inactive or unknown",
              403: FOREIGN_PAGE,
            }),
          },
        },
      },
    )
    .post(
      "/auth/logout",
      async ({ body, session, set }) => {
        const given = givenToken(session, body.refreshToken);
        const { everywhere = false } = body;
        if (given !== undefined) await service.logout(given.refreshToken, { everywhere });
        if (session !== undefined) clearCookie(set, session);
        return noContent();
      },
      {
        body: json(LogoutBody),
        detail: {
          summary: "End a session, or all sessions of its user",
          description: "A browser without the cookie is logged out already.",
          parameters: [SESSION_HEADER],
          responses: { ...DONE, ...refusals({ 403: FOREIGN_PAGE }) },
        },
      },
    );
}

function forgottenRoutes(service: ForgottenPasswords) {
  return ownPageRoutes(TAG)
    .post(
      "/auth/forgot-password",
      ({ request, body, status }) => status(202, service.ask(body.email, addressOf(request))),
      {
        body: json(ForgotPasswordBody),
        detail: {
          summary: "Ask for a code that sets a new password",
          description:
            "The answer is the same for every address, whether there is such a user or not; a body " +
            "without an address is 400 like any other that does not fit its schema.",
          responses: {
            ...success(ForgotPasswordAnswer, { status: 202 }),
            ...refusals({ 403: FOREIGN_PAGE }),
          },
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
          responses: {
            ...DONE,
            ...refusals({ 401: "The code is wrong, used or expired", 403: FOREIGN_PAGE }),
          },
        },
      },
    );
}

function loginRoutes(service: AuthService) {
  return userRoutes("operator", TAG)
    .get("/auth/me", ({ principal }) => service.me(principal), {
      detail: { summary: "Who is logged in", responses: success(IdentityAnswer) },
    })
    .patch(
      "/auth/me",
      async ({ principal, body }) => ({ user: await service.rename(principal, body.name) }),
      {
        body: changeJson(RenameBody),
        detail: { summary: "Change the own name", responses: success(UserAnswer) },
      },
    )
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
