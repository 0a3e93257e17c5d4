import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { unknownWordIssues } from "./unknown-words.ts";

const Line = Type.Object({
  name: Type.String(),
  quantity: Type.Number(),
  price: Type.Number(),
  vatGroup: Type.String(),
  department: Type.Number(),
  unit: Type.String(),
});
const Payment = Type.Object({ method: Type.String(), amount: Type.Number() });
const Modifier = Type.Object({ type: Type.String(), value: Type.Number() });
const issuesOf = (word: string) => unknownWordIssues("items.0", { [word]: 1 }, Line);

describe("an unknown word on a line of a document", () => {
  test.each([
    ["Price", "price"],
    ["pirce", "price"],
    ["vat_group", "vatGroup"],
    ["VATGroup", "vatGroup"],
    ["vatGruop", "vatGroup"],
    ["departament", "department"],
    ["quantitty", "quantity"],
    ["units", "unit"],
    ["names", "name"],
    ["unitPrice", "price"],
    ["unit_price", "price"],
    ["pricePerUnit", "price"],
    ["netPrice", "price"],
    ["prețUnitar", "price"],
    ["cena", "price"],
    ["discount", "price: lower it, or add to subtotalModifiers"],
    ["rebate", "price: lower it"],
    ["reduction", "price: lower it"],
    ["surcharge", "price: raise it, or add to subtotalModifiers"],
    ["fee", "price: raise it"],
    ["tva", "vatGroup"],
    ["vatRate", "vatGroup"],
    ["taxGroup", "vatGroup"],
    ["qty", "quantity"],
    ["cantitate", "quantity"],
    ["itemCount", "quantity"],
    ["quantityUnit", "unit"],
    ["unitOfMeasure", "unit"],
    ["uom", "unit"],
    ["dept", "department"],
  ])("%s is refused, naming %s", (word, known) => {
    expect(issuesOf(word)).toEqual([
      { path: `items.0.${word}`, message: expect.stringContaining(`the known one is ${known}`) },
    ]);
  });

  test.each([
    ...[
      "discount",
      "percent",
      "percentage",
      "isPercent",
      "pct",
      "discountPercent",
      "line_discount",
      "surcharges",
      "tax",
      "taxRate",
      "taxes",
    ],
    ...[
      "vat",
      "vatRate",
      "vatrate",
      "VAT%",
      "rate",
      "total",
      "lineTotal",
      "grandTotal",
      "subtotal",
    ],
    ...["itemTotalAmount", "discounted", "taxable", "unitDiscount"],
  ])("%s is refused, since it names money", (word) => {
    expect(issuesOf(word).map(({ path }) => path)).toEqual([`items.0.${word}`]);
  });

  test.each([
    ...["amount", "sum", "suma", "value", "net", "gross", "netAmount", "lineSum", "valoare"],
    ...["total", "lineTotal", "totalAmount"],
  ])("%s is refused, since quantity and price come to it", (word) => {
    const message = "Unknown word; the known ones are quantity and price";
    expect(issuesOf(word)).toEqual([{ path: `items.0.${word}`, message }]);
  });

  test.each([
    [Payment, "sum", "the known one is amount"],
    [Payment, "paidAmount", "the known one is amount"],
    [Payment, "total", "the known one is amount"],
    [Payment, "discount", "Known: method, amount"],
    [Payment, "qty", "Known: method, amount"],
    [Modifier, "amount", "the known one is value"],
    [Modifier, "percent", "the known one is value"],
    [Modifier, "discount", "the known one is value"],
    [Modifier, "tax", "Known: type, value"],
  ])("of another line than an item is refused by what that line has", (line, word, told) => {
    const issues = unknownWordIssues("x.0", { [word]: 1 }, line);
    expect(issues).toEqual([{ path: `x.0.${word}`, message: expect.stringContaining(told) }]);
  });

  test("of another line than an item is ignored where it has no such thing", () => {
    const words = { uom: "kg", dept: 1, tendered: 50, currency: "RON" };
    expect(unknownWordIssues("payments.0", words, Payment)).toEqual([]);
  });

  test.each([
    ...["netWeight", "grossWeight", "unitId", "lineNumber", "stockCount", "costPrice", "priceList"],
    ...["feedback", "network", "sumId", "category", "discography", "ratio", "private", "accounts"],
    ...["sku", "barcode", "note", "id", "plu", "category", "colour", "generatedAt", "taxi"],
    ...[
      "crateId",
      "syntax",
      "oldPrice",
      "productName",
      "lineId",
      "ean",
      "",
      "ü",
      "x".repeat(5_000),
    ],
  ])("%s is ignored", (word) => {
    expect(issuesOf(word)).toEqual([]);
  });

  test("may be one of a prototype", () => {
    const line: object = JSON.parse('{"__proto__":1,"constructor":2,"toString":3,"pricE":4}');
    const paths = unknownWordIssues("items.0", line, Line).map(({ path }) => path);
    expect(paths).toEqual(["items.0.pricE"]);
  });
});
