/** Routes below `/auth`. */

import { publicRoute, type RouteGroup, userRoute } from "../../http/route.ts";
import {
  ChangePasswordBody,
  IdentityAnswer,
  LoginBody,
  RefreshBody,
  RegisterBody,
  SessionAnswer,
} from "./schema.ts";
import type { AuthService } from "./service.ts";

/** The routes over the service. */
export function authRoutes(service: AuthService): RouteGroup {
  return {
    tag: "Authentication",
    routes: [
      publicRoute({
        method: "POST",
        path: "/auth/register",
        summary: "Register an organization with its owner",
        description: "Open until the first organization exists, unless configured otherwise.",
        status: 201,
        body: RegisterBody,
        response: SessionAnswer,
        handle: ({ body }) => service.register(body()),
      }),
      publicRoute({
        method: "POST",
        path: "/auth/login",
        summary: "Log in",
        body: LoginBody,
        response: SessionAnswer,
        handle: ({ body }) => service.login(body()),
      }),
      publicRoute({
        method: "POST",
        path: "/auth/refresh",
        summary: "Exchange a refresh token for new tokens",
        description: "Each refresh token works once; using it again ends the session.",
        body: RefreshBody,
        response: SessionAnswer,
        handle: ({ body }) => service.refresh(body().refreshToken),
      }),
      publicRoute({
        method: "POST",
        path: "/auth/logout",
        summary: "End a session",
        status: 204,
        body: RefreshBody,
        handle: ({ body }) => service.logout(body().refreshToken),
      }),
      userRoute("operator", {
        method: "GET",
        path: "/auth/me",
        summary: "Who is logged in",
        response: IdentityAnswer,
        handle: ({ principal }) => service.me(principal),
      }),
      userRoute("operator", {
        method: "POST",
        path: "/auth/change-password",
        summary: "Change the own password and end the other sessions",
        status: 204,
        body: ChangePasswordBody,
        handle: ({ principal, body }) => service.changePassword(principal, body()),
      }),
    ],
  };
}
