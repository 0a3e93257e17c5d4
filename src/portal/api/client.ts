/** The gateway's API, asked as whoever is signed in. */

import { createClient, GatewayError } from "../../client/index.ts";
import { fetchBox, isOfBox } from "./box-answer.ts";
import { noteBoxClock } from "./box-clock.ts";
import { noteSignOfLife } from "./reach.ts";
import { accessToken } from "./session.ts";

/** Longer than the longest wait a route offers. */
const ANSWER_MS = 130_000;

/** Typed access to every route: `answer(api.GET("/api/v1/org"))`; `submit` and `reverse` queue a command. */
export const { api, submit, reverse, wait } = createClient({ url: "", fetch: send });

/** With the token; once more with a new one where the gateway says that it is over. */
async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const token = await tokenFor(request);
  const response = await sendWith(request, token);
  if (response.status !== 401 || token === undefined) return response;
  return sendWith(again, await accessToken(token));
}

/** What is open to everybody, whether signed in or not; a refusal of these says nothing of a session. */
const OPEN = ["registration", "forgot-password", "reset-password"].map(
  (route) => `/api/v1/auth/${route}`,
);

async function tokenFor({ url }: Request): Promise<string | undefined> {
  return OPEN.includes(new URL(url).pathname) ? undefined : accessToken();
}

async function sendWith(request: Request, token: string | undefined): Promise<Response> {
  if (token !== undefined) request.headers.set("Authorization", `Bearer ${token}`);
  const response = await fetchBox(request, {
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(ANSWER_MS)]),
  });
  if (isOfBox(response)) {
    noteSignOfLife();
    noteBoxClock(response);
  }
  return response;
}

/** True for a refusal that is nobody's fault but the session's, which the login page explains. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof GatewayError && error.status === 401;
}
