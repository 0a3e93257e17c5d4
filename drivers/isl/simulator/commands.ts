/**
 * Which command each number means, per model: overviews of Datecs manuals 2.02, 1.00BG and 2.04BG,
 * and of the manuals named in `makers.ts`.
 */

import * as daySums from "./day-sums.ts";
import * as departments from "./department-reads.ts";
import type { CommandTable, Handler } from "./device-command.ts";
import * as journal from "./journal-reads.ts";
import * as reads from "./long-reads.ts";
import * as receipt from "./long-receipt.ts";
import * as service from "./long-service.ts";
import { parameterLong } from "./long-settings.ts";
import * as openings from "./maker-openings.ts";
import * as makers from "./makers.ts";
import * as printing from "./printing.ts";
import * as shortReads from "./short-reads.ts";
import * as shortReceipt from "./short-receipt.ts";
import * as shortService from "./short-service.ts";

const LONG_SHARED: readonly (readonly [number, Handler])[] = [
  [38, service.openServiceLong],
  [39, service.closeServiceLong],
  [42, receipt.serviceLineLong],
  [44, printing.feedLong],
  [48, receipt.openSaleLong],
  [49, receipt.sellLong],
  [50, reads.vatLong],
  [51, receipt.subtotalLong],
  [53, receipt.payLong],
  [54, receipt.textLong],
  [56, receipt.closeLong],
  [60, receipt.cancelLong],
  [61, service.setClockLong],
  [62, reads.clockLong],
  [64, reads.lastFiscalRecordLong],
  [65, daySums.daySumsLong],
  [68, reads.recordsLeftLong],
  [69, service.reportLong],
  [70, service.cashLong],
  [71, service.diagnosticLong],
  [74, reads.statusLong],
  [76, reads.transactionLong],
  [83, service.setVatLong],
  [84, receipt.codeLong],
  [86, reads.lastRecordDateLong],
  [88, departments.departmentLong],
  [90, reads.deviceLong],
  [92, receipt.ruleLong],
  [99, reads.taxNumberLong],
  [100, reads.errorTextLong],
  [101, service.setPasswordLong],
  [103, reads.receiptSumsLong],
  [106, service.drawerLong],
  [109, service.duplicateLong],
  [110, reads.dayRegistersLong],
  [123, reads.deviceStateLong],
  [124, journal.searchLong],
  [125, journal.journalLong],
  [202, service.logoLong],
  [255, parameterLong],
];

const SHORT_SHARED: readonly (readonly [number, Handler])[] = [
  [38, shortService.openServiceShort],
  [39, shortService.closeServiceShort],
  [42, shortService.serviceLineShort],
  [43, shortService.headerShort],
  [49, shortReceipt.sellShort],
  [51, shortReceipt.subtotalShort],
  [53, shortReceipt.payShort],
  [54, shortReceipt.textShort],
  [56, shortReceipt.closeShort],
  [60, shortReceipt.cancelShort],
  [61, shortService.setClockShort],
  [62, shortReads.clockShort],
  [64, shortReads.lastFiscalRecordShort],
  [68, shortReads.recordsLeftShort],
  [69, shortService.reportShort],
  [70, shortService.cashShort],
  [71, shortService.diagnosticShort],
  [74, shortReads.statusShort],
  [76, shortReads.transactionShort],
  [83, shortService.vatShort],
  [86, shortReads.lastRecordDateShort],
  [90, shortReads.deviceShort],
  [97, shortReads.ratesShort],
  [99, shortReads.taxNumberShort],
  [101, shortService.operatorPasswordShort],
  [102, shortService.operatorNameShort],
  [106, shortService.drawerShort],
  [109, shortService.duplicateShort],
  [110, shortReads.dayRegistersShort],
  [113, shortReads.lastDocumentShort],
  [115, shortService.logoShort],
];

