/**
 * The refresh token as a cookie, for pages: no script can read it, and the browser sends it nowhere
 * else. Who wants that says `X-Session: cookie`, which a page from elsewhere cannot: browsers ask
 * before they send such a header to another origin, and the answer is never yes.
 */

import { validationError } from "#core/errors.ts";
import { sourceOf } from "../../http/access.ts";
import { API_PREFIX } from "../../http/request-path.ts";
import type { AuthService } from "./service.ts";
import type { GivenRefreshToken } from "./sessions.ts";

const HEADER = "X-Session";
const COOKIE = "cookie";

/** For `detail.parameters`. */
export const SESSION_HEADER = {
  name: HEADER,
  in: "header" as const,
  required: false,
  schema: {
    type: "string" as const,
    enum: [COOKIE],
    description:
      "The refresh token travels as a cookie and in no body; for pages of this gateway, any other " +
      "`Origin` or `Host` is 403",
  },
};

/**
 * Its name. Over HTTPS it is another one, which browsers take from nobody but HTTPS: what somebody
 * on the way plants over plain HTTP is then not looked at.
 */
const NAMES = { plain: "fiscald_session", secure: "__Secure-fiscald_session" } as const;

/** A request whose refresh token is a cookie. */
export interface CookieSession {
  /** What the browser sent; undefined when it has none. */
  readonly refreshToken: string | undefined;
  readonly isSecure: boolean;
}

/** What of Elysia's context a header of the answer is set by. */
interface AnswerHeaders {
  readonly headers: Record<string, string | number>;
}

type Session = Awaited<ReturnType<AuthService["login"]>>;

/**
 * The cookie of a request that asks for one; undefined for those that do not.
 * @throws ApiError FORBIDDEN when a page from elsewhere sent it, VALIDATION_ERROR for an unknown
 * word in `X-Session`
 */
export function cookieSessionOf(request: Request): CookieSession | undefined {
  const asked = request.headers.get(HEADER) ?? "";
  if (asked === "") return undefined;
  if (asked !== COOKIE) throw validationError([{ path: HEADER, message: `Expected ${COOKIE}` }]);
  const { requireOwnNames, isSecure } = sourceOf(request);
  requireOwnNames();
  return { refreshToken: cookieOf(request.headers, nameOf(isSecure)), isSecure };
}

/**
 * The refresh token of a request; undefined for a browser that has no cookie.
 * @param inBody counts before the cookie
 * @throws ApiError VALIDATION_ERROR for a request with neither token nor `X-Session`
 */
export function givenToken(
  session: CookieSession | undefined,
  inBody: string | undefined,
): GivenRefreshToken | undefined {
  if (inBody !== undefined) return { refreshToken: inBody, isCookie: false };
  if (session === undefined) {
    const message = "Expected the refresh token, or X-Session: cookie with the cookie of a session";
    throw validationError([{ path: "refreshToken", message }]);
  }
  const { refreshToken } = session;
  return refreshToken === undefined ? undefined : { refreshToken, isCookie: true };
}

/** The answer to whoever logged in: the refresh token in it, or as a cookie. */
export function sessionAnswer(
  { answer, refreshSeconds }: Session,
  session: CookieSession | undefined,
  set: AnswerHeaders,
) {
  if (session === undefined) return answer;
  const { refreshToken, ...others } = answer;
  setCookie(set, session, { value: refreshToken, seconds: refreshSeconds });
  return others;
}

/** Has the browser forget the cookie. */
export function clearCookie(set: AnswerHeaders, session: CookieSession): void {
  setCookie(set, session, { value: "", seconds: 0 });
}

function setCookie(
  { headers }: AnswerHeaders,
  { isSecure }: CookieSession,
  { value, seconds }: { readonly value: string; readonly seconds: number },
): void {
  const parts = [
    `${nameOf(isSecure)}=${value}`,
    `Path=${API_PREFIX}/auth`,
    `Max-Age=${seconds}`,
    ...["HttpOnly", "SameSite=Strict"],
    ...(isSecure ? ["Secure"] : []),
  ];
  headers["set-cookie"] = parts.join("; ");
}

function nameOf(isSecure: boolean): string {
  return isSecure ? NAMES.secure : NAMES.plain;
}

/** The value of the first cookie of that name; undefined when there is none, or an empty one. */
function cookieOf(headers: Headers, name: string): string | undefined {
  for (const part of headers.get("cookie")?.split(";") ?? []) {
    const [own = "", value = ""] = part.split("=", 2).map((text) => text.trim());
    if (own === name) return value === "" ? undefined : value;
  }
  return undefined;
}
