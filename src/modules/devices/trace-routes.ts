/**
 * `GET /devices/{id}/trace`: the line monitor.
 *
 * What passes on a line shows what is sold, so seeing that a device is online (`devices:read`) is
 * not enough; `devices:write` is what those have who set the device up and look after its line.
 */

import type { Principal } from "#core/access.ts";
import {
  type LineViewer,
  TRACE_ENTRIES_MAX,
  TRACE_FRAMES_MAX,
  type TraceEntry,
  type WatchLine,
} from "#core/device/trace.ts";
import { ApiError } from "#core/errors.ts";
import { scopedRoutes, type WatchAccess } from "../../http/access.ts";
import { refusals, success } from "../../http/answers.ts";
import { NDJSON_TYPE, ndjsonAnswer } from "../../http/ndjson.ts";
import { flag, integer, query } from "../../http/query.ts";
import { streamedHead } from "../../http/streamed-head.ts";
import type { Clock } from "../../platform/clock.ts";
import type { DeviceService } from "./service.ts";
import { TraceAnswer, TraceLine } from "./trace-schema.ts";

export interface TraceRouteOptions {
  readonly devices: Pick<DeviceService, "existing">;
  readonly watchLine: WatchLine;
  readonly watchAccess: WatchAccess;
  readonly clock: Clock;
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal;
}

/** The route. */
export function traceRoutes(options: TraceRouteOptions) {
  const { devices, watchLine, clock } = options;
  return scopedRoutes("devices:write", "Devices").get(
    "/devices/:deviceId/trace",
    async ({ principal, params: { deviceId }, query: { follow, last }, request }) => {
      const line = await openLineView((viewer) => watchLine(deviceId, viewer), clock);
      const entries = line.kept.slice(Math.max(0, line.kept.length - last)).map(entryRecord);
      const isHead = request.method === "HEAD";
      if (follow && !isHead) return followed(options, principal, { line, kept: entries });
      line.leave();
      if (follow) return streamedHead({ "Content-Type": NDJSON_TYPE });
      return { deviceId, entries };
    },
    {
      transform({ principal, params }) {
        devices.existing(principal.orgId, params.deviceId);
      },
      query: query({
        follow: flag(),
        last: integer({ minimum: 0, maximum: TRACE_ENTRIES_MAX, initial: TRACE_ENTRIES_MAX }),
      }),
      detail: {
        summary: "See what passes on a device's line",
        description:
          `The last ${TRACE_FRAMES_MAX} frames, decoded, and what became of the line meanwhile, ` +
          "since the gateway was started. With `follow` they come as lines, and each new one " +
          "as it passes, until the reader, the device or the credential goes; an empty line now and then " +
          "means that nothing happened. An entry that repeats comes again under its number, with " +
          "its count. Entries that are not read in time are left out. Passwords are masked. 409 " +
          "when no controller shows the line, or too many look at it.",
        responses: {
          ...success(TraceAnswer, { line: TraceLine }),
          ...refusals({ 409: "No controller shows the line, or too many look at it" }),
        },
      },
    },
  );
}

/** A line that is being looked at. */
interface LineView {
  readonly kept: readonly TraceEntry[];
  /** Hands over what comes from now on, and what came since. */
  show(to: { entry(entry: TraceEntry): void; ended(): void }): void;
  leave(): void;
}

/** How long a controller may take to show what it keeps of a line. */
const BEGIN_LIMIT_MS = 10_000;

/** @throws ApiError CONFLICT when there is nothing to see, or not in time */
function openLineView(
  watch: (viewer: LineViewer) => () => void,
  clock: Pick<Clock, "setTimer">,
): Promise<LineView> {
  const { promise, resolve, reject } = Promise.withResolvers<LineView>();
  const since: TraceEntry[] = [];
  let hasEnded = false;
  let shownTo: Parameters<LineView["show"]>[0] | undefined;
  const refuse = (): void =>
    reject(
      new ApiError("CONFLICT", "No controller shows the line of this device, or too many look"),
    );
  let leave = (): void => undefined;
  const cancelTimer = clock.setTimer(BEGIN_LIMIT_MS, () => {
    leave();
    refuse();
  });
  leave = watch({
    begin(kept) {
      cancelTimer();
      resolve({
        kept,
        leave: () => leave(),
        show(to) {
          shownTo = to;
          for (const entry of since.splice(0)) to.entry(entry);
          if (hasEnded) to.ended();
        },
      });
    },
    entry: (entry) => (shownTo ? shownTo.entry(entry) : since.push(entry)),
    ended() {
      hasEnded = true;
      cancelTimer();
      refuse();
      shownTo?.ended();
    },
  });
  return promise;
}

function followed(
  { clock, watchAccess, stopping }: TraceRouteOptions,
  principal: Principal,
  { line, kept }: { readonly line: LineView; readonly kept: readonly unknown[] },
): Response {
  return ndjsonAnswer({
    ...{ clock, until: stopping },
    dropped: (count) => ({ kind: "dropped", count }),
    begin(writer) {
      const access = watchAccess(principal, () => writer.end());
      for (const entry of kept) writer.write(entry);
      line.show({
        entry: (entry) => access.isOpen() && writer.write(entryRecord(entry)),
        ended: () => writer.end(),
      });
      return () => {
        access.leave();
        line.leave();
      };
    },
  });
}

/** A controller elsewhere may have written its times with another offset. */
function entryRecord(entry: TraceEntry) {
  return {
    ...entry,
    at: new Date(entry.at).toISOString(),
    lastAt: new Date(entry.lastAt).toISOString(),
  };
}
