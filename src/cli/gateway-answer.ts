/** Answers of the running gateway, which may be of another version than this program. */

import { FormatRegistry, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { HealthAnswer } from "../modules/health/schema.ts";

// The schemas of answers name this format; the server's library knows it, which is not loaded here.
FormatRegistry.Set("date-time", (text) => !Number.isNaN(Date.parse(text)));

/** How long the gateway, which is on this machine, may take for an answer. */
export const ANSWER_LIMIT_MS = 10_000;

/** A value as the schema has it. @throws Error when it is not */
export function readAnswer<S extends TSchema>(schema: S, value: unknown): Static<S> {
  return Value.Parse(schema, value);
}

/**
 * Asks the gateway what needs no credential, as `/health`.
 * @param token of the person at the box: behind a proxy, the machine itself is a stranger without it
 * @throws Error when it does not answer in time
 */
export function askOpenly(origin: string, path: string, token?: string): Promise<Response> {
  return fetch(`${origin}${path}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    // A proxy for the way out would look for this machine on its own.
    proxy: false,
  });
}

/**
 * How the gateway says that it is, well or not.
 * @param token as for `askOpenly`; reasons and folders are left out where it is not known who asks
 * @throws Error when it does not say, or not in time
 */
export async function askHealth(
  origin: string,
  token?: string,
): Promise<Static<typeof HealthAnswer>> {
  return readAnswer(HealthAnswer, await (await askOpenly(origin, "/health", token)).json());
}
