/** Table of the live routes: the command that each sends, and what it takes and answers. */

import { type TObject, Type } from "@sinclair/typebox";
import type { Scope } from "#core/access.ts";
import { CATALOGUE, type CommandType } from "#core/command/catalogue.ts";
import { Amount } from "#core/command/result-fields.ts";
import { LIVE_WAIT_MS, LIVE_Z_REPORT_WAIT_MS } from "#core/limits.ts";
import {
  capabilitiesAnswer,
  DATETIME_ANSWER,
  doneAnswer,
  type LiveAnswer,
  REPORT_ANSWER,
  REVERSAL_ANSWER,
  resultAnswer,
} from "./answers.ts";
import { type LiveBody, payloadBody, VAT_TABLE_BODY } from "./bodies.ts";

export interface LiveRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/devices/{deviceId}/`. */
  readonly path: string;
  readonly scope: Extract<Scope, "devices:read" | "devices:write" | "reports">;
  readonly type: CommandType;
  /** Undefined where the route takes none: its command has no payload. */
  readonly body?: LiveBody;
  readonly status: 200 | 201;
  readonly answer: LiveAnswer;
  /** How long to wait for the command's end. */
  readonly waitMs: number;
}

function read(path: string, type: CommandType, answer = resultAnswer(CATALOGUE[type].result)) {
  return {
    ...{ method: "GET", path, scope: "devices:read", type },
    ...{ status: 200, answer, waitMs: LIVE_WAIT_MS },
  } as const satisfies LiveRoute;
}

function readCapabilities(path: string, type: CommandType) {
  return read(path, type, capabilitiesAnswer(CATALOGUE[type].result));
}

/** @property done what is answered when it was done; a sentence, or more */
function write(
  path: string,
  type: CommandType,
  { done, body }: { readonly done: string | LiveAnswer; readonly body?: LiveBody },
) {
  return {
    ...{ method: "POST", path, scope: "devices:write", type, status: 200 },
    ...(body && { body }),
    answer: typeof done === "string" ? doneAnswer(done) : done,
    waitMs: LIVE_WAIT_MS,
  } as const satisfies LiveRoute;
}

function report(path: string, type: CommandType, waitMs: number) {
  return {
    ...{ method: "POST", path, scope: "reports", type },
    ...{ status: 201, answer: REPORT_ANSWER, waitMs },
  } as const satisfies LiveRoute;
}

/** A drawer whose content the device does not tell is no answer to the question for it. */
const CashBalance: TObject = Type.Object({
  ...CATALOGUE.get_cash_amount.result.properties,
  cashBalance: Amount,
});

/** No clock is set back before its last record, so that no fixed time works for long. */
const DATETIME_BODY = payloadBody("set_datetime", {});
const SLIP_BODY = payloadBody("non_fiscal_receipt", {
  header: "Note",
  lines: ["Back at 2 p.m.", "Thank you"],
});
const LINES_BODY = payloadBody("set_header_footer", {
  header: ["Corner Shop", "1 Main Street"],
  footer: ["Thank you"],
});
const OPERATOR_BODY = payloadBody("set_operator", { operatorId: 2, name: "Maria" });
/** One white dot: a bitmap of 1 bit per dot. */
const LOGO_BODY = payloadBody("set_logo", {
  logo: "Qk1CAAAAAAAAAD4AAAAoAAAAAQAAAAEAAAABAAEAAAAAAAQAAAATCwAAEwsAAAIAAAACAAAAAAAAAP///wCAAAAA",
});
const REVERSAL_BODY = payloadBody("print_reversal_receipt", {
  uniqueSaleNumber: "DT000600-0001-0000001",
  originalReceiptNumber: "1",
  originalReceiptDateTime: "2026-01-31T12:00:00",
  fiscalMemorySerialNumber: "02000600",
  reason: "refund",
  items: [{ name: "Coffee", quantity: 1, price: 1.5, vatGroup: "VAT2" }],
  payments: [{ method: "cash", amount: 1.5 }],
});

/** Asked of a device, and of the device of a document in doubt. */
export const LAST_RECEIPT = read("last-receipt", "get_last_receipt_info");

export const LIVE_ROUTES: readonly LiveRoute[] = [
  read("cash-balance", "get_cash_amount", resultAnswer(CashBalance)),
  read("datetime", "get_date_time"),
  read("header-footer", "get_header_footer"),
  readCapabilities("header-footer-capabilities", "get_header_footer_capabilities"),
  read("info", "get_info"),
  LAST_RECEIPT,
  read("live-status", "get_status"),
  readCapabilities("logo-capabilities", "get_logo_capabilities"),
  readCapabilities("operator-capabilities", "get_operator_capabilities"),
  read("operators", "get_operators"),
  readCapabilities("vat-capabilities", "get_vat_capabilities"),
  read("vat-rates", "get_vat_rates"),

  write("set-datetime", "set_datetime", { body: DATETIME_BODY, done: DATETIME_ANSWER }),
  write("print-duplicate", "print_duplicate", { done: "The duplicate was printed" }),
  write("non-fiscal", "non_fiscal_receipt", { body: SLIP_BODY, done: "The slip was printed" }),
  write("vat-rates", "set_vat_rates", { body: VAT_TABLE_BODY, done: "The VAT table is set" }),
  write("header-footer", "set_header_footer", {
    body: LINES_BODY,
    done: "The header and footer lines are set",
  }),
  write("operator", "set_operator", { body: OPERATOR_BODY, done: "The operator is set" }),
  write("logo", "set_logo", { body: LOGO_BODY, done: "The logo is set" }),
  { ...write("logo", "delete_logo", { done: "The logo was removed" }), method: "DELETE" },
  write("void-open", "void_open_receipt", { done: "The open receipt was cancelled" }),
  {
    ...write("reversal", "print_reversal_receipt", { body: REVERSAL_BODY, done: REVERSAL_ANSWER }),
    status: 201,
  },

  report("reports/x", "x_report", LIVE_WAIT_MS),
  report("reports/z", "z_report", LIVE_Z_REPORT_WAIT_MS),
];
