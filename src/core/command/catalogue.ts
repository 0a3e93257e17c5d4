/** The command types of the contract: one row each, from one file each. */

import type { ValidationIssue } from "../errors.ts";
import { PAYLOAD_BYTES_MAX } from "../limits.ts";
import { schemaCheckOf } from "../schema-check.ts";
import type { CommandDefinition, CommandEffect } from "./definition.ts";
import { payloadBytes } from "./payload-bytes.ts";
import type { ReadonlyStatic } from "./result-fields.ts";
import { cashIn } from "./types/cash-in.ts";
import { cashOut } from "./types/cash-out.ts";
import { deleteLogo } from "./types/delete-logo.ts";
import { getCashAmount } from "./types/get-cash-amount.ts";
import { getDateTime } from "./types/get-date-time.ts";
import { getHeaderFooter } from "./types/get-header-footer.ts";
import { getHeaderFooterCapabilities } from "./types/get-header-footer-capabilities.ts";
import { getInfo } from "./types/get-info.ts";
import { getLastReceiptInfo } from "./types/get-last-receipt-info.ts";
import { getLogoCapabilities } from "./types/get-logo-capabilities.ts";
import { getOperatorCapabilities } from "./types/get-operator-capabilities.ts";
import { getOperators } from "./types/get-operators.ts";
import { getStatus } from "./types/get-status.ts";
import { getVatCapabilities } from "./types/get-vat-capabilities.ts";
import { getVatRates } from "./types/get-vat-rates.ts";
import { nonFiscalReceipt } from "./types/non-fiscal-receipt.ts";
import { openDrawer } from "./types/open-drawer.ts";
import { printDuplicate } from "./types/print-duplicate.ts";
import { printReceipt } from "./types/print-receipt.ts";
import { printReversalReceipt } from "./types/print-reversal-receipt.ts";
import { rawCommand } from "./types/raw-command.ts";
import { setDatetime } from "./types/set-datetime.ts";
import { setHeaderFooter } from "./types/set-header-footer.ts";
import { setLogo } from "./types/set-logo.ts";
import { setOperator } from "./types/set-operator.ts";
import { setVatRates } from "./types/set-vat-rates.ts";
import { voidOpenReceipt } from "./types/void-open-receipt.ts";
import { voidReceipt } from "./types/void-receipt.ts";
import { xReport } from "./types/x-report.ts";
import { zReport } from "./types/z-report.ts";

export const CATALOGUE = {
  print_receipt: printReceipt,
  void_receipt: voidReceipt,
  print_reversal_receipt: printReversalReceipt,
  void_open_receipt: voidOpenReceipt,
  print_duplicate: printDuplicate,
  non_fiscal_receipt: nonFiscalReceipt,
  x_report: xReport,
  z_report: zReport,
  cash_in: cashIn,
  cash_out: cashOut,
  get_cash_amount: getCashAmount,
  open_drawer: openDrawer,
  set_datetime: setDatetime,
  set_logo: setLogo,
  delete_logo: deleteLogo,
  set_vat_rates: setVatRates,
  set_header_footer: setHeaderFooter,
  set_operator: setOperator,
  get_operators: getOperators,
  get_status: getStatus,
  get_info: getInfo,
  get_last_receipt_info: getLastReceiptInfo,
  get_date_time: getDateTime,
  get_vat_rates: getVatRates,
  get_vat_capabilities: getVatCapabilities,
  get_header_footer_capabilities: getHeaderFooterCapabilities,
  get_header_footer: getHeaderFooter,
  get_operator_capabilities: getOperatorCapabilities,
  get_logo_capabilities: getLogoCapabilities,
  raw_command: rawCommand,
} as const satisfies Record<string, CommandDefinition>;

export type CommandType = keyof typeof CATALOGUE;

/** What `result.data` of a completed command of this type holds. */
export type ResultData<Type extends CommandType> = ReadonlyStatic<
  (typeof CATALOGUE)[Type]["result"]
>;

/** True when the text names a command type. */
export function isCommandType(text: string): text is CommandType {
  return Object.hasOwn(CATALOGUE, text);
}

export const COMMAND_TYPES = Object.keys(CATALOGUE).filter(isCommandType);

/** What a command of this type may leave behind. */
export function effectOf(type: CommandType): CommandEffect {
  return CATALOGUE[type].effect;
}

/** True for the types that print a fiscal document. */
export function isFiscalDocument(type: CommandType): boolean {
  return effectOf(type) === "document";
}

/**
 * True for the types whose failure says what is known of the paper: besides the documents those
 * that change the books, which nobody may blindly do again either.
 */
export function tellsOutcome(type: CommandType): boolean {
  const effect = effectOf(type);
  return effect === "document" || effect === "ledger";
}

/** True for the types that are held while a person must say what became of a document. */
export function waitsForPerson(type: CommandType): boolean {
  const definition: CommandDefinition = CATALOGUE[type];
  return tellsOutcome(type) || definition.waitsForPerson === true;
}

/**
 * Checks a payload against its type: its size, the schema, then the rules a schema cannot say.
 * @param payload of a body that was read within its bounds, so that walking it is cheap
 * @returns faults with paths from the payload's root; empty when the payload is right
 */
export function payloadIssues(type: CommandType, payload: unknown): readonly ValidationIssue[] {
  const definition: CommandDefinition = CATALOGUE[type];
  const { payloadBytesMax = PAYLOAD_BYTES_MAX } = definition;
  const bytes = payloadBytes(payload);
  if (bytes > payloadBytesMax) {
    return [{ path: "", message: `Expected at most ${payloadBytesMax} bytes, not ${bytes}` }];
  }
  const check = schemaCheckOf(definition.payload);
  if (!check.accepts(payload)) return check.issues(payload);
  return definition.check?.(payload as never) ?? [];
}
