/**
 * The two small languages of a profile: templates, which write commands, and patterns, which read
 * answers. Both are literal text with fields in braces. There are no regular expressions in a
 * profile, so no profile can make the gateway search for ever: a pattern is read once, from left
 * to right.
 *
 * Templates:  `{name:nW}` an integer, zero-filled to W digits; without W as many as it has
 *             `{name:cW}` the same for an amount in cents
 *             `{name:dI.F}` a quantity as I integer and F fraction digits without a point;
 *                           `{name:d}` with a point, as short as possible
 *             `{name:lenW}` a length of W digits, then the text
 *             `{name:sW}` a text, filled with blanks to W characters
 *             `{name:raw}` a text as it is
 *             `{name:DDMMYYhhmm}` a local date and time of these letters, ss among them
 *             `[...]` is left out when the first field in it is empty
 * Patterns:   `{name:nW}` W digits, `{name:sW}` W characters, `{name:sign}` plus or minus,
 *             `{name:lenW}` a length and its text, `{name:n*}` all digits that follow,
 *             `{name:*}` the rest, `{*}` the rest unread, `{*W}` W characters unread
 */

import { FiscalError } from "#core/errors.ts";
import type { LocalTime } from "#core/local-time.ts";

/** What a field of a template is filled with. */
export type Value = string | number | LocalTime;
export type Values = Readonly<Record<string, Value>>;

/** What kind of value a field takes: money and quantities are integers (cents, thousandths). */
export type ValueKind = "integer" | "minor" | "milli" | "text" | "time";

export type TemplatePart =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "option"; readonly parts: readonly TemplatePart[] }
  | TemplateField;

export type TemplateField = { readonly kind: "field"; readonly name: string } & (
  | { readonly form: "integer" | "amount"; readonly width: number }
  | { readonly form: "fixed"; readonly whole: number; readonly fraction: number }
  | { readonly form: "decimal" | "raw" }
  | { readonly form: "length" | "padded"; readonly width: number }
  | { readonly form: "time"; readonly letters: string }
);

export type Template = readonly TemplatePart[];

/** A field of an answer; `width` 0 is "as many as there are". */
export type PatternPart =
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "digits" | "text" | "length" | "sign" | "rest";
      /** Empty for what nobody reads. */
      readonly name: string;
      readonly width: number;
    };

export type Pattern = readonly PatternPart[];

const NAME = "[a-zA-Z][a-zA-Z0-9]{0,31}";
const WIDTH_MAX = 99;
const THOUSANDTHS_DIGITS = 3;
const TIME_LETTERS = /^(?:DD|MM|YY|hh|mm|ss)+$/;

/** What is wrong with a template or a pattern, for the one who wrote it. */
export class TemplateFault extends Error {
  override readonly name = "TemplateFault";
}

/** Reads a template. @throws TemplateFault */
export function parseTemplate(text: string): Template {
  const parts: TemplatePart[] = [];
  let at = 0;
  while (at < text.length) {
    const letter = text.charAt(at);
    const close = letter === "{" ? "}" : letter === "[" ? "]" : undefined;
    if (letter === "}" || letter === "]") throw new TemplateFault(`"${letter}" closes nothing`);
    const end = close === undefined ? literalEnd(text, at) : text.indexOf(close, at);
    if (end < 0) throw new TemplateFault(`"${letter}" is not closed`);
    const inner = text.slice(close === undefined ? at : at + 1, end);
    if (letter === "{") parts.push(parseTemplateField(inner));
    else if (letter === "[") parts.push(parseOption(inner));
    else parts.push({ kind: "literal", text: inner });
    at = close === undefined ? end : end + 1;
  }
  return parts;
}

function literalEnd(text: string, from: number): number {
  const rest = text.slice(from).search(/[{}[\]]/);
  return rest < 0 ? text.length : from + rest;
}

function parseOption(inner: string): TemplatePart {
  if (inner.includes("[")) throw new TemplateFault("an optional part cannot hold another one");
  const parts = parseTemplate(inner);
  if (!parts.some(({ kind }) => kind === "field")) {
    throw new TemplateFault("an optional part needs a field that may be empty");
  }
  return { kind: "option", parts };
}

