/** Which handler each command has, and which of them only read. */

import type { Handler } from "./device-command.ts";
import * as reads from "./reads.ts";
import * as receipt from "./receipt.ts";
import * as sale from "./sale.ts";
import * as service from "./service.ts";

export const READS: ReadonlyMap<number, Handler> = new Map<number, Handler>([
  [0x20, reads.status],
  [0x21, reads.version],
  [0x60, reads.serialNumbers],
  [0x61, reads.registration],
  [0x62, reads.vatRates],
  [0x63, reads.decimalPoint],
  [0x64, reads.tenderNames],
  [0x65, reads.parameters],
  [0x66, reads.sensors],
  [0x68, reads.clock],
  [0x69, reads.line],
  [0x6a, reads.operator],
  [0x6d, reads.vatSums],
  [0x6e, reads.registers],
  [0x71, reads.lastNumber],
  [0x72, reads.receipt],
  [0x73, reads.lastReport],
  [0x74, reads.recordsLeft],
]);

export const CHANGES: ReadonlyMap<number, Handler> = new Map<number, Handler>([
  [0x22, service.diagnostics],
  [0x24, service.showNothing],
  [0x25, service.showLine],
  [0x26, service.showLine],
  [0x27, service.showLines],
  [0x28, service.showNothing],
  [0x2a, service.openDrawer],
  [0x2b, service.feed],
  [0x2e, service.openSlip],
  [0x2f, service.closeSlip],
  [0x30, receipt.openReceipt],
  [0x31, sale.sell],
  [0x33, receipt.subtotal],
  [0x34, sale.sellByDepartment],
  [0x35, receipt.takePayment],
  [0x36, receipt.closeInCash],
  [0x37, receipt.text],
  [0x38, receipt.close],
  [0x39, receipt.cancel],
  [0x3a, service.duplicate],
  [0x3b, service.cash],
  [0x42, service.setRates],
  [0x48, service.clock],
  [0x49, service.setLine],
  [0x4a, service.setOperator],
  [0x7c, service.report],
  [0x7d, service.operatorReport],
]);
