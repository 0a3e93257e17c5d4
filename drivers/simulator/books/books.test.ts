import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  LINE,
  OPEN,
  removeFolders,
  SMALL_MODEL,
  SmallDevice,
  START,
} from "../testing/small-device.ts";
import { DAY_MS } from "./books.ts";
import {
  addText,
  cancelReceipt,
  closeReceipt,
  openSale,
  openStorno,
  pay,
  sellLine,
  takeSubtotal,
} from "./receipt-rules.ts";
import { sumOf } from "./reckoning.ts";
import {
  addServiceLine,
  closeDay,
  closeServiceText,
  moveCash,
  openServiceText,
  printDuplicate,
  printReport,
  setClock,
  setOperator,
  setVat,
} from "./service-rules.ts";

afterAll(removeFolders);

let device: SmallDevice;
beforeEach(() => {
  device = new SmallDevice();
});
afterEach(() => device.file.close());

const CASH = { tender: "cash", amountMinor: undefined };
const STORNO = {
  ...OPEN,
  reason: "refund",
  original: {
    number: 1,
    issuedAt: START,
    fiscalMemory: "00000001",
    uniqueSaleNumber: undefined,
  },
  ownFiscalMemory: "00000001",
  rebuild: false,
} as const;

describe("a fiscal day", () => {
  test("adds up receipts, stornos, tenders and cash to the cent", () => {
    device.allow(moveCash(device.context, 5_000));
    device.print({ priceMinor: 333, quantityMilli: 1500 });
    device.allow(openSale(device.context, OPEN));
    device.allow(sellLine(device.context, { ...LINE, priceMinor: 1_001, group: 1 }));
    device.allow(sellLine(device.context, { ...LINE, priceMinor: 999, group: 3 }));
    device.allow(
      takeSubtotal(device.context, {
        printed: true,
        adjustment: { kind: "percent", basisPoints: -1_000 },
      }),
    );
    device.allow(pay(device.context, { tender: "card", amountMinor: 800 }));
    device.allow(pay(device.context, { tender: "cash", amountMinor: 2_000 }));
    device.allow(closeReceipt(device.context));
    device.allow(
      openStorno(device.context, { ...STORNO, original: { ...STORNO.original, number: 2 } }),
    );
    device.allow(sellLine(device.context, { ...LINE, priceMinor: 100 }));
    device.allow(pay(device.context, CASH));
    device.allow(closeReceipt(device.context));
    device.allow(moveCash(device.context, -1_000));

    const { day, cashMinor, turnoverMinor } = device.books;
    // 3.33 * 1.5 = 4.995, so 5.00; then 20.00 less a tenth.
    expect(day.sales).toEqual([901, 500, 899, 0, 0, 0, 0, 0]);
    expect(day.stornos).toEqual([0, 100, 0, 0, 0, 0, 0, 0]);
    expect(day).toMatchObject({
      saleCount: 2,
      stornoCount: 1,
      salePayments: { cash: 1_500, card: 800 },
      stornoPayments: { cash: 100 },
      discountCount: 1,
      discountMinor: 200,
      cashInMinor: 5_000,
      cashOutMinor: 1_000,
    });
    expect(sumOf(day.sales)).toBe(1_500 + 800);
    expect(cashMinor).toBe(5_000 + 1_500 - 100 - 1_000);
    expect(turnoverMinor).toBe(2_300 - 100);
  });

  test("opens with its first receipt and is over after 24 hours", () => {
    expect(device.books.day.openedAt).toBeNull();
    device.print();
    expect(device.books.day.openedAt).toBe(START);
    device.now = START + DAY_MS;
    device.print();
    device.now += 1;
    expect(device.refusal(openSale(device.context, OPEN))).toBe("day_over");
    device.allow(closeDay(device.context));
    expect(device.books.day).toMatchObject({ openedAt: null, saleCount: 0, documentCount: 0 });
    expect(device.books.zRecords).toMatchObject([{ zNumber: 1, saleCount: 2, documentNumber: 3 }]);
  });

  test("lets an open receipt be finished when it is over", () => {
    device.allow(openSale(device.context, OPEN));
    device.now = START + 2 * DAY_MS;
    device.allow(sellLine(device.context, LINE));
    device.allow(pay(device.context, CASH));
    device.allow(closeReceipt(device.context));
    expect(device.books.receipts.count).toBe(1);
  });
});

