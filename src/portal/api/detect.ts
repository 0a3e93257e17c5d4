/** Looking for printers: how far the search is and what it has found, while it goes on and after. */

import { answer, GatewayError, type operations } from "../../client/index.ts";
import { api } from "./client.ts";
import { linesOf } from "./ndjson.ts";

type Operation = operations["postDevicesDetect"];
type Line = Operation["responses"][200]["content"]["application/x-ndjson"];

/** Where to look. */
export type Wish = NonNullable<Operation["requestBody"]>["content"]["application/json"];
/** What was found, and what came of every address. */
export type Search = Operation["responses"][200]["content"]["application/json"];
/** A printer that answered. */
export type Find = Search["found"][number];
/** What is asked now. */
export type Probing = Extract<Line, { probing: unknown }>["probing"];

/** Told while a search goes on. */
export interface Watcher {
  readonly probing: (probing: Probing) => void;
  readonly found: (find: Find) => void;
  readonly signal: AbortSignal;
}

/**
 * Looks, and tells what it is at and what has answered.
 * @throws GatewayError CONFLICT while another search goes on, VALIDATION_ERROR for what is no address
 */
export async function detect(wish: Wish, { probing, found, signal }: Watcher): Promise<Search> {
  const lines = await answer(
    api.POST("/api/v1/devices/detect", {
      body: wish,
      headers: { Accept: "application/x-ndjson" },
      parseAs: "stream",
      signal,
    }),
  );
  if (lines === null) throw endedEarly();
  for await (const line of linesOf<Line>(lines)) {
    if ("probing" in line) probing(line.probing);
    if ("found" in line) found(line.found);
    if ("result" in line) return line.result;
    if ("error" in line) break;
  }
  throw endedEarly();
}

function endedEarly(): GatewayError {
  return new GatewayError({ code: "INTERNAL_ERROR", message: "The search ended early" });
}
