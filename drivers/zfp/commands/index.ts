/** The command types of this protocol: one row each. A type without a row is E201. */

import type { CommandType } from "#core/command/catalogue.ts";
import type { ZfpCommand } from "../command.ts";
import { cashIn } from "./cash-in.ts";
import { cashOut } from "./cash-out.ts";
import { getCashAmount } from "./get-cash-amount.ts";
import { getDateTime } from "./get-date-time.ts";
import { getHeaderFooter } from "./get-header-footer.ts";
import { getHeaderFooterCapabilities } from "./get-header-footer-capabilities.ts";
import { getInfo } from "./get-info.ts";
import { getLastReceiptInfo } from "./get-last-receipt-info.ts";
import { getOperatorCapabilities } from "./get-operator-capabilities.ts";
import { getOperators } from "./get-operators.ts";
import { getStatus } from "./get-status.ts";
import { getVatCapabilities } from "./get-vat-capabilities.ts";
import { getVatRates } from "./get-vat-rates.ts";
import { nonFiscalReceipt } from "./non-fiscal-receipt.ts";
import { openDrawer } from "./open-drawer.ts";
import { printDuplicate } from "./print-duplicate.ts";
import { printReceipt } from "./print-receipt.ts";
import { printReversalReceipt } from "./print-reversal-receipt.ts";
import { rawCommand } from "./raw-command.ts";
import { setDatetime } from "./set-datetime.ts";
import { setHeaderFooter } from "./set-header-footer.ts";
import { setOperator } from "./set-operator.ts";
import { voidOpenReceipt } from "./void-open-receipt.ts";
import { voidReceipt } from "./void-receipt.ts";
import { xReport } from "./x-report.ts";
import { zReport } from "./z-report.ts";

const ALL: readonly ZfpCommand[] = [
  cashIn,
  cashOut,
  getCashAmount,
  getDateTime,
  getHeaderFooterCapabilities,
  getHeaderFooter,
  getInfo,
  getLastReceiptInfo,
  getOperatorCapabilities,
  getOperators,
  getStatus,
  getVatCapabilities,
  getVatRates,
  nonFiscalReceipt,
  openDrawer,
  printDuplicate,
  printReceipt,
  printReversalReceipt,
  rawCommand,
  setDatetime,
  setHeaderFooter,
  setOperator,
  voidOpenReceipt,
  voidReceipt,
  xReport,
  zReport,
];

/** The command types that these devices can carry out. */
export const COMMANDS: ReadonlyMap<CommandType, ZfpCommand> = new Map(
  ALL.map((command) => [command.type, command]),
);