function parseTemplateField(inner: string): TemplateField {
  const named = new RegExp(`^(${NAME}):(.+)$`).exec(inner);
  if (!named) throw new TemplateFault(`{${inner}}: expected {name:form}`);
  const [, name = "", form = ""] = named;
  const field = { kind: "field", name } as const;
  if (form === "raw") return { ...field, form: "raw" };
  if (form === "d") return { ...field, form: "decimal" };
  if (TIME_LETTERS.test(form)) return { ...field, form: "time", letters: form };
  const fixed = /^d(\d{1,2})\.(\d)$/.exec(form);
  if (fixed) {
    const [whole, fraction] = [Number(fixed[1]), Number(fixed[2])];
    if (fraction <= THOUSANDTHS_DIGITS) return { ...field, form: "fixed", whole, fraction };
  }
  const sized = /^(n|c|len|s)(\d{0,2})$/.exec(form);
  const width = Number(sized?.[2] ?? 0);
  if (sized?.[1] === "n") return { ...field, form: "integer", width };
  if (sized?.[1] === "c") return { ...field, form: "amount", width };
  if (sized?.[1] === "len" && width > 0) return { ...field, form: "length", width };
  if (sized?.[1] === "s" && width > 0) return { ...field, form: "padded", width };
  throw new TemplateFault(`{${inner}}: "${form}" is no form of a field`);
}

/** All fields of a template, those in optional parts too. */
export function fieldsOf(template: Template): TemplateField[] {
  return template.flatMap((part) => {
    switch (part.kind) {
      case "literal":
        return [];
      case "field":
        return [part];
      case "option":
        return fieldsOf(part.parts);
      default:
        return part satisfies never;
    }
  });
}

const FORMS_OF: Readonly<Record<ValueKind, readonly TemplateField["form"][]>> = {
  integer: ["integer"],
  minor: ["integer", "amount"],
  milli: ["fixed", "decimal"],
  text: ["length", "padded", "raw"],
  time: ["time"],
};

/** True when a field can hold values of a kind. */
export function takes(field: TemplateField, kind: ValueKind): boolean {
  return FORMS_OF[kind].includes(field.form);
}

/**
 * Writes a command. Numbers and texts that do not fit are refused, never cut.
 * @throws FiscalError E402 for a number that is too large, E400 for a text that is too long
 */
export function render(template: Template, values: Values): string {
  return template
    .map((part) => {
      switch (part.kind) {
        case "literal":
          return part.text;
        case "field":
          return renderField(part, valueAt(values, part.name));
        case "option": {
          const [first] = fieldsOf(part.parts);
          const isEmpty = first === undefined || valueAt(values, first.name) === "";
          return isEmpty ? "" : render(part.parts, values);
        }
        default:
          return part satisfies never;
      }
    })
    .join("");
}

function valueAt(values: Values, name: string): Value {
  const value = values[name];
  if (value === undefined) throw new RangeError(`no value for the field ${name}`);
  return value;
}

function renderField(field: TemplateField, value: Value): string {
  switch (field.form) {
    case "integer":
    case "amount":
      return digits(field.name, numberOf(value), field.width);
    case "fixed":
      return fixed(field, numberOf(value));
    case "decimal":
      return String(numberOf(value) / 10 ** THOUSANDTHS_DIGITS);
    case "length": {
      const text = textOf(value);
      return digits(field.name, text.length, field.width) + text;
    }
    case "padded": {
      const text = textOf(value);
      if (text.length > field.width) throw tooLong(field.name, field.width);
      return text.padEnd(field.width);
    }
    case "raw":
      return textOf(value);
    case "time":
      return renderTime(field.letters, value);
    default:
      return field satisfies never;
  }
}

function fixed(
  { name, whole, fraction }: Extract<TemplateField, { form: "fixed" }>,
  milli: number,
): string {
  const unit = 10 ** (THOUSANDTHS_DIGITS - fraction);
  if (milli % unit !== 0) {
    throw new FiscalError("E400", `${name}: this device takes ${fraction} decimals`);
  }
  return digits(name, milli / unit, whole + fraction);
}

function digits(name: string, value: number, width: number): string {
  const text = String(value);
  if (!/^\d+$/.test(text)) throw new RangeError(`${name}: ${text} is no count`);
  if (width > 0 && text.length > width) {
    throw new FiscalError("E402", `${name}: this device takes ${width} digits`);
  }
  return text.padStart(width, "0");
}

