/**
 * Templates: how the fields of a device command stand in its data, written almost as the manuals
 * write them, so that a dialect can be read beside its manual and stays data.
 *
 * `{name}` is a value; `[...]` is left out when any value in it is empty; the rest is literal.
 * `{operator},{password},{till}[,I{invoice}]` is such a template.
 */

/** Values of the fields, as text. A field that is not used is empty. */
export type TemplateValues = Readonly<Record<string, string>>;

/** A piece of a template. */
export type TemplatePart =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "value"; readonly name: string }
  | { readonly kind: "group"; readonly parts: readonly TemplatePart[] };

/** Templates come from dialects only, so their number is fixed. */
const parsed = new Map<string, readonly TemplatePart[]>();

/**
 * Fills a template.
 * @throws RangeError when a value is missing, or the template is malformed: a defect in a dialect
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  let parts = parsed.get(template);
  if (!parts) {
    parts = parseTemplate(template);
    parsed.set(template, parts);
  }
  return fillParts(parts, values);
}

/** The names of the values a template wants, in order. @throws RangeError when it is malformed */
export function templateNames(template: string): string[] {
  const names = (parts: readonly TemplatePart[]): string[] =>
    parts.flatMap((part) => {
      if (part.kind === "literal") return [];
      return part.kind === "value" ? [part.name] : names(part.parts);
    });
  return names(parseTemplate(template));
}

function fillParts(parts: readonly TemplatePart[], values: TemplateValues): string {
  let text = "";
  for (const part of parts) {
    if (part.kind === "literal") text += part.text;
    else if (part.kind === "value") text += textOf(part.name, values);
    else if (isComplete(part.parts, values)) text += fillParts(part.parts, values);
  }
  return text;
}

function isComplete(parts: readonly TemplatePart[], values: TemplateValues): boolean {
  return parts.every((part) => part.kind !== "value" || textOf(part.name, values) !== "");
}

function textOf(name: string, values: TemplateValues): string {
  const value = values[name];
  if (value === undefined) throw new RangeError(`the template wants a value for ${name}`);
  return value;
}

/** The pieces of a template, in order. @throws RangeError when it is malformed */
export function parseTemplate(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  for (const token of template.match(/\[[^\]]*\]|\{[^}]*\}|[^[{]+/g) ?? []) {
    if (token.startsWith("["))
      parts.push({ kind: "group", parts: parseTemplate(token.slice(1, -1)) });
    else if (token.startsWith("{")) parts.push({ kind: "value", name: token.slice(1, -1) });
    else parts.push({ kind: "literal", text: token });
  }
  const length = parts.reduce((sum, part) => sum + sourceLength(part), 0);
  if (length !== template.length) throw new RangeError(`malformed template ${template}`);
  return parts;
}

function sourceLength(part: TemplatePart): number {
  if (part.kind === "literal") return part.text.length;
  if (part.kind === "value") return part.name.length + 2;
  return part.parts.reduce((sum, inner) => sum + sourceLength(inner), 2);
}
