/** `GET /reports/journal`: the file is judged by libxml2 and the schema that the gateway serves. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { XmlDocument, type XmlElement, XsdValidator } from "libxml2-wasm";
import type { Scope } from "#core/access.ts";
import { PAYMENT_METHODS } from "#core/receipt.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { rejection } from "../../platform/testing/rejection.ts";
import { SALE } from "../commands/testing/commands-bench.ts";
import { SLICE_ROWS } from "./books.ts";
import { JOURNAL_NAMESPACE } from "./journal.ts";
import {
  createReportsBench,
  FIGURES,
  REPORTS,
  type ReportsBench,
} from "./testing/reports-bench.ts";
import { escaped } from "./xml.ts";

const JOURNAL = `${REPORTS}/journal`;
const SCHEMA = "/api/v1/schemas/journal.xsd";

let bench: ReportsBench;
beforeEach(async () => {
  bench = await createReportsBench();
});
afterEach(() => bench.close());

/** Elements that a path finds, each prefix `j:` being the journal's. */
function find(document: XmlDocument, path: string): XmlElement[] {
  return document.find(path, { j: JOURNAL_NAMESPACE }) as XmlElement[];
}

/** The value of an attribute; undefined where it was left out. */
const attributeOf = (found: XmlElement | undefined, name: string) => found?.attr(name)?.value;

async function schemaOf(client = bench.client): Promise<string> {
  const answer = await client.get(SCHEMA);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "application/xml; charset=utf-8",
  ]);
  return answer.text;
}

/** @throws Error naming the line that breaks a rule of the schema */
async function validate(text: string): Promise<XmlDocument> {
  using schema = XmlDocument.fromString(await schemaOf());
  using validator = XsdValidator.fromDoc(schema);
  const document = XmlDocument.fromString(text);
  validator.validate(document);
  return document;
}

