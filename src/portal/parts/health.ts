/** How the box says it is: also when something of it does not work, which it answers with 503. */

import { queryOptions } from "@tanstack/react-query";
import { answer, GatewayError } from "../../client/index.ts";
import { api } from "../api/client.ts";
import type { Body } from "../api/queries.ts";
import type { Format } from "../words/format.ts";
import type { Mood } from "./state-mark.tsx";

/** What `/health` says. */
export type Health = Body<"/api/v1/health">;

type Finding = NonNullable<Health["checks"]["database"]["findings"]>[number];
type Params = Finding["params"];

/** In the order in which one looks for a fault. */
export const PARTS = [
  "printers",
  "controllers",
  "database",
  "disk",
  "backup",
  "replica",
  "update",
  "clock",
  "https",
  "timers",
] as const satisfies readonly (keyof Health["checks"])[];

/** How each state looks. */
export const HEALTH_MOODS = {
  ok: "good",
  degraded: "warn",
  failed: "bad",
} as const satisfies Record<Health["status"], Mood>;

const LOOK_EVERY_MS = 15_000;

/** For `useQuery`; read again by itself. */
export const readHealth = queryOptions<Health, GatewayError>({
  queryKey: ["/api/v1/health", {}],
  queryFn: ({ signal }) =>
    answer(api.GET("/api/v1/health", { signal })).catch((error: unknown) => {
      const told = error instanceof GatewayError ? error.details : undefined;
      if (isHealth(told)) return told;
      throw error;
    }),
  refetchInterval: LOOK_EVERY_MS,
});

/** The same as anybody may read it: without its database the box knows no session. */
export const readOpenHealth = queryOptions<Health | null>({
  queryKey: ["/health"],
  async queryFn({ signal }) {
    const told: unknown = await (await fetch("/health", { signal })).json();
    return isHealth(told) ? told : null;
  },
  refetchInterval: LOOK_EVERY_MS,
});

/** What a finding names, as people read it. */
export function inWords(params: Params, format: Format): Readonly<Record<string, string>> {
  const words = Object.entries(params).map(([name, value]) => {
    if (name === "at") return [name, format.dateTime(String(value))];
    if (name === "day") return [name, format.date(String(value))];
    return [name, String(value)];
  });
  return Object.fromEntries(words);
}

function isHealth(told: unknown): told is Health {
  return typeof told === "object" && told !== null && "checks" in told && "version" in told;
}