describe("limits of the model", () => {
  test("stop lines, documents and Z records", () => {
    device.allow(openSale(device.context, OPEN));
    for (let line = 0; line < 5; line += 1) device.allow(sellLine(device.context, LINE));
    expect(device.refusal(sellLine(device.context, LINE))).toBe("too_many_lines");
    device.allow(cancelReceipt(device.context));
    for (let z = 0; z < 3; z += 1) device.allow(closeDay(device.context));
    expect(device.refusal(closeDay(device.context))).toBe("fiscal_memory_full");
    expect(device.refusal(openSale(device.context, OPEN))).toBe("fiscal_memory_full");
  });

  test("stop documents when the journal is full", () => {
    for (let document = 0; document < 20; document += 1) {
      device.allow(printReport(device.context, "x_report"));
    }
    expect(device.refusal(openSale(device.context, OPEN))).toBe("journal_full");
    expect(device.refusal(printReport(device.context, "x_report"))).toBe("journal_full");
  });

  test("stop sums that no register holds", () => {
    device.allow(openSale(device.context, OPEN));
    device.allow(sellLine(device.context, { ...LINE, priceMinor: 9_999_999_999 }));
    expect(device.refusal(sellLine(device.context, LINE))).toBe("overflow");
    device.allow(cancelReceipt(device.context));
    device.allow(moveCash(device.context, 9_999_999_999));
    expect(device.refusal(moveCash(device.context, 1))).toBe("overflow");
  });

  test("stop text without end", () => {
    device.allow(openServiceText(device.context));
    for (let line = 0; line < 2_000; line += 1) device.allow(addServiceLine(device.context, "x"));
    expect(device.refusal(addServiceLine(device.context, "x"))).toBe("too_many_lines");
    device.allow(closeServiceText(device.context));
    device.allow(openSale(device.context, OPEN));
    for (let line = 0; line < 2_000; line += 1) device.allow(addText(device.context, "x"));
    expect(device.refusal(addText(device.context, "x"))).toBe("too_many_lines");
  });
});

describe("an open document", () => {
  test("keeps every other document out", () => {
    device.print();
    device.allow(openSale(device.context, OPEN));
    for (const decision of [
      openSale(device.context, OPEN),
      openStorno(device.context, STORNO),
      openServiceText(device.context),
      moveCash(device.context, 100),
      printReport(device.context, "x_report"),
      closeDay(device.context),
      printDuplicate(device.context),
      setClock(device.context, START + 1, false),
      setVat(device.context, [...SMALL_MODEL.vat]),
      setOperator(device.context, { operator: 1, password: "0000", change: { name: "B" } }),
    ]) {
      expect(decision).toEqual({ refused: "fiscal_receipt_open" });
    }
    expect(device.refusal(addServiceLine(device.context, "x"))).toBe("no_service_text_open");
    expect(device.refusal(closeServiceText(device.context))).toBe("no_service_text_open");
  });
});

describe("programming", () => {
  test("gives out a limited number of VAT changes", () => {
    const vat = [...SMALL_MODEL.vat];
    device.allow(setVat(device.context, vat));
    device.allow(setVat(device.context, vat));
    expect(device.refusal(setVat(device.context, vat))).toBe("vat_changes_used_up");
  });

  test("keeps the rates a closed day was printed with", () => {
    device.print();
    device.allow(closeDay(device.context));
    device.allow(setVat(device.context, [{ rateBasisPoints: 500, enabled: true }]));
    expect(device.books.zRecords[0]?.rates[1]).toEqual({ rateBasisPoints: 2000, enabled: true });
  });
});
