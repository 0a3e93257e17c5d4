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
 * @throws Error when it does not answer in time
 */
export function askOpenly(origin: string, path: string): Promise<Response> {
  // A proxy for the way out would look for this machine on its own.
  return fetch(`${origin}${path}`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS), proxy: false });
}

/** How the gateway says that it is, well or not. @throws Error when it does not say, or not in time */
export async function askHealth(origin: string): Promise<Static<typeof HealthAnswer>> {
  return readAnswer(HealthAnswer, await (await askOpenly(origin, "/health")).json());
}
