/**
 * `GET /devices/{id}/trace`: the line monitor.
 *
 * What passes on a line shows what is sold, so seeing that a device is online (`devices:read`) is
 * not enough; `devices:write` is what those have who set the device up and look after its line.
 */

import {
  type DeviceTrace,
  TRACE_EVENTS_MAX,
  TRACE_FRAMES_MAX,
  type TraceEntry,
} from "#core/device/trace.ts";
import { ApiError } from "#core/errors.ts";
import { scopedRoutes } from "../../http/access.ts";
import { success } from "../../http/answers.ts";
import { type NdjsonWriter, ndjsonAnswer } from "../../http/ndjson.ts";
import { flag, integer, query } from "../../http/query.ts";
import type { Clock } from "../../platform/clock.ts";
import type { DeviceService } from "./service.ts";
import { TraceAnswer, TraceLine } from "./trace-schema.ts";

const ENTRIES_MAX = TRACE_FRAMES_MAX + TRACE_EVENTS_MAX;

export interface TraceRouteOptions {
  readonly devices: Pick<DeviceService, "existing">;
  /** Undefined when the device's line is not at this gateway. */
  traceOf(deviceId: string): DeviceTrace | undefined;
  readonly clock: Clock;
}

/** The route. */
export function traceRoutes({ devices, traceOf, clock }: TraceRouteOptions) {
  return scopedRoutes("devices:write", "Devices").get(
    "/devices/:deviceId/trace",
    ({ params: { deviceId }, query: { follow, last }, request }) => {
      const trace = traceOf(deviceId);
      if (!trace) throw new ApiError("CONFLICT", "The line of this device is not at this gateway");
      // What answers HEAD is read to its end for its length, and this one has no end.
      if (follow && request.method !== "HEAD") return followed(trace, last, clock);
      return { deviceId, entries: latest(trace, last).map(entryRecord) };
    },
    {
      transform({ principal, params }) {
        devices.existing(principal.orgId, params.deviceId);
      },
      query: query({
        follow: flag(),
        last: integer({ minimum: 0, maximum: ENTRIES_MAX, initial: ENTRIES_MAX }),
      }),
      detail: {
        summary: "See what passes on a device's line",
        description:
          `The last ${TRACE_FRAMES_MAX} frames, decoded, and what became of the line meanwhile, ` +
          "since the gateway was started. With follow=true they come as lines, and each new one " +
          "as it passes, until the reader goes or the device does; an empty line now and then " +
          "means that nothing happened. An entry that repeats comes again under its number, with " +
          "its count. Entries that are not read in time are left out. Passwords are masked. 409 " +
          "when the line is not at this gateway, or too many follow it.",
        responses: success(TraceAnswer, { line: TraceLine }),
      },
    },
  );
}

function latest(trace: DeviceTrace, count: number): readonly TraceEntry[] {
  const entries = trace.entries();
  return entries.slice(Math.max(0, entries.length - count));
}

/** @throws ApiError CONFLICT when too many follow this device */
function followed(trace: DeviceTrace, last: number, clock: Clock): Response {
  let writer: NdjsonWriter | undefined;
  const leave = trace.follow({
    entry: (entry) => writer?.write(entryRecord(entry)),
    ended: () => writer?.end(),
  });
  if (!leave) throw new ApiError("CONFLICT", "Too many follow the line of this device already");
  return ndjsonAnswer({
    clock,
    dropped: (count) => ({ kind: "dropped", count }),
    // Begins before this function returns, so that no entry falls between the kept and the new.
    begin(ready) {
      writer = ready;
      for (const entry of latest(trace, last)) writer.write(entryRecord(entry));
      return leave;
    },
  });
}

function entryRecord(entry: TraceEntry) {
  return {
    ...entry,
    at: new Date(entry.at).toISOString(),
    lastAt: new Date(entry.lastAt).toISOString(),
  };
}
