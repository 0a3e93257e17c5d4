/** Printers that the gateway simulates: `/devices/simulated`, their paper and their faults. */

import { Type } from "@sinclair/typebox";
import { PAPER_FORMATS, type PaperFormat } from "#core/device/simulated.ts";
import { PAPER_DOCUMENTS_MAX } from "#core/limits.ts";
import { userRoutes } from "../../http/access.ts";
import { DONE, file, noContent, refusals, success } from "../../http/answers.ts";
import { choice, integer, query } from "../../http/query.ts";
import { json } from "../../http/request-body.ts";
import { DeviceRecord, SimulatedDeviceBody, SimulatedDeviceDocument } from "../devices/schema.ts";
import { AnyFaultBody, FaultBody } from "./fault-schema.ts";
import type { SimulatedService } from "./service.ts";

const TYPES = {
  svg: "image/svg+xml",
  text: "text/plain",
} as const satisfies Record<PaperFormat, string>;

const NOT_ANSWERED = "The simulated printer cannot be switched on";
const REFUSALS = refusals({ 409: "The device is not simulated", 503: NOT_ANSWERED });

/** The routes over the service. */
export function simulatedRoutes(service: SimulatedService) {
  return userRoutes("admin", "Devices")
    .post(
      "/devices/simulated",
      async ({ principal, body, status }) => status(201, await service.create(principal, body)),
      {
        body: json(SimulatedDeviceBody, { schema: SimulatedDeviceDocument }),
        detail: {
          summary: "Add a printer that the gateway simulates",
          description:
            "For training and for trying the API: it works as a printer of the driver does, of its " +
            "default model or of the one that is named (/docs/simulator.html#models), and " +
            "nothing that it prints is fiscal. Its record, its commands, receipts and reports say " +
            "`simulated: true`, lists and sums leave them out unless `simulated=true` asks for " +
            "them, and no plan counts it. Its `transport` is `simulated` and its address its own " +
            "id. It stays simulated; deleting it deletes its memory.",
          responses: {
            ...success(DeviceRecord, { status: 201 }),
            ...refusals({ 409: "There are as many simulated printers as there may be" }),
          },
        },
      },
    )
    .get(
      "/devices/:deviceId/paper",
      async ({ principal, params: { deviceId }, query: { format, last }, request }) => {
        const shown = format ?? wantedFormat(request);
        const paper = await service.paper(principal.orgId, deviceId, { format: shown, last });
        return paperAnswer(shown, paper);
      },
      {
        transform({ principal, params }) {
          service.requireSimulated(principal.orgId, params.deviceId);
        },
        query: query({
          format: choice(PAPER_FORMATS),
          last: integer({ minimum: 1, maximum: PAPER_DOCUMENTS_MAX, initial: 10 }),
        }),
        detail: {
          summary: "Show the paper of a simulated printer",
          description:
            "The last documents, and the open one as far as it is printed. A picture, or text where " +
            "`format` says so or `Accept` names `text/plain` and no picture.",
          responses: {
            ...file({ [TYPES.svg]: Type.String(), [TYPES.text]: Type.String() }),
            ...REFUSALS,
          },
        },
      },
    )
    .post(
      "/devices/:deviceId/faults",
      async ({ principal, params: { deviceId }, body }) => {
        await service.bringFault(principal.orgId, deviceId, body);
        return noContent();
      },
      {
        transform({ principal, params }) {
          service.requireSimulated(principal.orgId, params.deviceId);
        },
        body: json(AnyFaultBody, { schema: FaultBody }),
        detail: {
          summary: "Bring a fault upon a simulated printer",
          description:
            "A condition of the printer, such as `paper_out`, lasts until the faults are taken back; " +
            "a fault of its line strikes once.",
          responses: { ...DONE, ...REFUSALS },
        },
      },
    )
    .delete(
      "/devices/:deviceId/faults",
      async ({ principal, params: { deviceId } }) => {
        await service.clearFaults(principal.orgId, deviceId);
        return noContent();
      },
      {
        transform({ principal, params }) {
          service.requireSimulated(principal.orgId, params.deviceId);
        },
        detail: {
          summary: "Take the faults of a simulated printer back",
          description:
            "Paper is loaded, the cover closed, and what waited for its frame is dropped.",
          responses: { ...DONE, ...REFUSALS },
        },
      },
    );
}

function wantedFormat({ headers }: Request): PaperFormat {
  const accepted = headers.get("accept") ?? "";
  return accepted.includes(TYPES.text) && !accepted.includes("image/") ? "text" : "svg";
}

function paperAnswer(format: PaperFormat, paper: string): Response {
  return new Response(paper, {
    headers: {
      "Content-Type": `${TYPES[format]}; charset=utf-8`,
      "Cache-Control": "no-store",
      // A picture runs nothing and loads nothing, also where a browser opens it by itself.
      "Content-Security-Policy":
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
