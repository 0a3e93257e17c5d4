/** `/receipts` and `/devices/{deviceId}/receipts`. */

import { Type } from "@sinclair/typebox";
import { isoTime } from "#core/iso-time.ts";
import { RECEIPT_TYPES } from "#core/receipt-record.ts";
import { RECEIPT_TIMES } from "#db/stores/receipt-list.ts";
import { scopedRoutes } from "../../http/access.ts";
import { refusals, savedFile, success } from "../../http/answers.ts";
import { attachment, inTurns } from "../../http/attachment.ts";
import { QUEUES_COMMAND } from "../../http/listed-route.ts";
import { choice, pagination, period, query, text } from "../../http/query.ts";
import { lateJson } from "../../http/request-body.ts";
import { simulatedOnly } from "../../http/simulated.ts";
import type { Log } from "../../platform/log.ts";
import { CommandAnswer } from "../commands/schema.ts";
import type { RunOnce } from "../idempotency/once.ts";
import { answeredElsewhere, IDEMPOTENCY_HEADER, NOT_YOURS_TO_READ } from "../idempotency/schema.ts";
import { EXPORT_FORMATS, EXPORT_TYPES, exportText } from "./export.ts";
import {
  CreateReceiptBody,
  FoundReceiptAnswer,
  ReceiptAnswer,
  ReceiptList,
  ReceiptRecordSchema,
  ReversibleAnswer,
  StornoBody,
} from "./schema.ts";
import { RECEIPT_SORTS, type ReceiptService } from "./service.ts";

const TAG = "Receipts";
/** Which of a receipt's times `from` and `to` are about. */
const TIME = choice(RECEIPT_TIMES, "issuedAt");

/** The routes of the module. */
export function receiptRoutes(service: ReceiptService, runOnce: RunOnce, log: Log) {
  return [
    storingRoute(service, runOnce),
    administrationRoutes(service, runOnce, log),
    readingRoutes(service),
  ];
}

function storingRoute(service: ReceiptService, runOnce: RunOnce) {
  return scopedRoutes("receipts", TAG).post(
    "/receipts",
    ({ request, principal, body }) =>
      runOnce({ request, principal, body }, (asked) => {
        const receipt = service.prepare(principal, asked);
        return {
          run: (tx) => ({ status: 201, body: { receipt: service.store(tx, principal, receipt) } }),
          write: service.storing,
        };
      }),
    {
      body: lateJson(CreateReceiptBody),
      detail: {
        summary: "Store a receipt made elsewhere, once for each Idempotency-Key",
        description:
          "What commands print is stored by itself. A refund or a storno may not be more than what " +
          "is left of its sale: 422. A fiscalId that the device has given before: 409.",
        parameters: [IDEMPOTENCY_HEADER],
        responses: {
          ...success(ReceiptAnswer, { status: 201 }),
          ...answeredElsewhere(202),
          ...refusals({
            404: "There is no such device",
            409: `A receipt of the printer with this fiscalId is stored. Or ${NOT_YOURS_TO_READ}`,
            422: "More than what is left of the sale, or no sale",
          }),
        },
      },
    },
  );
}

function administrationRoutes(service: ReceiptService, runOnce: RunOnce, log: Log) {
  return scopedRoutes("receipts:admin", TAG)
    .get(
      "/receipts/export",
      ({ principal, query: { format, ...filter }, request }) =>
        attachment(request, {
          fileName: fileNameOf(format, filter),
          contentType: EXPORT_TYPES[format],
          parts: inTurns(exportText(format, service.exported(principal.orgId, filter))),
          onFault: (error) => log.error("export broke off", { error }),
        }),
      {
        query: query({
          format: choice(EXPORT_FORMATS, "csv"),
          ...{ deviceId: text(), type: choice(RECEIPT_TYPES) },
          ...period(),
          time: TIME,
          simulated: simulatedOnly(),
        }),
        detail: {
          summary: "Save the receipts of a period as a file",
          description:
            "By issuedAt unless `time` says otherwise. Oldest first, of any length. In CSV a text that begins like a formula has an " +
            "apostrophe before it; payments, items and modifiers are JSON; `signedTotal` is below " +
            "zero for what went back to a customer.",
          responses: savedFile({ "text/csv": Type.String(), "application/json": Export }),
        },
      },
    )
    .post(
      "/receipts/:receiptId/storno",
      ({ request, principal, params: { receiptId }, body }) =>
        runOnce({ request, principal, body, stornoOf: receiptId }, (asked, idempotencyKey) =>
          service.prepareStorno(principal, receiptId, { body: asked, idempotencyKey }),
        ),
      {
        transform({ principal, params }) {
          service.requireReceipt(principal.orgId, params.receiptId);
        },
        body: lateJson(StornoBody),
        detail: {
          ...QUEUES_COMMAND,
          summary: "Print the storno of a sale, or of a part of it, once for each Idempotency-Key",
          description:
            "Queues print_reversal_receipt on the device that printed the sale. Without items or " +
            "lines all that is left is reversed; without payments it is paid back as it was paid " +
            "where that is clear and the printer can, else in cash. Who has told somebody the amount " +
            "sends it as `expectedAmount`: any other is 422. What is reversed is reserved " +
            "until the command has ended with outcome not_printed: more than what is left of a line " +
            "is 422, and `details` say under `left` what that is. A key counts for the storno of this " +
            "sale alone: that of the sale itself may serve again.",
          parameters: [IDEMPOTENCY_HEADER],
          responses: {
            ...success(CommandAnswer, { status: 202 }),
            ...refusals({ 422: "More than what is left of the sale, or no sale" }),
          },
        },
      },
    );
}

