/** Table of what requests have to keep to beyond their schemas, for the fuzz tests. */

import fc, { type Arbitrary } from "fast-check";
import { AMOUNT_MINOR_MAX, QUANTITY_MILLI_MAX } from "#core/limits.ts";
import { fromMinor, lineTotalMinor, toMilli, toMinor } from "#core/money.ts";
import type { Made } from "../../../http/testing/schema-values.ts";
import type { Operation } from "./operations.ts";
import { Known } from "./requests.ts";

/** One rule that no schema says. */
export interface Rule {
  /** Operations, by name. */
  readonly on: RegExp;
  /** What a refusal names; `*` stands for the number of an item. */
  readonly names: RegExp;
  /** What it says, and why no schema does. */
  readonly why: string;
  /** The values that keep to it, as `body.items.*.price`. */
  readonly at: RegExp;
  /** Makes values that keep to it; absent where only one that the shop knows does. */
  readonly keep?: (made: Arbitrary<unknown>, of: Made) => Arbitrary<unknown>;
}

const DAY_MS = 86_400_000;
const DOCUMENT = /POST .*\/(commands|receipts|storno|reversal)$/;
const LINE = "(items|payments|subtotalModifiers)\\.\\*";

const CENTS = mostly(500_000, AMOUNT_MINOR_MAX).map((minor) => minor / 100);
const THOUSANDTHS = mostly(50_000, QUANTITY_MILLI_MAX).map((milli) => milli / 1_000);
const HUNDREDTHS = fc.integer({ min: 0, max: 10_000 }).map((percent) => percent / 100);

/** From 1 to what is usual, and now and then to what is allowed. */
function mostly(usual: number, most: number): Arbitrary<number> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: usual }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: most }) },
    { weight: 1, arbitrary: fc.constant(most) },
  );
}

/** Instants of so many days since the clock of the benches was set. */
function instants(min: number, max: number): Arbitrary<string> {
  const start = Date.UTC(2026, 0, 15, 10);
  return fc
    .integer({ min: min * DAY_MS, max: max * DAY_MS })
    .map((ms) => new Date(start + ms).toISOString());
}

const TCP = fc.record({
  host: fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9._%-]{1,40}$/),
    fc.ipV6(),
    fc.constant("fe80::1%eth0"),
  ),
  port: fc.integer({ min: 1, max: 65_535 }),
});
const BLUETOOTH = fc.constant({ address: "00:12:F3:0A:1b:2C#3" });
const SERIAL = fc.constantFrom(
  { address: "/dev/ttyUSB0?baud=9600&parity=even" },
  { address: "COM3" },
);