async function journal(query = ""): Promise<XmlDocument> {
  const answer = await bench.office.get(`${JOURNAL}?${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return validate(answer.text);
}

const ids = (document: XmlDocument, path: string) =>
  find(document, path).map((found) => attributeOf(found, "id"));

describe("the file", () => {
  test("is an attachment of XML", async () => {
    const { status, headers } = await bench.office.get(JOURNAL);
    expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
      200,
      "application/xml; charset=utf-8",
      'attachment; filename="journal.xml"',
    ]);
  });

  test("of a day with everything keeps to its schema", async () => {
    const number = await bench.sell({
      items: [
        { name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1", department: 3, unit: "pc" },
        { name: "Apples", quantity: 1.333, price: 4.5, vatGroup: "exempt" },
      ],
      subtotalModifiers: [
        { type: "discount-amount", value: 1 },
        { type: "surcharge-amount", value: 1 },
      ],
      payments: [{ method: "card", amount: 9 }],
      customerCif: "RO123",
      uniqueSaleNumber: "DT000600-0001-0000001",
    });
    await bench.reverse(number);
    await bench.store({ type: "refund", issuedAt: bench.clock.now() });
    await bench.report("x_report", { ...FIGURES, vat: null, payments: null });
    await bench.report("z_report", {
      ...FIGURES,
      vat: [{ group: "VAT1", rate: 5.5, turnover: -3, tax: null }],
      totals: { gross: -3, reversals: null, cashIn: 0, cashOut: null, cashBalance: 1e9 },
    });
    await bench.report("z_report", { type: "z_report" });
    const document = await journal();
    expect(find(document, "//j:receipt")).toHaveLength(3);
    expect(find(document, "//j:report")).toHaveLength(3);
    const [sale] = find(document, "//j:receipt[@type='sale']");
    expect(attributeOf(sale, "total")).toBe("9.00");
    const apples = find(document, "//j:item[@name='Apples']")[0];
    expect(
      ["quantity", "price", "total", "department"].map((name) => attributeOf(apples, name)),
    ).toEqual(["1.333", "4.50", "6.00", undefined]);
    const [, z] = find(document, "//j:report/j:totals");
    expect([attributeOf(z, "gross"), attributeOf(z, "cashBalance")]).toEqual([
      "-3.00",
      "1000000000.00",
    ]);
    const end = find(document, "/j:journal/j:end")[0];
    expect([attributeOf(end, "receipts"), attributeOf(end, "reports")]).toEqual(["3", "3"]);
  });

  test("of a shop without anything keeps to its schema too", async () => {
    const document = await journal();
    expect(find(document, "//j:device")).toEqual([]);
    expect(attributeOf(document.root, "organizationId")).toBe(bench.orgId);
  });

  test("has each device's entries in the order of its books", async () => {
    const second = await bench.addDevice("Second");
    await bench.sell();
    await bench.report("z_report");
    await bench.sell();
    await bench.sell(SALE, second);
    await bench.report("x_report");
    const document = await journal();
    expect(ids(document, "//j:device")).toEqual([bench.deviceId, second]);
    expect(find(document, "//j:device[1]/*").map(({ name }) => name)).toEqual([
      ...["receipt", "report", "receipt", "report"],
    ]);
    expect(ids(await journal(`deviceId=${second}`), "//j:device")).toEqual([second]);
  });

  test("takes in the first instant of its span and leaves out the last", async () => {
    const [from, to] = [Date.parse("2026-01-10T00:00:00Z"), Date.parse("2026-01-11T00:00:00Z")];
    await bench.store(...[from - 1, from, to - 1, to].map((issuedAt) => ({ issuedAt })));
    const span = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
    const found = find(await journal(span), "//j:receipt");
    expect(found.map((receipt) => attributeOf(receipt, "bookedAt"))).toEqual([
      ...["2026-01-10T00:00:00.000Z", "2026-01-10T23:59:59.999Z"],
    ]);
  });

  test("is whole however long it is", async () => {
    const many = 2 * SLICE_ROWS + 1;
    await bench.store(...Array.from({ length: many }, () => ({ issuedAt: 1_700_000_000_000 })));
    const document = await journal();
    expect(new Set(ids(document, "//j:receipt")).size).toBe(many);
    expect(attributeOf(find(document, "//j:end")[0], "receipts")).toBe(String(many));
  });

  test("has a device that was removed, by its id", async () => {
    await bench.sell();
    await bench.owner.delete(`/api/v1/devices/${bench.deviceId}`);
    const [device] = find(await journal(), "//j:device");
    expect([attributeOf(device, "id"), attributeOf(device, "name")]).toEqual([
      bench.deviceId,
      undefined,
    ]);
  });

  test.each([...PAYMENT_METHODS])("knows the tender %s", async (method) => {
    await bench.store({ issuedAt: 1, payments: [{ method, amountMinor: 100 }] });
    expect(attributeOf(find(await journal(), "//j:payment")[0], "method")).toBe(method);
  });
});

describe("a text", () => {
  const named = (name: string): Partial<StoredReceipt> => ({
    issuedAt: 1,
    items: [
      {
        ...{ name, quantityMilli: 1_000, priceMinor: 100, vatGroup: "VAT1" as never },
        ...{ department: undefined, unit: undefined },
      },
    ],
  });

  test.each([
    ['<Tom & "Jerry\'s">'],
    ["]]> <!-- &amp; &#65; -->"],
    [" two  blanks "],
    ["line\nline\r\nline\ttab"],
    ["\u007f and \u0085 and \u009f"],
    ["Кафе ☕ 😀 \u{10ffff}"],
  ])("%j comes back as it was", async (name) => {
    await bench.store(named(name));
    expect(attributeOf(find(await journal(), "//j:item")[0], "name")).toBe(name);
  });

  test("has U+FFFD for what XML cannot hold", async () => {
    const bad = ["\u0000", "\u0001", "\u0008", "\u000b", "\u001f", "\ufffe", "\uffff", "\ud800"];
    expect(bad.map((character) => escaped(`a${character}b`))).toEqual(bad.map(() => "a\u{fffd}b"));
    await bench.store(named(bad.slice(1, -1).join("-")));
    const name = attributeOf(find(await journal(), "//j:item")[0], "name");
    expect(name).toBe(
      bad
        .slice(1, -1)
        .map(() => "\u{fffd}")
        .join("-"),
    );
  });
});

describe("the schema", () => {
  test.each([
    ["another tender", 'method="cash"', 'method="barter"'],
    ["three decimals", 'amount="3.00"', 'amount="3.001"'],
    ["another element", "<item ", "<thing "],
    ["an unknown attribute", "<item ", '<item colour="red" '],
    ["another VAT group", 'vatGroup="VAT1"', 'vatGroup="VAT17"'],
    ["a time without zone", /bookedAt="([^"]+)Z"/, 'bookedAt="$1"'],
    ["a file that was cut off", /\n<end.*\/>/, ""],
    ["another namespace", "journal:1", "journal:2"],
  ])("refuses %s", async (_, right, wrong) => {
    await bench.sell();
    const { text } = await bench.office.get(JOURNAL);
    const changed = text.replace(right, wrong);
    expect(changed).not.toBe(text);
    await validate(text);
    await rejection(validate(changed));
  });

  test("is there for everybody, and may be kept", async () => {
    const { headers } = await bench.client.get(SCHEMA);
    expect(headers.get("cache-control")).toBe("public, max-age=86400");
  });
});

describe("whoever asks", () => {
  test("needs a credential with the scope", async () => {
    expect((await bench.client.get(JOURNAL)).refusal).toBe("401 UNAUTHORIZED");
    for (const scope of ["receipts:admin", "commands"] as const satisfies Scope[]) {
      const caller = bench.client.as(await bench.makeKey([scope]));
      expect((await caller.get(JOURNAL)).refusal).toBe("403 FORBIDDEN");
    }
  });

  test("gets the journal of the own organization alone", async () => {
    const other = await bench.otherShop();
    await bench.sell();
    const { text } = await other.client.get(JOURNAL);
    expect(find(await validate(text), "//j:device")).toEqual([]);
    for (const deviceId of ["dev_none", bench.deviceId]) {
      const answer = await other.client.get(`${JOURNAL}?deviceId=${deviceId}`);
      expect(answer.refusal).toBe("404 NOT_FOUND");
    }
  });

  test.each(["from=2036-01-01T00:00:00Z", "from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z"])(
    "with %s, a period of nothing, is empty",
    async (query) => {
      await bench.sell();
      const answer = await bench.office.get(`${JOURNAL}?${query}`);
      expect(answer.status).toBe(200);
      expect(find(await validate(answer.text), "//j:receipt")).toEqual([]);
    },
  );

  test.each([
    ["from=yesterday", "from"],
    ["to=2026-01-01", "to"],
    ["from=2026-01-02T00:00:01Z&to=2026-01-02T00:00:00Z", "from"],
    ["deviceId=", "deviceId"],
  ])("with %s is refused by its name", async (query, path) => {
    const answer = await bench.office.get(`${JOURNAL}?${query}`);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
  });
});
