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