export const RULES: readonly Rule[] = [
  {
    on: DOCUMENT,
    names: /(^|\.)(items|lines)\.\*\.quantity$/,
    why: "at most 3 decimals: validators decide multipleOf in binary fractions, wrongly",
    at: /\.(items|lines)\.\*\.quantity$/,
    keep: () => THOUSANDTHS,
  },
  {
    on: DOCUMENT,
    names: new RegExp(`^(payload\\.)?(amount|expectedAmount|${LINE}\\.(price|amount|value))$`),
    why: "at most 2 decimals: as above",
    at: new RegExp(`\\.(${LINE}\\.(price|amount|value)|payload\\.amount|expectedAmount)$`),
    keep: () => CENTS,
  },
  {
    on: /POST .*\/(commands|vat-rates)$/,
    names: /(^|\.)rates\.\*\.rate$/,
    why: "at most 2 decimals: as above",
    at: /\.rates\.\*\.rate$/,
    keep: () => HUNDREDTHS,
  },
  {
    on: /POST .*\/(commands|vat-rates)$/,
    names: /(^|\.)rates\.\*\.(group|rate)$/,
    why: "each group once, exempt at 0: uniqueItems compares whole items",
    at: /\.rates$/,
    keep: (made) => made.map(vatTable),
  },
  {
    on: DOCUMENT,
    names: /(^|\.)(items|payments|subtotalModifiers\.\*\.value)$/,
    why: "what is paid is what items and adjustments come to, below any amount: a sum of products",
    at: /^body$/,
    keep: (made) => made.map(balanced),
  },
  {
    on: /POST .*\/(commands|storno|reversal)$/,
    names: /(^|\.)payments\.\*\.(method|type)$/,
    why: "a tender has one of two names, or both alike: schemas compare no two values",
    at: /\.payments\.\*$/,
    keep: (made) => made.map(withTender),
  },
  {
    on: DOCUMENT,
    names: new RegExp(`^(payload\\.)?${LINE}\\..+$`),
    why: "no word near a known one, or of discounts, taxes, rates, sums: a list and a distance of words",
    at: new RegExp(`\\.${LINE}$`),
    keep: (made, { schema }) => made.map((line) => withoutStrangeWords(line, schema)),
  },
  {
    on: /POST .*\/storno$/,
    names: /^lines(\.\*\.line)?$/,
    why: "each line once, and no items beside them: uniqueItems compares whole entries",
    at: /^body$/,
    keep: (made) => made.map(withLinesOnce),
  },
  {
    on: /POST .*\/resolve$/,
    names: /^fiscalId$/,
    why: "of what was printed alone: a condition, which the description tells",
    at: /^body$/,
    keep: (made) => made.map(withNumberOfPrinted),
  },
  {
    on: /POST .*\/receipts$/,
    names: /^originalReceiptId$/,
    why: "for a refund or a storno, not for a sale: a condition, which the description tells",
    at: /^body$/,
    keep: (made) => made.map(withOriginal),
  },
  {
    on: /POST .*\/(commands|set-datetime|reversal)$/,
    names: /(^|\.)(datetime|originalReceiptDateTime)$/,
    why: "a time of the device, with an offset or without: no format has both",
    at: /\.(datetime|originalReceiptDateTime)$/,
    keep: () =>
      fc.oneof(
        instants(-900, 0),
        instants(-900, 0).map((text) => text.slice(0, 19)),
      ),
  },
  {
    on: /\/(commands|receipts|reports|export|summary|journal|api-keys|controllers\/\{controllerId\})$/,
    names: /^(from|to|issuedAt|connectedAt|expiresAt)$/,
    why: "a year of four digits in UTC as well: a format looks at what is written",
    at: /^(query|body)\.(from|to|issuedAt|connectedAt|expiresAt)$/,
    keep: (made) => made.filter((text) => new Date(String(text)).toISOString().length === 24),
  },
  {
    on: /(POST|PATCH) .*\/(auth\/register|org|org\/locations.*)$/,
    names: /^timezone$/,
    why: "a zone that this machine's runtime has: the list changes every year",
    at: /^body\.timezone$/,
    keep: () => fc.constantFrom("UTC", "Europe/Bucharest", "America/St_Johns", "europe/sofia"),
  },
  {
    on: /(POST|PATCH) .*\/(auth\/register|org)$/,
    names: /^currency$/,
    why: "a currency of ISO 4217: as above",
    at: /^body\.currency$/,
    keep: () => fc.constantFrom("RON", "EUR", "BGN", "JPY"),
  },
  {
    on: /POST .*\/auth\/(refresh|logout)$/,
    names: /^refreshToken$/,
    why: "unless a cookie stands for it, by a header: no schema has both",
    at: /^body$/,
    keep: (made) =>
      made.map((body) => ({ refreshToken: new Known("body.refreshToken"), ...fieldsOf(body) })),
  },
  {
    on: /POST .*\/receipts$/,
    names: /^issuedAt$/,
    why: "no more than a day ahead: no schema knows the time",
    at: /^body\.issuedAt$/,
    keep: () => instants(-900, 1),
  },
  {
    on: /POST .*\/org\/api-keys$/,
    names: /^expiresAt$/,
    why: "in the future: no schema knows the time",
    at: /^body\.expiresAt$/,
    keep: () => instants(1, 900),
  },
  {
    on: /(POST|PATCH) .*\/org\/webhooks(\/\{webhookId\})?$/,
    names: /^url$/,
    why: "https, without a user, not at this machine: names are looked up",
    at: /^body\.url$/,
    keep: () => fc.tuple(fc.domain(), fc.webPath()).map((parts) => `https://${parts.join("")}`),
  },
  {
    on: /POST .*\/replay$/,
    names: /^deliveryId$/,
    why: "a delivery of this webhook",
    at: /^body\.deliveryId$/,
  },
  {
    on: /(POST|PATCH) .*\/devices(\/\{deviceId\})?$/,
    names: /^connectionParams\..+$/,
    why: "for the device's transport, which a change need not name",
    at: /^body$/,
    keep: (made) => fc.tuple(made, TCP, BLUETOOTH, SERIAL).map(reachable),
  },
  {
    on: /POST .*\/devices\/detect$/,
    names: /^(host|port|address)$/,
    why: "for the transport, which may be left out: the descriptions tell",
    at: /^body$/,
    keep: (made) =>
      fc.tuple(made, fc.oneof(TCP, BLUETOOTH, SERIAL, fc.constant({}))).map(lookedFor),
  },
  {
    on: /PATCH /,
    names: /^$/,
    why: "a property that is known: others are ignored, though minProperties counts them",
    at: /^body$/,
    keep: (made, { schema }) => made.filter((body) => knownWords(body, schema).length > 0),
  },
  {
    on: /GET .*\/(audit|alerts|commands|receipts|reports)$/,
    names: /^startAfter$/,
    why: "a row of the list",
    at: /^query\.startAfter$/,
  },
  {
    on: /GET .*\/(audit|commands|receipts|export|reports|summary|journal)$/,
    names: /^(from|to)$/,
    why: "an end behind the beginning, in a span that can be summed up: schemas compare no values",
    at: /^query\.(from|to)$/,
    keep: (_, { place }) => (place === "query.from" ? instants(-20, -10) : instants(-9, 10)),
  },
];