function tooLong(name: string, most: number): FiscalError {
  return new FiscalError("E400", `${name}: this device takes ${most} characters`);
}

function numberOf(value: Value): number {
  if (typeof value === "number") return value;
  throw new RangeError("the field wants a number");
}

function textOf(value: Value): string {
  if (typeof value === "string") return value;
  throw new RangeError("the field wants a text");
}

function renderTime(letters: string, value: Value): string {
  if (typeof value !== "object") throw new RangeError("the field wants a time");
  const parts: Readonly<Record<string, number>> = {
    DD: value.day,
    MM: value.month,
    YY: value.year % 100,
    hh: value.hour,
    mm: value.minute,
    ss: value.second,
  };
  return letters.replace(/../g, (pair) => String(parts[pair] ?? 0).padStart(2, "0"));
}

/** Reads a pattern. @throws TemplateFault */
export function parsePattern(text: string): Pattern {
  const parts: PatternPart[] = [];
  for (const piece of text.split(/(\{[^{}]*\})/)) {
    if (piece === "") continue;
    if (piece.startsWith("{") && piece.endsWith("}")) {
      parts.push(parsePatternField(piece.slice(1, -1)));
    } else {
      if (/[{}]/.test(piece)) throw new TemplateFault("a brace is not closed, or closes nothing");
      parts.push({ kind: "literal", text: piece });
    }
  }
  const restAt = parts.findIndex(({ kind }) => kind === "rest");
  if (restAt >= 0 && restAt < parts.length - 1) {
    throw new TemplateFault("nothing can follow the rest of an answer");
  }
  return parts;
}

function parsePatternField(inner: string): PatternPart {
  if (inner === "*") return { kind: "rest", name: "", width: 0 };
  if (/^\*[1-9]\d?$/.test(inner)) return { kind: "text", name: "", width: Number(inner.slice(1)) };
  const named = new RegExp(`^(${NAME}):(.+)$`).exec(inner);
  if (!named) throw new TemplateFault(`{${inner}}: expected {name:form} or {*}`);
  const [, name = "", form = ""] = named;
  if (form === "*") return { kind: "rest", name, width: 0 };
  if (form === "sign") return { kind: "sign", name, width: 1 };
  if (form === "n*") return { kind: "digits", name, width: 0 };
  const sized = /^(n|s|len)([1-9]\d?)$/.exec(form);
  const width = Number(sized?.[2] ?? 0);
  if (!sized || width > WIDTH_MAX) {
    throw new TemplateFault(`{${inner}}: "${form}" is no form of a field`);
  }
  if (sized[1] === "n") return { kind: "digits", name, width };
  return { kind: sized[1] === "s" ? "text" : "length", name, width };
}

/**
 * Reads an answer.
 * @returns the fields by name as text; undefined when the answer has another form
 */
export function match(pattern: Pattern, answer: string): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  let at = 0;
  for (const part of pattern) {
    const rest = answer.slice(at);
    const found = take(part, rest);
    if (!found) return undefined;
    at += found.length;
    if (part.kind !== "literal" && part.name !== "") fields.set(part.name, found.value);
  }
  return at === answer.length ? fields : undefined;
}

function take(part: PatternPart, rest: string): { value: string; length: number } | undefined {
  const plain = (value: string) => ({ value, length: value.length });
  switch (part.kind) {
    case "literal":
      return rest.startsWith(part.text) ? plain(part.text) : undefined;
    case "rest":
      return plain(rest);
    case "sign":
      return rest.startsWith("+") || rest.startsWith("-") ? plain(rest.slice(0, 1)) : undefined;
    case "text":
      return rest.length >= part.width ? plain(rest.slice(0, part.width)) : undefined;
    case "digits": {
      const [run = ""] = /^\d*/.exec(rest) ?? [];
      if (part.width === 0) return plain(run);
      return run.length >= part.width ? plain(run.slice(0, part.width)) : undefined;
    }
    case "length": {
      const count = /^\d+$/.exec(rest.slice(0, part.width))?.[0];
      if (count?.length !== part.width) return undefined;
      const value = rest.slice(part.width, part.width + Number(count));
      return value.length === Number(count)
        ? { value, length: part.width + value.length }
        : undefined;
    }
    default:
      return part satisfies never;
  }
}
