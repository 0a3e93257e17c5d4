/** Refusals that routes share, each declared once and referred to by the routes that give it. */

import { refusals } from "../answers.ts";
import type { ListedRoute } from "../listed-route.ts";
import { isProbe } from "../request-path.ts";
import { headersOf } from "./answer-headers.ts";

/** By the name of the component, with its status and what it means. */
const REFUSALS = {
  Invalid: [400, "The query or the body is not right"],
  Unauthorized: [401, "No valid credential"],
  Forbidden: [403, "The credential does not cover this, or the plan does not"],
  Unknown: [404, "There is no such thing in this organization"],
  Failed: [500, "The gateway is at fault; its log tells more under the `X-Request-Id`"],
  Unavailable: [503, "The gateway starts, stops or cannot write: try again, see `/health`"],
} as const;

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
  ...Object.fromEntries(
    Object.entries(REFUSALS).map(([name, [status, meaning]]) => [
      name,
      {
        ...refusals({ [status]: meaning })[status],
        headers: headersOf(`${status}`, { isKeyed: true }),
      },
    ]),
  ),
};

/** What of them a route answers; what it declares itself goes before. */
export function sharedAnswersOf({ path, hooks }: ListedRoute): Record<string, unknown> {
  const { kind = "everybody" } = hooks.detail?.["x-access"] ?? {};
  const isOpen = kind === "everybody";
  return {
    ...((hooks.body ?? hooks.query) !== undefined && { 400: sharedAnswer("Invalid") }),
    ...(!isOpen && { 401: sharedAnswer("Unauthorized"), 403: sharedAnswer("Forbidden") }),
    ...(path.includes(":") &&
      hooks.detail?.["x-makes-named"] !== true && { 404: sharedAnswer("Unknown") }),
    // Probes are not counted, and answer while nothing else does.
    ...(!isProbe(path) && { 429: sharedAnswer("RateLimited"), 503: sharedAnswer("Unavailable") }),
    500: sharedAnswer("Failed"),
    default: { $ref: "#/components/responses/Error" },
  };
}

function sharedAnswer(name: Name) {
  return { $ref: `#/components/responses/${name}` };
}
