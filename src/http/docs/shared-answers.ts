/** Refusals that routes share, each declared once and referred to by the routes that give it. */

import { refusals } from "../answers.ts";
import type { ListedRoute } from "../listed-route.ts";
import { isProbe } from "../request-path.ts";
import { RequestReader } from "../request-reader.ts";
import { headersOf, type KeyRole } from "./answer-headers.ts";

/** By the name of the component, with its status and what it means. */
const REFUSALS = {
  Invalid: [400, "The query or the body is not right"],
  Unauthorized: [401, "No valid credential"],
  Forbidden: [403, "The credential does not cover this, or the plan does not"],
  Unknown: [404, "There is no such thing in this organization"],
  Failed: [500, "The gateway is at fault; its log tells more under the `X-Request-Id`"],
  Unavailable: [503, "The gateway starts, stops or cannot write: try again, see `/health`"],
} as const;

/** Those that come after the key was looked at. */
const KEYED: readonly string[] = ["Invalid", "Unknown", "Failed", "Unavailable"];

type Name = keyof typeof REFUSALS | "RateLimited";

/** For `components.responses`. */
export const SHARED_ANSWERS = {
  Error: {
    description: "Refused or failed; the code says why",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  },
  RateLimited: {
    headers: headersOf("429", {}),
    description: "`RATE_LIMIT_EXCEEDED`: too many requests in the window; wait for `Retry-After`",
    content: { "application/json": { schema: { $ref: "#/components/schemas/RateLimited" } } },
  },
  ...refusalsWith(undefined),
  ...refusalsWith("once"),
  ...refusalsWith("ignored"),
};

/** The refusals of routes on which a key has a role, those included whose headers it has no say in. */
function refusalsWith(key: KeyRole | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(REFUSALS).map(([name, [status, meaning]]) => [
      componentOf(name, key),
      { ...refusals({ [status]: meaning })[status], headers: headersOf(`${status}`, { key }) },
    ]),
  );
}

/** `Invalid`, `InvalidOnce` or `InvalidKeyIgnored`. */
function componentOf(name: string, key: KeyRole | undefined): string {
  if (key === undefined || !KEYED.includes(name)) return name;
  return `${name}${key === "once" ? "Once" : "KeyIgnored"}`;
}

/** What of them a route answers; what it declares itself goes before. */
export function sharedAnswersOf(
  { path, hooks }: ListedRoute,
  key: KeyRole | undefined,
): Record<string, unknown> {
  const sharedAnswer = (name: Name) => {
    return { $ref: `#/components/responses/${componentOf(name, key)}` };
  };
  const { kind = "everybody" } = hooks.detail?.["x-access"] ?? {};
  const isOpen = kind === "everybody";
  return {
    ...([hooks.body, hooks.query].some((read) => read instanceof RequestReader) && {
      400: sharedAnswer("Invalid"),
    }),
    ...(!isOpen && { 401: sharedAnswer("Unauthorized"), 403: sharedAnswer("Forbidden") }),
    ...(path.includes(":") &&
      hooks.detail?.["x-makes-named"] !== true && { 404: sharedAnswer("Unknown") }),
    // Probes are not counted, and answer while nothing else does.
    ...(!isProbe(path) && { 429: sharedAnswer("RateLimited"), 503: sharedAnswer("Unavailable") }),
    500: sharedAnswer("Failed"),
    default: { $ref: "#/components/responses/Error" },
  };
}
