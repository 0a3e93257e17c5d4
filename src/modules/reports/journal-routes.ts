/** `/reports/journal`, and the schema that its file keeps to. */

import { Type } from "@sinclair/typebox";
import { publicRoutes, scopedRoutes } from "../../http/access.ts";
import { refusals, savedFile } from "../../http/answers.ts";
import { attachment } from "../../http/attachment.ts";
import { period, query, text } from "../../http/query.ts";
import type { Log } from "../../platform/log.ts";
import type { JournalService } from "./journal.ts";
import schema from "./journal.xsd" with { type: "text" };

const TAG = "Reports";
const XML = "application/xml";

/** The routes over the service. */
export function journalRoutes(service: JournalService, log: Log) {
  return [downloadRoute(service, log), schemaRoute()];
}

function downloadRoute(service: JournalService, log: Log) {
  return scopedRoutes("reports", TAG).get(
    "/reports/journal",
    ({ principal: { orgId }, query: asked, request }) =>
      attachment(request, {
        contentType: XML,
        fileName: "journal.xml",
        parts: service.parts(orgId, asked),
        onFault: (error) => log.error("journal broke off", { orgId, error }),
      }),
    {
      query: query({ ...period(), deviceId: text() }),
      detail: {
        summary: "Download receipts and reports as XML",
        description:
          "From (included) to (not included), by when an entry came into the books of its device. " +
          "Nothing of simulated devices is in it. " +
          "The file keeps to /api/v1/schemas/journal.xsd; one without its element `end` was cut off.",
        responses: {
          ...savedFile({ [XML]: Type.String() }),
          ...refusals({ 404: "There is no such device", 409: "The device is simulated" }),
        },
      },
    },
  );
}

function schemaRoute() {
  return publicRoutes(TAG).get(
    "/schemas/journal.xsd",
    () =>
      new Response(schema, {
        headers: {
          "Content-Type": `${XML}; charset=utf-8`,
          "Cache-Control": "public, max-age=86400",
          "X-Content-Type-Options": "nosniff",
        },
      }),
    { detail: { summary: "Get the XML schema of the journal", responses: xmlResponse("Schema") } },
  );
}

function xmlResponse(description: string) {
  return { 200: { description, content: { [XML]: { schema: { type: "string" as const } } } } };
}