/** The rules of an operation. */
export function rulesOf({ name }: Operation): readonly Rule[] {
  return RULES.filter(({ on }) => on.test(name));
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => Object(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function knownWords(value: unknown, schema: Made["schema"]): readonly [string, unknown][] {
  const known = Object.keys(fieldsOf(schema.properties));
  return Object.entries(fieldsOf(value)).filter(([name]) => known.includes(name));
}

/** Other words are ignored. */
function withoutStrangeWords(line: unknown, schema: Made["schema"]): unknown {
  return { ...Object.fromEntries(knownWords(line, schema)), sku: "A-1" };
}

/** False for a line that has no worth, because it has too many decimals. */
function isExact(line: unknown): boolean {
  const { quantity, price } = fieldsOf(line);
  return toMilli(Number(quantity)) !== undefined && toMinor(Number(price)) !== undefined;
}

/** Pays what the items come to, which is no more than may be paid. */
function balanced(made: unknown): unknown {
  const { payload, ...body } = fieldsOf(made);
  if (payload !== undefined) return { ...body, payload: balanced(payload) };
  const { payments, subtotalModifiers, ...others } = body;
  if (others.items === undefined) return others;
  if (!listOf(others.items).every(isExact)) return body;
  const items = affordable(listOf(others.items).map(fieldsOf));
  const totalMinor = totalMinorOf(items);
  const [modifier] = listOf(subtotalModifiers);
  const cancelling = cancellingOf(fieldsOf(modifier), totalMinor);
  // A payment is a cent at least, and a cent too much is not minded.
  const amount = fromMinor(Math.max(1, totalMinor));
  return {
    ...others,
    items,
    ...(subtotalModifiers !== undefined && { subtotalModifiers: modifier ? cancelling : [] }),
    ...(payments !== undefined && { payments: [{ ...fieldsOf(listOf(payments)[0]), amount }] }),
  };
}

/** As much added as is taken off again: none where there is nothing, or no more may be added. */
function cancellingOf(modifier: Fields, totalMinor: number): readonly Fields[] {
  const mostMinor = AMOUNT_MINOR_MAX - totalMinor;
  if (totalMinor === 0 || mostMinor === 0) return [];
  const given = Number(modifier.value);
  const value = given > fromMinor(mostMinor) ? fromMinor(mostMinor) : modifier.value;
  return ["surcharge-amount", "discount-amount"].map((type) => ({ ...modifier, value, type }));
}

/** Little of each, where it would be too much. */
function affordable(items: readonly Fields[]): readonly Fields[] {
  if (totalMinorOf(items) <= AMOUNT_MINOR_MAX) return items;
  return items.map((item) => ({ ...item, quantity: 0.001 }));
}

function totalMinorOf(items: readonly Fields[]): number {
  return items.reduce((sum, { price, quantity }) => {
    const [priceMinor, quantityMilli] = [toMinor(Number(price)), toMilli(Number(quantity))];
    return sum + lineTotalMinor(priceMinor ?? 0, quantityMilli ?? 0);
  }, 0);
}

function withTender(made: unknown): unknown {
  const { method, type, ...payment } = fieldsOf(made);
  const tender = method ?? type ?? "cash";
  return type === undefined
    ? { ...payment, method: tender }
    : { ...payment, type: tender, ...(method !== undefined && { method: tender }) };
}

function withOriginal(made: unknown): unknown {
  const { originalReceiptId = new Known("body.originalReceiptId"), ...body } = fieldsOf(made);
  return body.type === "sale" ? body : { ...body, originalReceiptId };
}

/** The first of each line, in the place of items. */
function withLinesOnce(made: unknown): unknown {
  const { lines, items, ...body } = fieldsOf(made);
  if (lines === undefined) return items === undefined ? body : { ...body, items };
  const rows = listOf(lines).map(fieldsOf);
  const isFirst = ({ line }: (typeof rows)[number], at: number): boolean =>
    rows.findIndex((row) => row.line === line) === at;
  return { ...body, lines: rows.filter(isFirst) };
}

function withNumberOfPrinted(made: unknown): unknown {
  const { fiscalId, ...body } = fieldsOf(made);
  return body.outcome === "printed" && fiscalId !== undefined ? { ...body, fiscalId } : body;
}

/** The first of each group. */
function vatTable(made: unknown): unknown {
  const rows = listOf(made).map(fieldsOf);
  return rows
    .filter(({ group }, index) => rows.findIndex((row) => row.group === group) === index)
    .map((row) => (row.group === "exempt" ? { ...row, rate: 0 } : row));
}

function reachable([made, tcp, bluetooth, serial]: readonly unknown[]): unknown {
  const { connectionParams, ...body } = fieldsOf(made);
  if (connectionParams === undefined && body.transport === undefined) return body;
  // What an earlier change left the device with is not known here.
  const { transport = "tcp" } = body;
  const params = { bluetooth, serial }[String(transport)] ?? tcp;
  return { ...body, transport, connectionParams: params };
}

function lookedFor([made, where]: readonly unknown[]): unknown {
  if (made === undefined) return undefined;
  const { drivers, controllerId } = fieldsOf(made);
  return {
    ...fieldsOf(where),
    ...(drivers !== undefined && { drivers }),
    ...(controllerId !== undefined && { controllerId }),
  };
}
