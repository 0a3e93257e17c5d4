/** `POST /devices/detect`: looks for devices that nobody has registered yet. */

import {
  type DetectDevices,
  type DetectionProgress,
  type DetectionReport,
  type DetectionRequest,
  readDetectionWish,
} from "#core/device/detection.ts";
import { BUILTIN_CONTROLLER_ID } from "#core/device/device.ts";
import { ApiError, validationError } from "#core/errors.ts";
import { scopedRoutes } from "../../http/access.ts";
import { refusals, success } from "../../http/answers.ts";
import { ndjsonAnswer } from "../../http/ndjson.ts";
import { json } from "../../http/request-body.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { DetectAnswer, DetectBody, DetectLine } from "./detect-schema.ts";

/**
 * What all progress lines of an answer may have: less than the buffer of a slow reader takes, so
 * that there is room for the result whatever became of them.
 */
const PROGRESS_BYTES_MAX = 128 * 1_024;
const NDJSON = "application/x-ndjson";

export interface DetectRouteOptions {
  /** @param controllerId who looks; the built-in controller when absent */
  readonly detect: (
    request: DetectionRequest,
    controllerId: string | undefined,
  ) => Promise<DetectionReport>;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal;
}

/** The route; one search at a time for each controller. */
export function detectRoutes(options: DetectRouteOptions) {
  const running = new Set<string>();
  const detectAlone =
    (name: string, controllerId: string | undefined): DetectDevices =>
    async (request) => {
      running.add(name);
      try {
        return await options.detect(request, controllerId);
      } finally {
        running.delete(name);
      }
    };
  return scopedRoutes("devices:write", "Devices").post(
    "/devices/detect",
    ({ principal, body: { drivers, controllerId, ...wish }, request }) => {
      const reading = readDetectionWish(wish);
      if ("issues" in reading) throw validationError(reading.issues);
      const name = searcherName(principal.orgId, controllerId);
      if (running.has(name))
        throw new ApiError("CONFLICT", "Another search for devices is running");
      const { target } = reading;
      const detect = detectAlone(name, controllerId);
      const search = { target, drivers, orgId: principal.orgId };
      if (request.headers.get("accept")?.includes(NDJSON)) {
        return streamed(search, { ...options, detect });
      }
      return detect({ ...search, signal: AbortSignal.any([request.signal, options.stopping]) });
    },
    {
      body: json(DetectBody),
      detail: {
        summary: "Look for devices",
        description:
          "Asks at serial ports, a host or a Bluetooth address with each driver and speed, only " +
          "reading. An empty body means all serial ports. Ports in use and registered devices " +
          "are left alone, whoever serves them. With controllerId another controller looks " +
          "where it is. Takes up to two minutes; ends when the caller hangs up. With Accept: " +
          `${NDJSON} the answer is a line { "probing": ... } for each question, ` +
          '{ "found": ... } for each device as it answers and at last { "result": ... }. While ' +
          "another search runs: 409. Like registering a device it lets the caller have the " +
          "gateway connect to any host and port it reaches: give keys for it to those alone who " +
          "set devices up.",
        responses: {
          ...success(DetectAnswer, { line: DetectLine }),
          ...refusals({
            409: "Another search is running",
            503: "The controller is not connected, or does not search",
          }),
        },
      },
    },
  );
}

/** The built-in controller is everybody's, and a name is one organization's. */
function searcherName(orgId: string, controllerId: string = BUILTIN_CONTROLLER_ID): string {
  return controllerId === BUILTIN_CONTROLLER_ID ? controllerId : `${orgId}/${controllerId}`;
}

/** The search as lines, for as long as somebody reads them. */
function streamed(
  search: Omit<DetectionRequest, "signal">,
  {
    detect,
    clock,
    log,
    stopping,
  }: Omit<DetectRouteOptions, "detect"> & { readonly detect: DetectDevices },
): Response {
  return ndjsonAnswer({
    ...{ clock, until: stopping },
    dropped: (lines) => ({ dropped: lines }),
    begin(writer) {
      const hangUp = new AbortController();
      let progressBytes = 0;
      const onProgress = ({ found, ...probing }: DetectionProgress): void => {
        const line = found === undefined ? { probing } : { found };
        progressBytes += JSON.stringify(line).length;
        if (progressBytes <= PROGRESS_BYTES_MAX) writer.write(line);
      };
      const finish = (line: { result: DetectionReport } | { error: unknown }): void => {
        writer.write(line);
        writer.end();
      };
      detect({ ...search, signal: hangUp.signal, onProgress }).then(
        (result) => finish({ result }),
        (error: unknown) => {
          if (error instanceof ApiError) {
            finish(error.toEnvelope());
            return;
          }
          log.error("search for devices failed", { error });
          finish(new ApiError("INTERNAL_ERROR", "The search failed").toEnvelope());
        },
      );
      return () => hangUp.abort();
    },
  });
}