export const X_COMMANDS: CommandTable = new Map([
  ...LONG_SHARED,
  [43, receipt.openStornoLong],
  [57, receipt.buyerLong],
]);

/** Romania has no storno documents and no invoices made by the device. */
export const RO_X_COMMANDS: CommandTable = new Map(LONG_SHARED);

export const P_COMMANDS: CommandTable = new Map([
  ...SHORT_SHARED,
  [44, printing.feedShort],
  [46, shortReceipt.openStornoP],
  [48, shortReceipt.openSaleP],
  [57, shortReceipt.buyerP],
  [65, daySums.daySumsShort],
  [79, printing.memoryReportOrMonth],
  [88, departments.departmentShort],
  [103, shortReads.receiptSumsP],
  [119, journal.journalP],
]);

export const C_COMMANDS: CommandTable = new Map([
  ...SHORT_SHARED,
  [44, printing.feedShort],
  [46, shortReceipt.openStornoC],
  [48, shortReceipt.openSaleC],
  [57, shortReceipt.buyerC],
  [65, daySums.daySumsC],
  [79, printing.memoryReportOrMonth],
  [88, departments.departmentC],
  [103, shortReads.receiptSumsC],
  [124, journal.searchC],
  [125, journal.journalC],
]);

export const RO_LEGACY_COMMANDS: CommandTable = new Map([
  ...SHORT_SHARED,
  [48, shortReceipt.openSaleRomaniaShort],
  [103, shortReads.receiptSumsP],
]);

const RECEIPT_CANCELLED_BY_60 = 60;
const VAT_SETUP = 83;
const OPERATOR_PASSWORD = 101;
const LOGO = 115;
const LAST_FISCAL_RECORD = 64;

function sharedWithout(...numbers: readonly number[]): [number, Handler][] {
  return SHORT_SHARED.filter(([number]) => !numbers.includes(number)).map((row) => [...row]);
}

const DECIMAL_SHARED: readonly (readonly [number, Handler])[] = [
  ...sharedWithout(RECEIPT_CANCELLED_BY_60, VAT_SETUP),
  [44, printing.feedShort],
  [79, printing.memoryReport],
  [96, makers.setRates],
  [103, makers.receiptSumsDecimal],
  [128, makers.constants],
  [138, makers.sellDepartment],
];

export const DY_COMMANDS: CommandTable = new Map([
  ...DECIMAL_SHARED,
  [48, openings.openDy],
  [57, shortReceipt.buyerDy],
  [64, makers.lastFiscalRecordDy],
  [65, daySums.daySumsDy],
  [69, makers.reportDy],
  [76, makers.transactionDy],
  [90, makers.deviceDy],
  [113, makers.lastDocumentDy],
  [116, makers.lastQrCodeDy],
  [130, makers.voidDy],
]);

/** No logo can be loaded and no operator's password changed; the last Z record is not told. */
export const ED_COMMANDS: CommandTable = new Map([
  ...sharedWithout(OPERATOR_PASSWORD, LOGO, LAST_FISCAL_RECORD),
  [38, makers.openServiceEd],
  [44, printing.feedShort],
  [57, shortReceipt.buyerEd],
  [65, daySums.daySumsShort],
  [79, printing.memoryReportOrMonth],
  [86, makers.lastReceiptDateEd],
  [88, departments.departmentShort],
  [90, makers.deviceEd],
  [103, shortReads.receiptSumsP],
  [144, openings.openEd],
]);

export const IN_COMMANDS: CommandTable = new Map([
  ...DECIMAL_SHARED,
  [48, openings.openIn],
  [56, makers.closeIn],
  [64, makers.lastFiscalRecordIn],
  [65, daySums.daySumsIn],
  [69, makers.reportIn],
  [76, makers.transactionIn],
  [90, makers.deviceIn],
  [97, makers.ratesIn],
  [99, makers.taxNumberIn],
  [110, makers.dayPaymentsIn],
  [130, makers.voidIn],
]);
