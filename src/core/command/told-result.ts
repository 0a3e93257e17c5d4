/**
 * What a driver tells of a device, on its way out: text is cleaned, and a value that the catalogue
 * does not allow, a negative count or a rate of 500 percent for example, is as good as not told.
 */

import { type TObject, type TSchema, TypeGuard } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { cleanTexts } from "../clean-texts.ts";
import { toDeviceText } from "../device-text.ts";
import { FiscalError } from "../errors.ts";
import { schemaCheckOf } from "../schema-check.ts";
import { CATALOGUE, type CommandType, effectOf } from "./catalogue.ts";
import { isInstant } from "./instant.ts";
import { Instant } from "./result-fields.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The result of a command of this type as it may be stored and shown. What changed something on the
 * device is told in any case.
 * @param leftOut what stands for fields that are not told, where that is not null
 * @throws FiscalError E902 when a command that only reads has nothing that could be told
 */
export function toldResult<Data>(type: CommandType, data: Data, leftOut: Fields = {}): Data {
  const schema: TObject = CATALOGUE[type].result;
  const { accepts } = schemaCheckOf(schema);
  const told = cleanTexts<unknown>(
    data,
    type === "raw_command" ? toRawText : (text) => toDeviceText(text),
  );
  if (accepts(told)) return told as Data;
  const matched = matching(schema, isFields(told) ? filled(schema, told, leftOut) : told);
  if (effectOf(type) !== "none") return matched as Data;
  if (accepts(matched) && tellsAny(schema, told)) return matched as Data;
  throw new FiscalError("E902", "The device's answer has values that nobody can use");
}

/** @param leftOut takes the place of what is not there, or does not fit */
function filled({ properties }: TObject, told: Fields, leftOut: Fields): Fields {
  const untold = Object.entries(leftOut).filter(([name]) => {
    const field = properties[name];
    return field !== undefined && !Value.Check(field, Object.hasOwn(told, name) && told[name]);
  });
  return { ...told, ...Object.fromEntries(untold) };
}

/** Of nothing that was asked for null says nothing either. */
function tellsAny({ properties }: TObject, told: unknown): boolean {
  return (
    isFields(told) &&
    Object.entries(properties).some(
      ([name, field]) =>
        Object.hasOwn(told, name) && (isFields(told[name]) || !TypeGuard.IsObject(field)),
    )
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** A raw answer keeps what separates its fields; its bytes are told beside it. */
function toRawText(text: string): string {
  return text
    .split(/([\t\n]+)/)
    .map((part, index) => (index % 2 === 0 ? toDeviceText(part) : part))
    .join("");
}

const LAST = CATALOGUE.get_last_receipt_info.result.properties;

/** Null says of these that there is none: what does not tell them has not said that. */
const LAST_NUMBERS: ReadonlySet<TSchema> = new Set<TSchema>([
  LAST.lastReceipt.properties.receiptNumber,
  LAST.lastDocumentNumber,
]);

/**
 * The value with null in place of whatever does not match its schema or is left out, as far as that may
 * be null, and without what need not be there. An instant is told in UTC, in whatever zone it came.
 */
function matching(schema: TSchema, value: unknown): unknown {
  if (Value.Check(schema, value)) return value;
  // It is told, and nobody knows what.
  if (LAST_NUMBERS.has(schema)) return value;
  if (schema.pattern === Instant.pattern && typeof value === "string" && isInstant(value)) {
    return new Date(value).toISOString();
  }
  if (TypeGuard.IsUnion(schema)) {
    const [known] = schema.anyOf.filter((one) => !TypeGuard.IsNull(one));
    const matched = known && matching(known, value);
    return Value.Check(schema, matched) ? matched : null;
  }
  if (TypeGuard.IsArray(schema)) {
    const items: unknown = value;
    return Array.isArray(items)
      ? items.map((item: unknown) => matching(schema.items, item))
      : value;
  }
  return TypeGuard.IsObject(schema) && isFields(value) ? matchingFields(schema, value) : value;
}

function matchingFields({ properties, required = [] }: TObject, value: Fields): Fields {
  const told = Object.entries(value).flatMap(([name, inner]) => {
    // A name like `constructor` is no field of the schema, though every object has it.
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field === undefined) return [[name, inner]];
    const matched = matching(field, inner);
    if (Value.Check(field, matched)) return [[name, matched]];
    return required.includes(name) || LAST_NUMBERS.has(field)
      ? [[name, untold(field) ?? matched]]
      : [];
  });
  const leftOut = required.flatMap((name) => {
    const field = Object.hasOwn(value, name) ? undefined : properties[name];
    const nothing = field && untold(field);
    return nothing === undefined ? [] : [[name, nothing]];
  });
  return Object.fromEntries([...told, ...leftOut]);
}

/** What says of a field that it is not told; undefined where nothing does. */
function untold(field: TSchema): unknown {
  if (LAST_NUMBERS.has(field)) return undefined;
  const nothing = TypeGuard.IsObject(field) ? matchingFields(field, {}) : null;
  return Value.Check(field, nothing) ? nothing : undefined;
}
