/** The command types of this protocol: one row each. A type without a row is E201. */

export { cashIn } from "./cash-in.ts";
export { cashOut } from "./cash-out.ts";
export { getCashAmount } from "./get-cash-amount.ts";
export { getDateTime } from "./get-date-time.ts";
export { getHeaderFooter } from "./get-header-footer.ts";
export { getHeaderFooterCapabilities } from "./get-header-footer-capabilities.ts";
export { getInfo } from "./get-info.ts";
export { getLastReceiptInfo } from "./get-last-receipt-info.ts";
export { getLogoCapabilities } from "./get-logo-capabilities.ts";
export { getStatus } from "./get-status.ts";
export { getVatCapabilities } from "./get-vat-capabilities.ts";
export { getVatRates } from "./get-vat-rates.ts";
export { nonFiscalReceipt } from "./non-fiscal-receipt.ts";
export { openDrawer } from "./open-drawer.ts";
export { printDuplicate } from "./print-duplicate.ts";
export { printReceipt } from "./print-receipt.ts";
export { printReversalReceipt } from "./print-reversal-receipt.ts";
export { rawCommand } from "./raw-command.ts";
export { setDatetime } from "./set-datetime.ts";
export { setHeaderFooter } from "./set-header-footer.ts";
export { setLogo } from "./set-logo.ts";
export { setVatRates } from "./set-vat-rates.ts";
export { voidOpenReceipt } from "./void-open-receipt.ts";
export { voidReceipt } from "./void-receipt.ts";
export { xReport } from "./x-report.ts";
export { zReport } from "./z-report.ts";