function readingRoutes(service: ReceiptService) {
  const ofList = {
    type: choice(RECEIPT_TYPES),
    ...period(),
    time: TIME,
    fiscalId: text(),
    originalReceiptId: text(),
    q: text(),
    ...pagination(RECEIPT_SORTS),
  };
  return scopedRoutes("receipts:read", TAG)
    .get(
      "/receipts",
      ({ principal, query: { limit, startAfter, sortBy, sortOrder, ...filter } }) =>
        service.list(principal.orgId, filter, { limit, startAfter, sortBy, sortOrder }),
      {
        query: query({ deviceId: text(), simulated: simulatedOnly(), ...ofList }),
        detail: {
          summary: "List receipts",
          description:
            "`from` and `to` are about issuedAt, which is as right as the printer's clock. With " +
            "`time=bookedAt` a day has the receipts that its sums in /reports and /today are made " +
            "of. `originalReceiptId` is the sale whose refunds and " +
            "stornos are asked for. `q` is a text within a number, the customer's " +
            "code or an item's name, the total as 12.50 or 12,50, or the whole id; its pages may end early with " +
            "hasMore, and lastId then says where the search goes on.",
          responses: success(ReceiptList),
        },
      },
    )
    .get(
      "/receipts/:receiptId",
      ({ principal, params: { receiptId } }) => ({
        receipt: service.get(principal.orgId, receiptId),
        repeatable: service.isRepeatable(principal.orgId, receiptId),
      }),
      { detail: { summary: "Get a receipt", responses: success(FoundReceiptAnswer) } },
    )
    .get(
      "/receipts/:receiptId/reversible",
      ({ principal, params: { receiptId } }) => ({
        reversible: service.reversible(principal.orgId, receiptId),
      }),
      {
        detail: {
          summary: "Get what is left of a sale to reverse, line by line",
          description:
            "What was reversed or refunded, and what is reserved for that, is taken off. The rest of " +
            "a line comes to exactly what is left of its amount, so that all reversals of a line " +
            "come to what it was sold for. `tenders` says whether the printer of the sale prints " +
            "reversals at all, and how it can pay them back.",
          responses: success(ReversibleAnswer),
        },
      },
    )
    .get(
      "/devices/:deviceId/receipts",
      ({ principal, params: { deviceId }, query }) => {
        const { limit, startAfter, sortBy, sortOrder, ...filter } = query;
        const page = { limit, startAfter, sortBy, sortOrder };
        return service.list(principal.orgId, { ...filter, deviceId }, page);
      },
      {
        transform({ principal, params }) {
          service.requireDevice(principal.orgId, params.deviceId);
        },
        query: query(ofList),
        detail: { summary: "List the receipts of a device", responses: success(ReceiptList) },
      },
    );
}

const Export = Type.Object({ receipts: Type.Array(ReceiptRecordSchema) });

/** With the days that were asked for, as `receipts-2026-01-01-2026-02-01.csv`. */
function fileNameOf(
  format: string,
  { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
): string {
  const days = [from, to].flatMap((at) => (at === undefined ? [] : [isoTime(at).slice(0, 10)]));
  return `${["receipts", ...days].join("-")}.${format}`;
}
