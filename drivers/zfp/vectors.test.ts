/** The golden frames through the command layer: what we send is, byte for byte, what others sent. */

import { describe, expect, test } from "bun:test";
import type { FiscalDocument, ReceiptItem, StornoDocument } from "#core/receipt.ts";
import { isVatGroup } from "#core/vat.ts";
import { encodeText } from "../shared/codepage.ts";
import { formatClock } from "./clock-text.ts";
import { DEVICE_COMMANDS, type DeviceCommandName } from "./device-commands.ts";
import { v1 } from "./dialects/v1.ts";
import { v2 } from "./dialects/v2.ts";
import { encodeRequest } from "./frame.ts";
import { paymentData, planDocument } from "./plan.ts";
import { vectorOf } from "./testdata/vectors.ts";

const SOFIA = "Europe/Sofia";
const OPTIONS = { tenders: v1.tenders, timezone: SOFIA, vatRates: ["0.00"] };
const CHEESE = itemOf({ name: "Cheese", priceMinor: 1_890, quantityMilli: 345 });

function itemOf(item: Pick<ReceiptItem, "name" | "priceMinor" | "quantityMilli">): ReceiptItem {
  const vatGroup = "VAT2";
  if (!isVatGroup(vatGroup)) throw new RangeError(vatGroup);
  return { ...item, vatGroup, department: undefined, unit: undefined };
}

const STORNO: StornoDocument = {
  kind: "storno",
  reason: "tax-base-reduction",
  items: [CHEESE],
  payments: [{ method: "cash", amountMinor: 652 }],
  uniqueSaleNumber: undefined,
  operatorId: undefined,
  operatorPassword: undefined,
  original: {
    receiptNumber: "999999",
    issuedAt: Date.UTC(2025, 11, 31, 21, 59, 59),
    fiscalMemorySerialNumber: "50163145",
    zReportNumber: undefined,
  },
};

function openingOf(document: FiscalDocument): string {
  return planDocument(document, OPTIONS).opening;
}

function saleOf(document: FiscalDocument): string | Uint8Array {
  return planDocument(document, OPTIONS).lines[0]?.data ?? "";
}

const SAME: readonly (readonly [string, DeviceCommandName, string | Uint8Array])[] = [
  ["vendor_v_status", "status", ""],
  ["vendor_v_version", "version", ""],
  ["js_fdnum", "serialNumbers", ""],
  ["js_vat_get", "vatRates", ""],
  ["js_detstatus", "sensors", ""],
  ["js_dt_get", "clock", ""],
  ["js_hdr_get7", "line", "7"],
  ["js_oper_get", "operator", "1"],
  ["vendor_v_dailyvat", "vatSums", ""],
  ["js_lastnum", "lastNumber", ""],
  ["js_curinfo", "receipt", ""],
  ["js_lastqr", "receipt", "B"],
  ["js_storno_tax", "openReceipt", openingOf(STORNO)],
  ["js_sale_qty3", "sale", saleOf(STORNO)],
  ["js_pay_cash", "payment", paymentData({ method: "cash", amountMinor: 1_000 }, v1.tenders)],
  ["js_pay_card", "payment", paymentData({ method: "card", amountMinor: 1_234 }, v1.tenders)],
  ["js_pay_10", "payment", paymentData({ method: "reserved2", amountMinor: 100 }, v1.tenders)],
  ["js_pay_v2_check", "payment", paymentData({ method: "check", amountMinor: 750 }, v2.tenders)],
  ["js_text_cyr", "text", "Благодарим Ви!"],
  ["js_close", "closeReceipt", ""],
  ["vendor_v_cancel", "cancelReceipt", ""],
  ["js_dup", "duplicate", ""],
  ["js_ra", "moveCash", "1;0000;0;100.00"],
  ["js_dt_set2", "setClock", formatClock(Date.UTC(2026, 11, 31, 22), SOFIA)],
  ["js_hdr_set1", "setLine", "1;MY SHOP LTD"],
  ["js_ftr_set", "setLine", "8;THANK YOU"],
  ["vendor_v_drawer", "openDrawer", ""],
  ["js_nf_close", "closeSlip", ""],
  ["js_x", "xReport", "X"],
  ["vendor_v_z", "zReport", "Z"],
];

describe("what we send is what others sent", () => {
  for (const [name, command, data] of SAME) {
    test(`${name} as ${command}`, () => {
      const { request, parts } = vectorOf(name);
      const bytes = encodeRequest({
        nbl: parts?.nbl ?? 0,
        command: DEVICE_COMMANDS[command].command,
        data: typeof data === "string" ? encodeText(data, "windows-1251") : data,
      });
      expect(Buffer.from(bytes).toString("hex")).toBe(Buffer.from(request).toString("hex"));
    });
  }
});
