/** The command types of this protocol: one row each. A type without a row is E201. */

import type { CommandType } from "#core/command/catalogue.ts";
import type { ShtrihCommand } from "../command.ts";
import { cashIn } from "./cash-in.ts";
import { cashOut } from "./cash-out.ts";
import { deleteLogo } from "./delete-logo.ts";
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
import { setLogo } from "./set-logo.ts";
import { setOperator } from "./set-operator.ts";
import { setVatRates } from "./set-vat-rates.ts";
import { voidOpenReceipt } from "./void-open-receipt.ts";
import { voidReceipt } from "./void-receipt.ts";
import { xReport } from "./x-report.ts";
import { zReport } from "./z-report.ts";

const COMMANDS: readonly ShtrihCommand[] = [
  cashIn,
  cashOut,
  deleteLogo,
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
  setLogo,
  setOperator,
  setVatRates,
  voidOpenReceipt,
  voidReceipt,
  xReport,
  zReport,
];

/** The commands by their type. */
export const COMMANDS_BY_TYPE: ReadonlyMap<CommandType, ShtrihCommand> = new Map(
  COMMANDS.map((command) => [command.type, command]),
);
