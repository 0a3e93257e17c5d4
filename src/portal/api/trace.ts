/** What passes on a printer's line, as it passes. */

import { GatewayError, type operations } from "../../client/index.ts";
import { api } from "./client.ts";
import { type Lifeline, lifeline } from "./lifeline.ts";
import { linesOf } from "./ndjson.ts";

type Line =
  operations["getDevicesByDeviceIdTrace"]["responses"][200]["content"]["application/x-ndjson"];

/** A frame, or what became of the line. */
export type TraceEntry = Exclude<Line, { kind: "dropped" }>;

/** Who looks. */
export interface TraceViewer {
  /** The gateway shows the line now. */
  opened(): void;
  /** It does not for the moment, and is asked again. */
  closed(): void;
  /** A new one, or one that changed. */
  entry(entry: TraceEntry): void;
  /** So many were left out, because they were not read in time. */
  dropped(count: number): void;
}

/** A broken stream is asked for again; an access token ends it, too. */
const PAUSE_MS = 1_000;
/** For ten seconds the box waits for the controller before it answers that nobody shows the line. */
const OPEN_MS = 15_000;
/** So often in a row the gateway may answer that something failed there. */
const FAULTS_MAX = 3;

/**
 * Follows the line until the signal says to stop.
 * @throws GatewayError CONFLICT when nobody shows the line or too many look, FORBIDDEN, NOT_FOUND,
 * INTERNAL_ERROR when the gateway says so again and again
 */
export async function followTrace(
  deviceId: string,
  viewer: TraceViewer,
  stop: AbortSignal,
): Promise<void> {
  let last = 0;
  let lastAt = 0;
  let faults = 0;
  while (!stop.aborted) {
    const dead = new AbortController();
    const alive = lifeline(() => dead.abort(), OPEN_MS);
    try {
      for await (const line of await openTrace(AbortSignal.any([stop, dead.signal]), alive)) {
        faults = 0;
        if (line.kind === "dropped") {
          viewer.dropped(line.count);
          continue;
        }
        const at = Date.parse(line.lastAt);
        // After a start of the gateway they are counted anew.
        if (line.number < last && at > lastAt) last = 0;
        // What was seen before the stream broke comes again.
        if (line.number < last) continue;
        [last, lastAt] = [line.number, at];
        viewer.entry(line);
      }
    } catch (error) {
      if (stop.aborted) return;
      if (error instanceof GatewayError) {
        // A box that does not answer comes back; one that answers so has to be told of.
        faults += error.status === undefined ? 0 : 1;
        if (!error.isTemporary || faults >= FAULTS_MAX) throw error;
      }
    } finally {
      alive.over();
    }
    viewer.closed();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }

  async function openTrace(signal: AbortSignal, alive: Lifeline): Promise<AsyncGenerator<Line>> {
    const { data, error, response } = await api.GET("/api/v1/devices/{deviceId}/trace", {
      params: { path: { deviceId }, query: { follow: true } },
      headers: { Accept: "application/x-ndjson" },
      parseAs: "stream",
      signal,
    });
    if (!response.ok || !data) throw refused(error, response);
    alive.heard();
    viewer.opened();
    return linesOf<Line>(data, alive.heard);
  }
}

function refused(error: unknown, response: Response): GatewayError {
  const code =
    ({ 403: "FORBIDDEN", 404: "NOT_FOUND", 409: "CONFLICT" } as const)[response.status] ??
    "INTERNAL_ERROR";
  return new GatewayError({ code, message: "The line is not shown", details: error, response });
}
